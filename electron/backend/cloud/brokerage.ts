import type { z } from 'zod'
import { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import type { brokerTokens } from '#shared/api/cloud.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** Why the cloud returned no tokens. `sent` is false if it certainly never received the code or refresh token. */
export type TokensFailure = { readonly failure: CloudFailure; readonly sent: boolean }

/** The brokerage's tokens, or why there are none. */
export type TokensAnswer = Result<z.output<typeof brokerTokens>, TokensFailure>

// The user waits for it before the consent page opens.
const clientIdTimeoutMs = 20_000
/** Long enough for the cloud to wait out the brokerage's penalties. */
export const tokensTimeoutMs = 150_000

const { tradovate, brokerageApp } = cloudBrokerageRoutes

/** The cloud's OAuth application at the brokerage, for one user. Its secret stays in the cloud. */
export type CloudBrokerage = ReturnType<typeof createCloudBrokerage>

export const createCloudBrokerage = (client: CloudClient) => {
  const fetchTokens = async (grant: { readonly action: 'refresh'; readonly refreshToken: string } | { readonly code: string; readonly redirectUri: string }): Promise<TokensAnswer> => {
    // First, so that a failed sign-in does not use up the code.
    const user = await client.user()
    if (!user.ok) return { ok: false, error: { failure: user.error, sent: false } }
    const answer = await client.call(tradovate, { body: { ...grant, userId: user.value } })
    if (answer.ok) return ok(answer.value.tokens)
    const { error } = answer
    return { ok: false, error: { failure: error, sent: !(error.kind === 'unreachable' && error.reached === false) } }
  }
  return {
    /** The client id for the consent page; null if the cloud has no application. */
    clientId: async (): Promise<Result<string | null, CloudFailure>> => {
      const answer = await client.call(brokerageApp, { signal: AbortSignal.timeout(clientIdTimeoutMs) })
      return answer.ok ? ok(answer.value.clientId) : answer
    },
    exchange: fetchTokens,
    refresh: (refreshToken: string): Promise<TokensAnswer> => fetchTokens({ action: 'refresh', refreshToken }),
  }
}
