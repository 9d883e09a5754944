import type { Express } from 'express'
import type { localRoutes } from '#shared/api/contract.ts'
import type { Browser, Caller } from './caller.ts'
import type { Admission, Handlers } from './mount.ts'
import type { Services } from './services.ts'
import { backupHandlers } from '../backups/routes.ts'
import { brokerageHandlers } from '../accounts/routes.ts'
import { historyHandlers, syncHandlers } from '../sync/routes.ts'
import { importHandlers, mountUploads } from '../imports/routes.ts'
import { journalFileHandlers, mountJournalFile } from '../journal-file/routes.ts'
import { mirrorHandlers } from '../mirror/routes.ts'
import { ownDataHandlers } from '../own-data/routes.ts'
import { mountTradesCsv, readHandlers, recordHandlers } from '../trades/routes.ts'
import { reconciliationHandlers } from '../reconciliation/routes.ts'
import { mountReportPdf, reportHandlers } from '../reports/routes.ts'
import { sessionHandlers } from '../identity/routes.ts'
import { subscriptionHandlers } from '../plans/routes.ts'
import { copierHandlers } from '../copier/routes.ts'
import { demoMarketHandlers } from '../demo-market/routes.ts'
import { positionHandlers } from '../positions/routes.ts'
import { priceHandlers } from '../prices/routes.ts'
import { ruleHandlers } from '../rules/routes.ts'
import { mountBooksCsv } from '../finances/csv-routes.ts'
import { mountLedgerCsv } from '../copier/csv-routes.ts'
import { mountPictures } from '../pictures/routes.ts'

/** The handlers of every call that the program on this computer answers. */
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
  ...copierHandlers(services),
  ...positionHandlers(services),
  ...priceHandlers(services),
  ...ruleHandlers(services),
  ...demoMarketHandlers(services),
  ...reportHandlers(services),
})

/** Everything sent as a file, in either direction, and not as a JSON call. */
export const mountFiles = (app: Express, services: Services, admission: Admission<Browser, Caller>): void => {
  mountPictures(app, services.pictures, admission)
  mountJournalFile(app, services.journalFiles, admission)
  mountUploads(app, services.imports, admission)
  mountTradesCsv(app, services.read, admission)
  mountBooksCsv(app, services.read, admission)
  mountLedgerCsv(app, services.copierLedger, admission)
  mountReportPdf(app, services.reports, admission)
}
