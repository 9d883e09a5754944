import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'
import { jsonOf, request } from './request.ts'

/** Where a user's cloud is, `https://cloud.example`, and the token that opens it. */
export type CloudAccess = { readonly url: string; readonly token: string }

/** Who a user is to the cloud. Tokens are in memory only. */
export type CloudIdentity = {
  /** The access of the moment; where the cloud just refused a token, that one is given here and another is asked for. */
  readonly access: (refused: string | null) => Promise<Result<CloudAccess, CloudFailure>>
}

const issued = z.object({ token: z.string().min(1) })
const largestToken = 64_000
const timeoutMs = 20_000

/** Identity by the cloud's development issuer, which gives a token to anybody, or who says its secret; a cloud in production has none. */
export const createDevelopmentIdentity = (parts: {
  /** Where the cloud is; asked each time, since a cloud on this computer may come back on another port. */
  readonly url: () => Promise<Result<string, CloudFailure>>
  readonly email: string
  readonly secret?: string
}): CloudIdentity => {
  let known: CloudAccess | null = null

  const issue = async (url: string): Promise<Result<CloudAccess, CloudFailure>> => {
    const bytes = new TextEncoder().encode(JSON.stringify({ email: parts.email, secret: parts.secret }))
    const answer = await request({ method: 'POST', url: new URL('/dev/token', url), token: null, body: { type: 'application/json', bytes }, largest: largestToken, timeoutMs })
    if (!answer.ok) return answer
    const parsed = issued.safeParse(jsonOf(answer.value))
    return parsed.success ? ok((known = { url, token: parsed.data.token })) : err(unreachable('unreadable-answer', 200))
  }

  return {
    access: async (refused) => {
      const url = await parts.url()
      if (!url.ok) return url
      return known !== null && known.url === url.value && known.token !== refused ? ok(known) : issue(url.value)
    },
  }
}
