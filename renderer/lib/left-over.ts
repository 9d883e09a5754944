import { journalRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes, type LeftOverNote } from '#shared/api/left-over.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const { leftOverNotes, moveLeftOver, discardLeftOver } = leftOverRoutes
const none: readonly LeftOverNote[] = []

/** Annotations of fill pairs that are gone, oldest day first; empty until loaded. */
export const useLeftOver = (): readonly LeftOverNote[] => useQuery(apiQuery(leftOverNotes, { query: {} })).data?.notes ?? none

/** Moves left-over notes to fill pairs, and discards them. */
export const useSettleLeftOver = () => {
  const client = useQueryClient()
  const onSettled = () => invalidateRoutes(client, leftOverNotes, journalRoutes.pairPage, journalRoutes.tradePage, journalRoutes.tradePairs, statisticsRoutes.statistics, statisticsRoutes.filterChoices)
  const move = useMutation({ mutationFn: (body: { readonly id: string; readonly pairId: string }) => callApi(moveLeftOver, { body }), onSettled })
  const discard = useMutation({ mutationFn: (id: string) => callApi(discardLeftOver, { body: { id } }), onSettled })
  return {
    move: (id: string, pairId: string) => { move.mutate({ id, pairId }) },
    discard: (id: string) => { discard.mutate(id) },
    busy: move.isPending || discard.isPending,
    failure: move.error ?? discard.error,
  }
}
