import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { openedTrade } from '#renderer/lib/trade-filter.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import type { FillPairRecord, ListedTrade, NewTrade } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { addedSettled, addingFailed, noteAdded, noteRemoved, removalUndone, useLocalChanges } from './local-changes.ts'
import type { MovedNotes } from './trade-saving.ts'

const { pairPage, tradePage, tradePairs } = journalRoutes
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
  const reload = (): Promise<void> => invalidateRoutes(client, pairPage, tradePage, tradePairs, statistics, filterChoices)

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
        for (const pair of saved) showSaved(client, pair)
        void invalidateRoutes(client, statistics, filterChoices)
        // The tags and notes of a trade come from its pairs.
        await invalidateRoutes(client, tradePage, ...(kept.length === 0 ? [] : [pairPage, tradePairs, leftOverRoutes.leftOverNotes]))
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
      for (const id of ids) await callApi(logbookRoutes.restorePair, { body: { id } })
    },
    onSuccess: reload,
    onError: (failure, ids) => {
      logFailure(logbookRoutes.restorePair.path, failure)
      for (const id of ids) noteRemoved(id)
    },
  })

  const restore = (ids: readonly string[]): void => {
    for (const id of ids) removalUndone(id)
    // A trade that the journal never had only shows again.
    const removed = ids.filter((id) => !useLocalChanges.getState().added.some(({ pair, failed }) => pair.id === id && failed))
    if (removed.length > 0) restoring.mutate(removed)
  }
  const offerUndo = ({ symbol, origin }: Pick<FillPairRecord, 'symbol' | 'origin'>, undo: () => void): void => {
    toast({ title: t('removed'), text: t(`removed-text.${origin}`, { symbol }), action: { label: t('undo'), run: undo } })
  }
  return {
    /** Adds a trade; `shown` is how the screen shows it until the journal answers. */
    add: (trade: NewTrade, shown: FillPairRecord): void => {
      noteAdded(shown)
      adding.mutate(trade)
    },
    /** Removes a fill pair and offers undo, after which `onUndone` is called. */
    removePair: (pair: FillPairRecord, onUndone?: () => void): void => {
      noteRemoved(pair.id)
      removing.mutate([pair.id])
      offerUndo(pair, () => {
        restore([pair.id])
        onUndone?.()
      })
    },
    /** The same for a trade with all its pairs. */
    removeTrade: (trade: ListedTrade, pairs: readonly FillPairRecord[], onUndone?: () => void): void => {
      const ids = pairs.map(({ id }) => id)
      for (const id of [trade.id, ...ids]) noteRemoved(id)
      void removing.mutateAsync(ids).then(
        // The list no longer has it; with the next fill it may have a trade with this id again.
        () => { removalUndone(trade.id) },
        // Some pairs may be removed: the list shows which.
        () => {
          for (const id of [trade.id, ...ids]) removalUndone(id)
          return reload()
        },
      )
      offerUndo(trade, () => {
        removalUndone(trade.id)
        restore(ids)
        onUndone?.()
      })
    },
  }
}

const showSaved = (client: QueryClient, saved: FillPairRecord): void => {
  const inPlace = <T extends { rows: FillPairRecord[] }>(page: T | undefined): T | undefined => page && { ...page, rows: page.rows.map((row) => (row.id === saved.id ? saved : row)) }
  client.setQueriesData<AnswerOf<typeof pairPage>>({ queryKey: [pairPage.path] }, inPlace)
  client.setQueriesData<AnswerOf<typeof tradePairs>>({ queryKey: [tradePairs.path] }, inPlace)
}
