import type { AccountDeletion } from '../identity/account-deletion.ts'
import type { Accounts } from '../accounts/service.ts'
import type { Backups } from '../backups/service.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Events } from '../events.ts'
import type { History } from '../sync/history.ts'
import type { IdentityPort } from '../identity/identity.ts'
import type { ImportService } from '../imports/service.ts'
import type { JournalFiles } from '../journal-file/service.ts'
import type { Mirrors } from '../mirror/service.ts'
import type { OwnData } from '../own-data/service.ts'
import type { JournalReading, Records } from '../trades/service.ts'
import type { Reports } from '../reports/service.ts'
import type { PaymentReturns } from '../plans/payment-returns.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Subscriptions } from '../plans/subscriptions.ts'
import type { SyncRuns } from '../sync/service.ts'
import type { TradePictures } from '../pictures/service.ts'
import type { Alerts } from '../rules/alerts.ts'
import type { Copier } from '../copier/service.ts'
import type { CopierLedger } from '../copier/copier-ledger.ts'
import type { DemoMode } from '../demo-mode.ts'
import type { Positions } from '../positions/service.ts'
import type { PriceFeeds } from '../prices/price-feeds.ts'
import type { Prices } from '../prices/service.ts'
import type { Rules } from '../rules/service.ts'
import type { Installation } from '../identity/routes.ts'

/** The services behind the calls. */
export type Services = {
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
  readonly imports: ImportService
  readonly journalFiles: JournalFiles
  readonly backups: Backups
  readonly reports: Reports
  readonly subscriptions: Subscriptions
  readonly paymentReturns: PaymentReturns
  readonly installation: Installation
  readonly copier: Copier
  readonly copierLedger: CopierLedger
  readonly positions: Positions
  readonly prices: Prices
  readonly priceFeeds: PriceFeeds
  readonly rules: Rules
  readonly alerts: Alerts
  /** Null if the demo is not offered. */
  readonly demoMarket: Pick<DemoMode, 'trade'> | null
}
