import type { localRoutes } from '#shared/api/contract.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'
import type { Services } from '../services.ts'
import { backupHandlers } from './backups.ts'
import { brokerageHandlers } from './brokerage.ts'
import { historyHandlers } from './history.ts'
import { importHandlers } from './imports.ts'
import { journalFileHandlers } from './journal-file.ts'
import { liveHandlers } from './live.ts'
import { mirrorHandlers } from './mirror.ts'
import { ownDataHandlers } from './own-data.ts'
import { readHandlers } from './reads.ts'
import { reconciliationHandlers } from './reconciliation.ts'
import { recordHandlers } from './records.ts'
import { reportHandlers } from './reports.ts'
import { sessionHandlers } from './session.ts'
import { subscriptionHandlers } from './subscription.ts'
import { syncHandlers } from './sync.ts'

/** One function for every call that the program on this computer answers. */
export const localHandlers = (services: Services): Handlers<typeof localRoutes, Browser, Caller> => ({
  ...sessionHandlers(services),
  ...recordHandlers(services),
  ...ownDataHandlers(services.own),
  ...readHandlers(services.read),
  ...reconciliationHandlers(services.read),
  ...brokerageHandlers(services),
  ...syncHandlers(services.runs),
  ...historyHandlers(services.history),
  ...mirrorHandlers(services.mirrors),
  ...importHandlers(services.imports),
  ...journalFileHandlers(services.journalFiles),
  ...backupHandlers(services.backups),
  ...subscriptionHandlers(services.subscriptions),
  ...liveHandlers(services),
  ...reportHandlers(services),
})
