import type { QueryClient } from '@tanstack/react-query'
import { priceRoutes } from '#shared/api/prices.ts'
import { whatIfRoutes } from '#shared/api/what-if.ts'
import { invalidateRoutes } from './api.ts'

/** Marks all that follows from the stored prices as stale, once they have changed. */
export const invalidatePrices = (client: QueryClient): Promise<void> =>
  invalidateRoutes(client, priceRoutes.prices, priceRoutes.excursions, priceRoutes.tradeChart, priceRoutes.candles, whatIfRoutes.whatIf)

/** The same for what other exits would have made, once the trades have changed. */
export const invalidateTried = (client: QueryClient): Promise<void> => invalidateRoutes(client, whatIfRoutes.whatIf)
