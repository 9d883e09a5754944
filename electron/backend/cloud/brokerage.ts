import type { z } from 'zod'
import { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import type { brokerTokens } from '#shared/api/cloud.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** Why the cloud brought no tokens; `sent` is false where it never saw the code or the refresh token. */
export type TokensFailure = { readonly failure: CloudFailure; readonly sent: boolean }

/** What the broker answered to the cloud. */
export type TokensAnswer = Result<z.output<typeof brokerTokens>, TokensFailure>

/** The cloud's application at the brokerage, as one of its users has it. The application's secret stays in the cloud. */
export type CloudBrokerage = {
  /** As whom the consent page is asked; null where the cloud has no application. */
  readonly clientId: () => Promise<Result<string | null, CloudFailure>>
  readonly exchange: (consent: { readonly code: string; readonly redirectUri: string }) => Promise<TokensAnswer>
  readonly refresh: (refreshToken: string) => Promise<TokensAnswer>
}

/** The user waits for this one before the consent page. */
const clientIdTimeoutMs = 20_000
/** How long the cloud may take for tokens, in milliseconds: it sits out the brokerage's penalties. */
export const tokensTimeoutMs = 150_000

const { tradovate, brokerageApp } = cloudBrokerageRoutes

/** The brokerage's calls over a client. */
export const createCloudBrokerage = (client: CloudClient): CloudBrokerage => {
  const swap = async (grant: { readonly action: 'refresh'; readonly refreshToken: string } | { readonly code: string; readonly redirectUri: string }): Promise<TokensAnswer> => {
    // Asked first, so that trouble with identity costs no code.
    const user = await client.user()
    if (!user.ok) return { ok: false, error: { failure: user.error, sent: false } }
    const answer = await client.call(tradovate, { body: { ...grant, userId: user.value } })
    if (answer.ok) return ok(answer.value.tokens)
    const { error } = answer
    return { ok: false, error: { failure: error, sent: !(error.kind === 'unreachable' && error.reached === false) } }
  }
  return {
    clientId: async () => {
      const answer = await client.call(brokerageApp, { signal: AbortSignal.timeout(clientIdTimeoutMs) })
      return answer.ok ? ok(answer.value.clientId) : answer
    },
    exchange: swap,
    refresh: (refreshToken) => swap({ action: 'refresh', refreshToken }),
  }
}
