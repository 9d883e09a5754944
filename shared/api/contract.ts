import { backupRoutes } from './backups.ts'
import { brokerageRoutes } from './brokerage.ts'
import { chartLimitRoutes } from './chart-limits.ts'
import { comparisonRoutes } from './comparison.ts'
import { copierRoutes } from './copier.ts'
import { demoMarketRoutes } from './demo-market.ts'
import { historyRoutes } from './history.ts'
import { importRoutes } from './imports.ts'
import { journalFileRoutes } from './journal-file.ts'
import { journalRoutes, logbookRoutes, recordRoutes } from './journal.ts'
import { leftOverRoutes } from './left-over.ts'
import { mirrorStateRoutes } from './mirror-state.ts'
import { priceRoutes } from './prices.ts'
import { whatIfRoutes } from './what-if.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { ownDataRoutes } from './own-data.ts'
import { positionRoutes } from './positions.ts'
import { reportRoutes } from './reports.ts'
import { ruleRoutes } from './rules.ts'
import { sessionRoutes } from './session.ts'
import { statisticsRoutes } from './statistics.ts'
import { subscriptionRoutes } from './subscription.ts'
import { syncRoutes } from './sync.ts'

// By their names: spelled out they would be 700 kB of types, compared again wherever calls are used.
type LocalRoutes =
  typeof sessionRoutes
  & typeof recordRoutes
  & typeof logbookRoutes
  & typeof ownDataRoutes
  & typeof leftOverRoutes
  & typeof journalRoutes
  & typeof statisticsRoutes
  & typeof comparisonRoutes
  & typeof reconciliationRoutes
  & typeof brokerageRoutes
  & typeof syncRoutes
  & typeof mirrorStateRoutes
  & typeof importRoutes
  & typeof historyRoutes
  & typeof journalFileRoutes
  & typeof backupRoutes
  & typeof subscriptionRoutes
  & typeof copierRoutes
  & typeof positionRoutes
  & typeof priceRoutes
  & typeof chartLimitRoutes
  & typeof whatIfRoutes
  & typeof ruleRoutes
  & typeof reportRoutes
  & typeof demoMarketRoutes

/** Every call that the program on this computer answers. */
export const localRoutes: LocalRoutes = {
  ...sessionRoutes,
  ...recordRoutes,
  ...logbookRoutes,
  ...ownDataRoutes,
  ...leftOverRoutes,
  ...journalRoutes,
  ...statisticsRoutes,
  ...comparisonRoutes,
  ...reconciliationRoutes,
  ...brokerageRoutes,
  ...syncRoutes,
  ...mirrorStateRoutes,
  ...importRoutes,
  ...historyRoutes,
  ...journalFileRoutes,
  ...backupRoutes,
  ...subscriptionRoutes,
  ...copierRoutes,
  ...positionRoutes,
  ...priceRoutes,
  ...chartLimitRoutes,
  ...whatIfRoutes,
  ...ruleRoutes,
  ...reportRoutes,
  ...demoMarketRoutes,
}
