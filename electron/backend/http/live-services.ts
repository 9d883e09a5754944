import type { Alerts } from '../services/rules/alerts.ts'
import type { Copier } from '../services/copier/copier.ts'
import type { CopierLedger } from '../services/copier/copier-ledger.ts'
import type { DemoMarket } from '../services/brokerage/demo-market.ts'
import type { Positions } from '../services/rules/positions.ts'
import type { Rules } from '../services/rules/rules.ts'

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
