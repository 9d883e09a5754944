import type { z } from 'zod'
import { largestPicture, mirrorRoutes, picturePath } from '#shared/api/mirror.ts'
import type { LastKnown } from '#shared/api/mirror.ts'
import type { Result } from '#shared/base/result.ts'
import type { MirrorPart } from '#shared/mirror/record.ts'
import { checked, largestJson, standardTimeoutMs } from './client.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

type Answer<Name extends keyof typeof mirrorRoutes> = Promise<Result<z.output<(typeof mirrorRoutes)[Name]['answer']>, CloudFailure>>

/** What the mirror asks of the cloud. */
export type CloudMirror = {
  /** The user's id in the cloud. */
  readonly user: (signal: AbortSignal) => Promise<Result<string, CloudFailure>>
  /** Which journal the cloud holds, the number of its last change, and whether it is the one that is known up to a change; or how many records of each kind. */
  readonly journal: (signal: AbortSignal, asked?: 'counted' | { readonly cursor: number; readonly hash?: string }) => Answer<'journal'>
  /** One page of what changed after `after` and not after `upTo`, in some buckets or all. */
  readonly changes: (page: { readonly part: MirrorPart; readonly after: number; readonly upTo: number; readonly buckets?: string }, signal: AbortSignal) => Answer<'changes'>
  /** Hands over records, as the JSON of their array. */
  readonly push: (push: { readonly journal: string | null; readonly after: LastKnown; readonly hash?: string; readonly id: string; readonly records: Uint8Array }, signal: AbortSignal) => Answer<'push'>
  readonly upload: (picture: { readonly name: string; readonly type: string; readonly bytes: Uint8Array }, signal: AbortSignal) => Promise<Result<null, CloudFailure>>
  readonly download: (name: string, signal: AbortSignal) => Promise<Result<Uint8Array, CloudFailure>>
}

/** A picture of the largest size on a slow line. */
const pictureTimeoutMs = 180_000

/** The mirror's calls over a client. */
export const createCloudMirror = (client: CloudClient): CloudMirror => {
  /** Does what needs the user's id in the cloud. */
  const asUser = async <T>(signal: AbortSignal, work: (userId: string) => Promise<Result<T, CloudFailure>>): Promise<Result<T, CloudFailure>> => {
    const user = await client.user(signal)
    return user.ok ? work(user.value) : user
  }
  const { journal, changes, push } = mirrorRoutes

  return {
    user: client.user,
    journal: (signal, asked) => asUser(signal, (userId) => client.call(journal, { query: { userId, ...(asked === 'counted' ? { rows: asked } : asked) }, signal })),
    changes: (page, signal) => asUser(signal, (userId) => client.call(changes, { query: { userId, ...page }, signal })),
    push: (given, signal) =>
      asUser(signal, async (userId) => {
        const body = { type: 'application/json', bytes: bodyOf({ userId, journal: given.journal, after: given.after, hash: given.hash, id: given.id }, given.records) }
        const answer = await client.ask({ method: push.method, path: push.path, body, largest: largestJson, timeoutMs: standardTimeoutMs, signal })
        return answer.ok ? checked(push, answer.value) : answer
      }),
    upload: async ({ name, type, bytes }, signal) => {
      const answer = await client.ask({ method: 'POST', path: picturePath, query: { name }, body: { type, bytes: Uint8Array.from(bytes) }, largest: largestJson, timeoutMs: pictureTimeoutMs, signal })
      return answer.ok ? { ok: true, value: null } : answer
    },
    download: (name, signal) => client.ask({ method: 'GET', path: picturePath, query: { name }, largest: largestPicture, timeoutMs: pictureTimeoutMs, signal }),
  }
}

/** The body of a push around records that are JSON already: a journal of a hundred thousand trades is not taken apart to be put together again. */
const bodyOf = (head: { readonly userId: string; readonly journal: string | null; readonly after: LastKnown; readonly hash: string | undefined; readonly id: string }, records: Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder()
  const [before, after] = [encoder.encode(`${JSON.stringify(head).slice(0, -1)},"records":`), encoder.encode('}')]
  const body = new Uint8Array(before.length + records.length + after.length)
  body.set(before)
  body.set(records, before.length)
  body.set(after, before.length + records.length)
  return body
}
