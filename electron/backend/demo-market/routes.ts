import type { demoMarketRoutes } from '#shared/api/demo-market.ts'
import { refuse } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import { demoUserId } from '../demo-user.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'
import type { Services } from '../http/services.ts'

/** Trades by hand on the demo brokerage, for the demo profile alone. */
export const demoMarketHandlers = ({ demoMarket }: Pick<Services, 'demoMarket'>): Handlers<typeof demoMarketRoutes, Browser, Caller> => ({
  demoTrade: ({ caller, body }) => Promise.resolve(demoMarket !== null && caller.id === demoUserId ? ok(demoMarket.trade(body)) : refuse('not-found')),
})
