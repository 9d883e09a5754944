import { brokerageRoutes } from './brokerage.ts'
import { journalRoutes, recordRoutes } from './journal.ts'
import { mirrorStateRoutes } from './mirror.ts'
import { sessionRoutes } from './session.ts'
import { subscriptionRoutes } from './subscription.ts'
import { syncRoutes } from './sync.ts'

/** Every call that the program on this computer answers. */
export const localRoutes = { ...sessionRoutes, ...recordRoutes, ...journalRoutes, ...brokerageRoutes, ...syncRoutes, ...mirrorStateRoutes } as const

/** Every call of the spec, whoever answers it. */
export const specRoutes = { ...recordRoutes, ...subscriptionRoutes, tradovate: brokerageRoutes.tradovate } as const
