import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { ownDataRoutes, type CommissionOf } from '#shared/api/own-data.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

const { commissions, setCommission } = ownDataRoutes
const { pairPage, tradePage, tradePairs } = journalRoutes

/** A change of a rate; a null `perSide` resets it. */
export type RateChange = { readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }

/** Sets one rate after another; `onDone` gets the number of changed pairs. */
export const useSetCommission = (onDone: (change: RateChange, pairs: number) => void) => {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'commissions' },
    mutationFn: (body: RateChange) => callApi(setCommission, { body }),
    onSuccess: async ({ pairs }, change) => {
      await invalidateRoutes(client, commissions, pairPage, tradePage, tradePairs, statisticsRoutes.statistics)
      onDone(change, pairs)
    },
  })
}
