import type { z } from 'zod'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import type { LastKnown } from '#shared/api/mirror.ts'
import type { Result } from '#shared/base/result.ts'
import type { MirrorPart } from '#shared/mirror/record.ts'
import { parseAnswer, maxJsonBytes, standardTimeoutMs } from './client.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

type Answer<Name extends keyof typeof mirrorRoutes> = Promise<Result<z.output<(typeof mirrorRoutes)[Name]['answer']>, CloudFailure>>

// Enough for the largest picture on a slow connection.
const pictureTimeoutMs = 180_000

/** The cloud's mirror calls for one user. */
export type CloudMirror = ReturnType<typeof createCloudMirror>

export const createCloudMirror = (client: CloudClient) => {
  const asUser = async <T>(signal: AbortSignal, work: (userId: string) => Promise<Result<T, CloudFailure>>): Promise<Result<T, CloudFailure>> => {
    const user = await client.user(signal)
    return user.ok ? work(user.value) : user
  }
  const { journal, changes, push } = mirrorRoutes

  return {
    /** The user's id in the cloud. */
    user: client.user,
    /** The id of the cloud's journal, the number of its last change, and whether it agrees with ours up to `cursor`; with `counted`, the number of records of each kind. */
    journal: (signal: AbortSignal, known?: 'counted' | { readonly cursor: number; readonly hash?: string }): Answer<'journal'> => asUser(signal, (userId) => client.call(journal, { query: { userId, ...(known === 'counted' ? { rows: known } : known) }, signal })),
    /** One page of the changes after `after` up to `upTo`, in the given buckets or all. */
    changes: (page: { readonly part: MirrorPart; readonly after: number; readonly upTo: number; readonly buckets?: string }, signal: AbortSignal): Answer<'changes'> => asUser(signal, (userId) => client.call(changes, { query: { userId, ...page }, signal })),
    /** Pushes records; `records` is the JSON of their array. */
    push: (batch: { readonly journal: string | null; readonly after: LastKnown; readonly hash?: string; readonly id: string; readonly records: Uint8Array }, signal: AbortSignal): Answer<'push'> =>
      asUser(signal, async (userId) => {
        const body = { type: 'application/json', bytes: bodyOf({ userId, journal: batch.journal, after: batch.after, hash: batch.hash, id: batch.id }, batch.records) }
        const answer = await client.send({ method: push.method, path: push.path, body, maxBytes: maxJsonBytes, timeoutMs: standardTimeoutMs, signal })
        return answer.ok ? parseAnswer(push, answer.value) : answer
      }),
    upload: async ({ name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Uint8Array }, signal: AbortSignal): Promise<Result<null, CloudFailure>> => {
      const answer = await client.send({ method: 'POST', path: picturePath, query: { name }, body: { type, bytes: Uint8Array.from(bytes) }, maxBytes: maxJsonBytes, timeoutMs: pictureTimeoutMs, signal })
      return answer.ok ? { ok: true, value: null } : answer
    },
    download: (name: string, signal: AbortSignal): Promise<Result<Uint8Array, CloudFailure>> => client.send({ method: 'GET', path: picturePath, query: { name }, maxBytes: largestPicture, timeoutMs: pictureTimeoutMs, signal }),
  }
}

/** Wraps records, which are JSON already, in the body of a push: parsing and serializing 100,000 trades again would be slow. */
const bodyOf = (head: { readonly userId: string; readonly journal: string | null; readonly after: LastKnown; readonly hash: string | undefined; readonly id: string }, records: Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder()
  const [before, after] = [encoder.encode(`${JSON.stringify(head).slice(0, -1)},"records":`), encoder.encode('}')]
  const body = new Uint8Array(before.length + records.length + after.length)
  body.set(before)
  body.set(records, before.length)
  body.set(after, before.length + records.length)
  return body
}
