import { z } from 'zod'
import { bearerOf, empty, json, text, type Answer, type Call } from './answers.ts'
import type { Environment } from './world.ts'
import { answerEntity } from './entity-calls.ts'
import type { Floor } from './floor.ts'
import { answerMe, answerRenew, answerToken, type Counter } from './oauth.ts'
import { answerOrder, changesOrders } from './order-calls.ts'
import type { ReportDesk } from './report-calls.ts'
import type { View, Views } from './view.ts'

const snapshotSchema = z.object({ accountId: z.int() })

/** The desks at which the API is answered. */
export type Desks = {
  readonly counter: Counter
  readonly view: Views['of']
  readonly reports: ReportDesk
  readonly floor: Floor
}

/** Answers one call of the API on a host. */
export const answerApi = async ({ counter, view: viewOf, reports, floor }: Desks, call: Call, environment: Environment): Promise<Answer> => {
  const below = call.below.replace(/^\/v1(?=\/)/, '')
  if (below === '/auth/oauthtoken') return answerToken(counter, call)
  const token = bearerOf(call)
  if (token === null) return empty(401)
  const standing = counter.grants.standing(token)
  if (standing.kind === 'unknown') return text(401, 'Access is denied')
  if (standing.kind === 'pushed-out') return empty(standing.status)
  if (below === '/rpt/v1/reports/requestReport') return reports.answer(call, standing.userId)
  if (below === '/auth/me') return answerMe(counter, call, standing.userId)
  if (below === call.below) return empty(404)
  if (below === '/auth/renewaccesstoken') return answerRenew(counter, call)
  const view = viewOf(standing.userId, environment)
  const [, entity = '', operation = '', more] = below.split('/')
  if (view === null || more !== undefined) return empty(404)
  if (below === '/cashBalance/getcashbalancesnapshot') return snapshot(view, call)
  if (changesOrders(entity, operation)) return call.method === 'POST' ? answerOrder(floor, { userId: standing.userId, environment }, operation, call.json) : empty(404)
  return answerEntity(view, entity, operation, call.query)
}

const snapshot = (view: View, call: Call): Answer => {
  const wanted = snapshotSchema.safeParse(call.body)
  if (call.method !== 'POST') return empty(404)
  const found = wanted.success ? view.snapshot(wanted.data.accountId) : null
  return json(found ?? { errorText: 'Account not found' })
}
