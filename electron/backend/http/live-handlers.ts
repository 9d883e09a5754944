import type { copierRoutes } from '#shared/api/copier.ts'
import type { demoMarketRoutes } from '#shared/api/demo-market.ts'
import type { positionRoutes } from '#shared/api/positions.ts'
import type { ruleRoutes } from '#shared/api/rules.ts'
import type { Browser, Caller } from './caller.ts'
import type { LiveServices } from './live-services.ts'
import type { Handlers } from './mount.ts'
import { copierHandlers } from '../copier/routes.ts'
import { demoMarketHandlers } from '../demo-market/routes.ts'
import { positionHandlers } from '../positions/routes.ts'
import { ruleHandlers } from '../rules/routes.ts'

type LiveRoutes = typeof copierRoutes & typeof positionRoutes & typeof ruleRoutes & typeof demoMarketRoutes

/** Accounts as they are at the moment: what is copied, what is open, how it stands by its rules. */
export const liveHandlers = (services: LiveServices): Handlers<LiveRoutes, Browser, Caller> => ({
  ...copierHandlers(services),
  ...positionHandlers(services),
  ...ruleHandlers(services),
  ...demoMarketHandlers(services),
})
