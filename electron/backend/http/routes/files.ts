import type { Express } from 'express'
import type { Browser, Caller } from '../caller.ts'
import type { Admission } from '../mount.ts'
import type { Services } from '../services.ts'
import { mountBooksCsv } from './books-csv.ts'
import { mountJournalFile } from './journal-file.ts'
import { mountLedgerCsv } from './ledger-csv.ts'
import { mountPictures } from './pictures.ts'
import { mountReportPdf } from './report-pdf.ts'
import { mountTradesCsv } from './trades-csv.ts'
import { mountUploads } from './uploads.ts'

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
