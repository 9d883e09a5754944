import type { AccountDeletion } from '../services/users/account-deletion.ts'
import type { Accounts } from '../services/brokerage/accounts.ts'
import type { Backups } from '../services/backups/backups.ts'
import type { Connections } from '../services/brokerage/connections.ts'
import type { Events } from '../services/events.ts'
import type { History } from '../services/brokerage/history.ts'
import type { IdentityPort } from '../services/users/identity.ts'
import type { ImportDesk } from '../services/imports/import-desk.ts'
import type { JournalFiles } from '../services/journal/journal-files.ts'
import type { Mirrors } from '../services/journal/mirrors.ts'
import type { OwnData } from '../services/journal/own-data.ts'
import type { JournalReading, Records } from '../services/journal/records.ts'
import type { Reports } from '../services/reports/reports.ts'
import type { PaymentReturns } from '../services/rights/payment-returns.ts'
import type { Sessions } from '../services/users/sessions.ts'
import type { Subscriptions } from '../services/rights/subscriptions.ts'
import type { SyncRuns } from '../services/brokerage/sync-runs.ts'
import type { TradePictures } from '../services/journal/trade-pictures.ts'
import type { LiveServices } from './live-services.ts'
import type { Installation } from './routes/session.ts'

/** What answers the calls; each part is made where the backend is joined. */
export type Services = LiveServices & {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  readonly deleteAccount: AccountDeletion
  readonly events: Events
  readonly records: Records
  readonly own: OwnData
  readonly read: JournalReading
  readonly accounts: Accounts
  readonly connections: Connections
  readonly runs: SyncRuns
  readonly history: History
  readonly mirrors: Mirrors
  readonly pictures: TradePictures
  readonly imports: ImportDesk
  readonly journalFiles: JournalFiles
  readonly backups: Backups
  readonly reports: Reports
  readonly subscriptions: Subscriptions
  readonly paymentReturns: PaymentReturns
  readonly installation: Installation
}
