import type { QueryClient } from '@tanstack/react-query'
import type { FetchProgress } from '#shared/api/price-fetch.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { whatIfRoutes } from '#shared/api/what-if.ts'
import { apiQuery, invalidateRoutes } from './api.ts'

/** Marks all that follows from the stored prices as stale, once they have changed. */
export const invalidatePrices = (client: QueryClient): Promise<void> =>
  invalidateRoutes(client, priceRoutes.prices, priceRoutes.priceFeeds, priceRoutes.excursions, priceRoutes.tradeChart, priceRoutes.candles, whatIfRoutes.whatIf)

/** The same after a change of trades: what-if results, R of excursions, and the orders and fills of charts. */
export const invalidateTried = (client: QueryClient): Promise<void> => invalidateRoutes(client, whatIfRoutes.whatIf, priceRoutes.excursions, priceRoutes.tradeChart)

/** Shows how far a fetch of prices is; null once it has ended. */
export const showFetch = (client: QueryClient, progress: FetchProgress | null): void => {
  client.setQueryData(apiQuery(priceRoutes.priceFeeds).queryKey, (known) => known && { ...known, fetching: progress })
  if (progress === null) void invalidateRoutes(client, priceRoutes.priceFeeds)
}
