import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { jsonOf, request, type CloudAccess, type CloudIdentity } from './client.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'

const issued = z.object({ token: z.string().min(1) })
const maxTokenBytes = 64_000
const timeoutMs = 20_000

/** Identity by the cloud's development issuer: it gives anybody a token, or anybody with its secret if it has one. A production cloud has no such issuer. */
export const createDevelopmentIdentity = (deps: {
  /** The cloud's address. Asked for each time, since a local cloud may restart on another port. */
  readonly url: () => Promise<Result<string, CloudFailure>>
  readonly email: string
  readonly secret?: string
}): CloudIdentity => {
  let known: CloudAccess | null = null

  const issue = async (url: string): Promise<Result<CloudAccess, CloudFailure>> => {
    const bytes = new TextEncoder().encode(JSON.stringify({ email: deps.email, secret: deps.secret }))
    const answer = await request({ method: 'POST', url: new URL('/dev/token', url), token: null, body: { type: 'application/json', bytes }, maxBytes: maxTokenBytes, timeoutMs })
    if (!answer.ok) return answer
    const parsed = issued.safeParse(jsonOf(answer.value))
    return parsed.success ? ok((known = { url, token: parsed.data.token })) : err(unreachable('unreadable-answer', 200))
  }

  return {
    access: async (refused) => {
      const url = await deps.url()
      if (!url.ok) return url
      return known !== null && known.url === url.value && known.token !== refused ? ok(known) : issue(url.value)
    },
  }
}
