import type { localRoutes } from '#shared/api/contract.ts'
import type { Browser, Caller } from './caller.ts'
import type { Handlers } from './mount.ts'
import type { Services } from './services.ts'
import { backupHandlers } from '../backups/routes.ts'
import { brokerageHandlers } from '../accounts/routes.ts'
import { historyHandlers } from '../sync/history-routes.ts'
import { importHandlers } from '../imports/routes.ts'
import { journalFileHandlers } from '../journal-file/routes.ts'
import { liveHandlers } from './live-handlers.ts'
import { mirrorHandlers } from '../mirror/routes.ts'
import { ownDataHandlers } from '../own-data/routes.ts'
import { readHandlers } from '../trades/read-routes.ts'
import { reconciliationHandlers } from '../reconciliation/routes.ts'
import { recordHandlers } from '../trades/routes.ts'
import { reportHandlers } from '../reports/routes.ts'
import { sessionHandlers } from '../identity/routes.ts'
import { subscriptionHandlers } from '../plans/routes.ts'
import { syncHandlers } from '../sync/routes.ts'

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
