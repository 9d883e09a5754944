import type { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import type { priceRoutes } from '#shared/api/prices.ts'
import type { whatIfRoutes } from '#shared/api/what-if.ts'
import { ok } from '#shared/base/result.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { done, doneIf } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'
import type { PriceFeeds } from './price-feeds.ts'
import type { Prices } from './service.ts'

/** Prices of contracts from the user's files and feeds. */
export const priceHandlers = ({ prices, priceFeeds }: { readonly prices: Prices; readonly priceFeeds: PriceFeeds }): Handlers<typeof priceRoutes & typeof chartLimitRoutes & typeof whatIfRoutes, Browser, Caller> => ({
  previewPrices: ({ body, caller }) => prices.preview(caller.id, body),
  importPrices: ({ body, caller }) => prices.add(caller.id, body),
  prices: ({ caller }) => prices.stored(caller.id),
  excursions: ({ query, caller }) => prices.excursions(caller.id, query.id),
  tradeChart: ({ query, caller }) => prices.chart(caller.id, query.id),
  chartLimits: ({ query, caller }) => prices.limits(caller.id, query.id),
  candles: ({ query, caller }) => prices.candles(caller.id, query),
  steps: ({ query, caller }) => prices.steps(caller.id, query),
  whatIf: ({ body, caller }) => prices.whatIf(caller.id, body),
  removePrices: async ({ body, caller }) => doneIf(await prices.remove(caller.id, body)),
  removeAllPrices: async ({ caller }) => {
    await priceFeeds.stopFetch(caller.id)
    await prices.forget(caller.id)
    return done
  },
  priceFeeds: ({ caller }) => priceFeeds.state(caller.id),
  setPriceFeed: async ({ body, caller }) => doneIf(await priceFeeds.set(caller.id, body)),
  setDatabento: async ({ body, caller }) => doneIf(await priceFeeds.setDatabento(caller.id, body)),
  databentoCost: ({ caller }) => priceFeeds.cost(caller.id),
  fetchPrices: async ({ body, caller }) => doneIf(await priceFeeds.fetch(caller.id, body)),
  stopFetchingPrices: async ({ caller }) => {
    await priceFeeds.stopFetch(caller.id)
    return done
  },
  setPriceLimit: async ({ body, caller }) => {
    const set = await prices.setLimit(caller.id, body)
    return set.ok ? ok({ success: true, freed: set.value.length }) : set
  },
})
