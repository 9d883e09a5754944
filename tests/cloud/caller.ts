import type { z } from 'zod'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { problem } from '#shared/api/problems.ts'
import type { MirrorPart, MirrorRecord } from '#shared/mirror/record.ts'
import type { DevToken } from '../helpers/cloud.ts'

const pushAnswer = mirrorRoutes.push.answer
/** What a push came to: the contract's answer, or the status and code of its failure. */
export type PushOutcome = z.infer<typeof pushAnswer> | { readonly outcome: 'failed'; readonly status: number; readonly code: string; readonly retryAfter: string | null }

/** A device that talks with one instance of the cloud. */
export type Caller = {
  readonly push: (journal: string | null, after: number, records: readonly MirrorRecord[]) => Promise<PushOutcome>
  readonly changes: (part: MirrorPart, after: number, upTo: number) => Promise<z.infer<typeof mirrorRoutes.changes.answer>>
  readonly state: () => Promise<z.infer<typeof mirrorRoutes.journal.answer>>
}

/** Speaks for the bearer of a token; every answer is checked against the contract. */
export const callerAt = (url: string, { token, userId }: Pick<DevToken, 'token' | 'userId'>): Caller => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const read = async <T extends z.ZodType>(answer: T, path: string, query: Record<string, string | number>): Promise<z.output<T>> => {
    const search = new URLSearchParams(Object.entries({ userId, ...query }).map(([name, value]) => [name, String(value)]))
    const response = await fetch(`${url}${path}?${search.toString()}`, { headers })
    if (response.status !== 200) throw new Error(`${path} answered ${String(response.status)}`)
    return answer.parse(await response.json())
  }
  return {
    push: async (journal, after, records) => {
      const response = await fetch(`${url}${mirrorRoutes.push.path}`, { method: 'POST', headers, body: JSON.stringify({ userId, journal, after, records }) })
      const body: unknown = await response.json()
      if (response.status === 200) return pushAnswer.parse(body)
      return { outcome: 'failed', status: response.status, code: problem.parse(body).code, retryAfter: response.headers.get('retry-after') }
    },
    changes: (part, after, upTo) => read(mirrorRoutes.changes.answer, mirrorRoutes.changes.path, { part, after, upTo }),
    state: () => read(mirrorRoutes.journal.answer, mirrorRoutes.journal.path, { rows: 'counted' }),
  }
}
