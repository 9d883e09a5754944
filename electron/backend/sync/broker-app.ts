import type { Refused } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { exchangeCode, refreshTokens } from '../brokers/tradovate/oauth.ts'
import type { OauthSetup } from '../brokers/tradovate/oauth.ts'
import type { ExchangeOutcome, RenewalOutcome } from '../brokers/tradovate/tokens.ts'

/** Fillbook's application at a brokerage, whether this computer or the cloud keeps its secret. */
export type BrokerApp = {
  /** As whom the consent page is asked. */
  readonly clientId: () => Promise<Result<string, Refused>>
  /** Swaps a consent code for tokens. A code that may have been used up is never sent again; `plan-needed` comes from the keeper of the secret. */
  readonly exchange: (consent: { readonly code: string; readonly redirectUri: string }) => Promise<ExchangeOutcome | { readonly kind: 'plan-needed' }>
  /** Swaps a refresh token for new tokens; the old one is dead afterwards. Only `refused` says anything about the login. */
  readonly refresh: (refreshToken: string) => Promise<RenewalOutcome>
  /** Whether there is an application at all, as far as that is known without waiting long. */
  readonly isThere: () => Promise<boolean>
}

/** The application of this computer's own, with id and secret from the settings. */
export const ownApp = (setup: OauthSetup): BrokerApp => ({
  clientId: () => Promise.resolve(ok(setup.credentials.clientId)),
  exchange: (consent) => exchangeCode(setup, consent),
  refresh: (refreshToken) => refreshTokens(setup, refreshToken),
  isThere: () => Promise.resolve(true),
})
