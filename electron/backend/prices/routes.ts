import type { priceRoutes } from '#shared/api/prices.ts'
import type { whatIfRoutes } from '#shared/api/what-if.ts'
import { ok } from '#shared/base/result.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'
import type { Prices } from './service.ts'

/** Prices of contracts from the user's files. */
export const priceHandlers = (prices: Prices): Handlers<typeof priceRoutes & typeof whatIfRoutes, Browser, Caller> => ({
  previewPrices: ({ body, caller }) => prices.preview(caller.id, body),
  importPrices: ({ body, caller }) => prices.add(caller.id, body),
  prices: ({ caller }) => prices.stored(caller.id),
  excursions: ({ query, caller }) => prices.excursions(caller.id, query.id),
  tradeChart: ({ query, caller }) => prices.chart(caller.id, query.id),
  candles: ({ query, caller }) => prices.candles(caller.id, query),
  steps: ({ query, caller }) => prices.steps(caller.id, query),
  whatIf: ({ body, caller }) => prices.whatIf(caller.id, body),
  removePrices: async ({ body, caller }) => {
    const removed = await prices.remove(caller.id, body)
    return removed.ok ? ok({ success: true }) : removed
  },
  removeAllPrices: async ({ caller }) => {
    await prices.forget(caller.id)
    return ok({ success: true })
  },
  setPriceLimit: async ({ body, caller }) => {
    const set = await prices.setLimit(caller.id, body)
    return set.ok ? ok({ success: true, freed: set.value.length }) : set
  },
})
