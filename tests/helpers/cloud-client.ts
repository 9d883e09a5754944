import { z } from 'zod'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { problem, type Problem } from '#shared/api/problems.ts'
import type { AnswerOf, BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { RunningCloud } from './cloud.ts'
import { rawRequest, type RawAnswer } from './raw-request.ts'

type Given<R extends Route> = { readonly query?: QueryGiven<R>; readonly body?: BodyGiven<R> }
type Anything = { readonly query?: Record<string, string>; readonly body?: unknown }

/** A program that calls the cloud with a user's token. */
export type CloudClient = {
  readonly userId: string
  /** Calls a route and checks its answer against the contract; throws where the call fails. */
  readonly call: <R extends Route>(route: R, given?: Given<R>) => Promise<AnswerOf<R>>
  /** Calls a route that must fail, with whatever is given, and gives status and problem. */
  readonly fail: (route: Route, given?: Anything) => Promise<Problem & { status: number }>
  readonly send: (route: Route, given?: Anything) => Promise<RawAnswer>
  /** Tells the cloud records as a computer does that has seen all changes so far. */
  readonly tell: (records: readonly MirrorRecord[]) => Promise<void>
  /** Every record that changed since `after`, as another computer receives them. */
  readonly records: (after?: number) => Promise<readonly MirrorRecord[]>
}

/** Somebody with a token of the cloud's development issuer. */
export const cloudUser = async (cloud: RunningCloud, email: string): Promise<CloudClient> => {
  const { token, userId } = await cloud.tokenOf(email)
  const send: CloudClient['send'] = (route, { query, body } = {}) => {
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
    const headers = { authorization: `Bearer ${token}`, ...(route.method === 'POST' ? { 'content-type': 'application/json' } : {}) }
    return rawRequest(`${cloud.url}${route.path}${search}`, { method: route.method, headers, ...(route.method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) })
  }
  const call: CloudClient['call'] = async <R extends Route>(route: R, given: Given<R> = {}) => {
    const answer = await send(route, given as Anything)
    if (answer.status !== 200) throw new Error(`${route.path} answered ${String(answer.status)}: ${answer.body}`)
    const json: unknown = JSON.parse(answer.body)
    z.parse(route.answer, json)
    return json as AnswerOf<R>
  }
  return {
    userId,
    send,
    call,
    fail: async (route, given = {}) => {
      const answer = await send(route, given)
      return { ...problem.parse(JSON.parse(answer.body)), status: answer.status }
    },
    tell: async (records) => {
      const { journal, head } = await call(mirrorRoutes.journal, { query: { userId } })
      const { outcome } = await call(mirrorRoutes.push, { body: { userId, journal, after: head, records: [...records] } })
      if (outcome !== 'taken') throw new Error('Somebody else changed the journal meanwhile')
    },
    records: async (after = 0) => {
      const { head } = await call(mirrorRoutes.journal, { query: { userId } })
      const parts = await Promise.all((['removals', 'ground', 'rest', 'pairs'] as const).map((part) => call(mirrorRoutes.changes, { query: { userId, part, after, upTo: head } })))
      return parts.flatMap(({ records }) => records.map(({ entity, id, content }) => ({ entity, id, content }) as MirrorRecord))
    },
  }
}
