import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { openedTrade } from '#renderer/lib/trade-filter.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import type { ListedTrip, NewTrade, Trade } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { addedSettled, addingFailed, noteAdded, noteRemoved, removalUndone, useLocalChanges } from './local-changes.ts'
import type { MovedNotes } from './trade-saving.ts'

const { tradePage, tripPage, tripPairs } = journalRoutes
const { statistics, filterChoices } = statisticsRoutes
/** A mutation scope that runs changes one after another: a later change never overtakes an earlier one. */
export const changesInOrder = { id: 'trade-changes' }

// Fetched after the list, which shows without it.
const saving = () => import('./trade-saving.ts')

export type TradeChanges = ReturnType<typeof useTradeChanges>

/** Adds and removes the signed-in user's trades: a change shows at once, is saved in the background, and stays on the screen if saving fails. Throws 'No authenticated user' if nobody is signed in. */
export const useTradeChanges = () => {
  const { t } = useTranslation('trade-logbook')
  const navigate = useNavigate()
  const [announced] = useState(() => new Set<string>())
  const userId = useUserId()
  const client = useQueryClient()
  const reload = (): Promise<void> => invalidateRoutes(client, tradePage, tripPage, tripPairs, statistics, filterChoices)

  const announceMoved = useEffectEvent((kept: readonly MovedNotes[]): void => {
    const [fresh] = kept.filter(({ id, on }) => on !== id && !announced.has(id))
    if (fresh === undefined) return
    announced.add(fresh.id)
    const { on } = fresh
    if (on === null) return void toast({ title: t('trade-gone'), text: t('trade-gone-left') })
    const address = `${paths.tradeLogbook}?${new URLSearchParams({ [openedTrade]: on }).toString()}`
    toast({ title: t('trade-gone'), text: t('trade-gone-moved'), action: { label: t('trade-gone-open'), run: () => { void navigate(address) } } })
  })
  useEffect(() => {
    void saving().then(({ startSaving }) => {
      startSaving(userId, async (saved, kept) => {
        announceMoved(kept)
        for (const trade of saved) showSaved(client, trade)
        void invalidateRoutes(client, statistics, filterChoices)
        // The tags and notes of a trip come from its pairs.
        await invalidateRoutes(client, tripPage, ...(kept.length === 0 ? [] : [tradePage, tripPairs, leftOverRoutes.leftOverNotes]))
      })
    })
  }, [client, userId])
  const adding = useMutation({
    scope: changesInOrder,
    mutationFn: (trade: NewTrade) => callApi(recordRoutes.addTrade, { body: { userId, trade } }),
    onSuccess: async ({ trade }) => {
      await reload()
      addedSettled(trade.id)
    },
    onError: (failure, trade) => {
      logFailure(recordRoutes.addTrade.failure, failure)
      addingFailed(trade.id)
    },
  })
  const removing = useMutation({
    scope: changesInOrder,
    mutationFn: async (ids: readonly string[]) => {
      // Restoring them brings back these notes too.
      await (await saving()).saveNow(ids)
      for (const id of ids) await callApi(recordRoutes.removeTrade, { body: { userId, id } })
    },
    onSuccess: reload,
    onError: (failure) => {
      logFailure(recordRoutes.removeTrade.failure, failure)
    },
  })
  const restoring = useMutation({
    scope: changesInOrder,
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await callApi(logbookRoutes.restoreTrade, { body: { id } })
    },
    onSuccess: reload,
    onError: (failure, ids) => {
      logFailure(logbookRoutes.restoreTrade.path, failure)
      for (const id of ids) noteRemoved(id)
    },
  })

  const restore = (ids: readonly string[]): void => {
    for (const id of ids) removalUndone(id)
    // A trade that the journal never had only shows again.
    const removed = ids.filter((id) => !useLocalChanges.getState().added.some(({ trade, failed }) => trade.id === id && failed))
    if (removed.length > 0) restoring.mutate(removed)
  }
  const offerUndo = ({ symbol, origin }: Pick<Trade, 'symbol' | 'origin'>, undo: () => void): void => {
    toast({ title: t('removed'), text: t(`removed-text.${origin}`, { symbol }), action: { label: t('undo'), run: undo } })
  }
  return {
    /** Adds a trade; `shown` is how the screen shows it until the journal answers. */
    add: (trade: NewTrade, shown: Trade): void => {
      noteAdded(shown)
      adding.mutate(trade)
    },
    /** Removes a trade and offers undo, after which `onUndone` is called. */
    remove: (trade: Trade, onUndone?: () => void): void => {
      noteRemoved(trade.id)
      removing.mutate([trade.id])
      offerUndo(trade, () => {
        restore([trade.id])
        onUndone?.()
      })
    },
    /** The same for a trip with all its pairs. */
    removeTrip: (trip: ListedTrip, pairs: readonly Trade[], onUndone?: () => void): void => {
      const ids = pairs.map(({ id }) => id)
      for (const id of [trip.id, ...ids]) noteRemoved(id)
      void removing.mutateAsync(ids).then(
        // The list no longer has it; with the next fill it may have a trip with this id again.
        () => { removalUndone(trip.id) },
        // Some pairs may be removed: the list shows which.
        () => {
          for (const id of [trip.id, ...ids]) removalUndone(id)
          return reload()
        },
      )
      offerUndo(trip, () => {
        removalUndone(trip.id)
        restore(ids)
        onUndone?.()
      })
    },
  }
}

const showSaved = (client: QueryClient, saved: Trade): void => {
  const inPlace = <T extends { rows: Trade[] }>(page: T | undefined): T | undefined => page && { ...page, rows: page.rows.map((row) => (row.id === saved.id ? saved : row)) }
  client.setQueriesData<AnswerOf<typeof tradePage>>({ queryKey: [tradePage.path] }, inPlace)
  client.setQueriesData<AnswerOf<typeof tripPairs>>({ queryKey: [tripPairs.path] }, inPlace)
}
