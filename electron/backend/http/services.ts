import type { AccountDeletion } from '../services/account-deletion.ts'
import type { Accounts } from '../services/accounts.ts'
import type { Backups } from '../services/backups.ts'
import type { Connections } from '../services/connections.ts'
import type { Events } from '../services/events.ts'
import type { History } from '../services/history.ts'
import type { IdentityPort } from '../services/identity.ts'
import type { ImportDesk } from '../services/import-desk.ts'
import type { JournalFiles } from '../services/journal-files.ts'
import type { Mirrors } from '../services/mirrors.ts'
import type { OwnData } from '../services/own-data.ts'
import type { JournalReading, Records } from '../services/records.ts'
import type { Reports } from '../services/reports.ts'
import type { PaymentReturns } from '../services/payment-returns.ts'
import type { Sessions } from '../services/sessions.ts'
import type { Subscriptions } from '../services/subscriptions.ts'
import type { SyncRuns } from '../services/sync-runs.ts'
import type { TradePictures } from '../services/trade-pictures.ts'
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
