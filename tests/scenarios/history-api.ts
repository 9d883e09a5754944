import { z } from 'zod'
import type { Browser, Caller } from '#backend/http/caller.ts'
import type { Handlers } from '#backend/http/mount.ts'
import { backupHandlers } from '#backend/backups/routes.ts'
import { importHandlers } from '#backend/imports/routes.ts'
import { mirrorHandlers } from '#backend/mirror/routes.ts'
import { ownDataHandlers } from '#backend/own-data/routes.ts'
import { recordHandlers } from '#backend/trades/routes.ts'
import { ruleHandlers } from '#backend/rules/routes.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { AnswerOf, BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import type { Result } from '#shared/base/result.ts'
import { user } from '../helpers/store.ts'
import type { HistoryServices } from './history-services.ts'

/** Makes one call of the API as the signed-in user; throws a `Refusal` where it is refused. */
export type HistoryCall = <R extends Route>(route: R, sent?: { readonly query?: QueryGiven<R>; readonly body?: BodyGiven<R> }) => Promise<AnswerOf<R>>

/** A call that was refused. */
export class Refusal extends Error {}

type Handler = (call: { query: unknown; body: unknown; caller: unknown; gone: AbortSignal }) => Promise<Result<unknown, { readonly code: string }>>

/** Serves the calls of the screens without a socket: requests and answers are parsed as on one. */
export const serveHistory = ({ records, read, own, backups, desk, rules, mirror }: HistoryServices): HistoryCall => {
  const handlers = new Map<Route, Handler>()
  const serve = <Routes extends Record<string, Route>>(routes: Routes, made: Handlers<Routes, Browser, Caller>): void => {
    for (const [name, route] of Object.entries(routes)) handlers.set(route, made[name] as unknown as Handler)
  }
  serve({ ...recordRoutes, ...logbookRoutes }, recordHandlers({ records, read }))
  serve({ ...ownDataRoutes, ...leftOverRoutes }, ownDataHandlers(own))
  serve(backupRoutes, backupHandlers(backups))
  serve(importRoutes, importHandlers(desk))
  serve(ruleRoutes, ruleHandlers({ rules, alerts: null as never }))
  serve(mirrorStateRoutes, mirrorHandlers({ cloudFor: () => 'mirrored', state: mirror.state, now: () => Promise.resolve(), toNewAccount: () => Promise.reject(new Error('No account is deleted here')) }))

  return async (route, sent = {}) => {
    const handle = handlers.get(route)
    if (handle === undefined) throw new Error(`Not served here: ${route.path}`)
    const input = { query: route.query && z.parse(route.query, sent.query ?? {}), body: route.body && z.parse(route.body, sent.body ?? {}) }
    const result = await handle({ ...input, caller: { id: user.userId }, gone: new AbortController().signal })
    // A change stirs the mirror, and a restore begins it again.
    await mirror.rested()
    if (!result.ok) throw new Refusal(`${route.path}: ${JSON.stringify(result.error)}`)
    const answer: unknown = result.value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(result.value)) : result.value
    return z.parse(route.answer, answer) as never
  }
}
