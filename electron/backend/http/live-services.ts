import type { Alerts } from '../rules/alerts.ts'
import type { Copier } from '../copier/service.ts'
import type { CopierLedger } from '../copier/copier-ledger.ts'
import type { DemoMarket } from '../demo-market/service.ts'
import type { Positions } from '../positions/service.ts'
import type { Rules } from '../rules/service.ts'

/** What answers the calls about accounts as they are at the moment. */
export type LiveServices = {
  readonly copier: Copier
  readonly copierLedger: CopierLedger
  readonly positions: Positions
  readonly rules: Rules
  readonly alerts: Alerts
  /** Null where the demo is not offered. */
  readonly demoMarket: DemoMarket | null
}
