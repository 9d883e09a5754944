import type { QueryClient } from '@tanstack/react-query'
import { priceRoutes } from '#shared/api/prices.ts'
import { invalidateRoutes } from './api.ts'

/** Marks all that follows from the stored prices as stale, once they have changed. */
export const invalidatePrices = (client: QueryClient): Promise<void> => invalidateRoutes(client, priceRoutes.prices, priceRoutes.excursions, priceRoutes.tradeChart, priceRoutes.candles)
