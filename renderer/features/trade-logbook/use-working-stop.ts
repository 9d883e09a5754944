import { apiQuery } from '#renderer/lib/api.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { useQuery } from '@tanstack/react-query'
import { workingStop } from './chart/chart-orders.ts'

/** The first stop that worked at the broker during a trade; null if none is known. */
export const useWorkingStop = (id: string): string | null => {
  const chart = useQuery(apiQuery(priceRoutes.tradeChart, { query: { id } })).data?.chart ?? null
  return chart === null ? null : workingStop(chart)
}
