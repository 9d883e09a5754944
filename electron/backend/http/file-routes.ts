import type { Express } from 'express'
import type { Browser, Caller } from './caller.ts'
import type { Admission } from './mount.ts'
import type { Services } from './services.ts'
import { mountBooksCsv } from '../finances/csv-routes.ts'
import { mountJournalFile } from '../journal-file/routes.ts'
import { mountLedgerCsv } from '../copier/csv-routes.ts'
import { mountPictures } from '../pictures/routes.ts'
import { mountReportPdf } from '../reports/pdf-routes.ts'
import { mountTradesCsv } from '../trades/csv-routes.ts'
import { mountUploads } from '../imports/upload-routes.ts'

/** Everything that is sent as a file, in either direction, rather than as a call with an answer. */
export const mountFiles = (app: Express, services: Services, admission: Admission<Browser, Caller>): void => {
  mountPictures(app, services.pictures, admission)
  mountJournalFile(app, services.journalFiles, admission)
  mountUploads(app, services.imports, admission)
  mountTradesCsv(app, services.read, admission)
  mountBooksCsv(app, services.read, admission)
  mountLedgerCsv(app, services.copierLedger, admission)
  mountReportPdf(app, services.reports, admission)
}
