import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { copierRoutes } from '#shared/api/copier.ts'
import { historyRoutes } from '#shared/api/history.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { reportRoutes } from '#shared/api/reports.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { syncRoutes, type SyncProgress } from '#shared/api/sync.ts'
import { apiQuery, invalidateAll, invalidateRoutes } from '#renderer/lib/api.ts'
import { useShowLive } from '#renderer/lib/copier.ts'
import { openEvents, usePushed } from '#renderer/lib/events.ts'
import { useShowPositions } from '#renderer/lib/positions.ts'
import { useShowNarrative } from '#renderer/lib/reports.ts'
import { sessionQuery, useRenewSession } from '#renderer/lib/session.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

const { pairPage, tradePage, tradePairs, findNotes, bookedPayouts } = journalRoutes
const { statistics, excursionPoints, filterChoices } = statisticsRoutes
const { reconciliation, reconciledDay } = reconciliationRoutes
const { getTrades, getFinances } = recordRoutes
const { dayNotes, commissions, defaultStops, pointValues } = ownDataRoutes
const { connectedAccounts, syncGaps } = brokerageRoutes
const { syncState, receipts } = syncRoutes
const historyKey = apiQuery(historyRoutes.history).queryKey
const syncStateKey = apiQuery(syncState).queryKey
const mirrorStateKey = apiQuery(mirrorStateRoutes.mirrorState).queryKey

// Public screens load none of the calls on prices.
const priceQueries = () => import('#renderer/lib/invalidate-prices.ts')

/** Updates the screens from pushed events while a user is signed in. */
export const useQueryEvents = (): void => {
  const client = useQueryClient()
  const renewSession = useRenewSession()
  const showLive = useShowLive()
  const showPositions = useShowPositions()
  const showNarrative = useShowNarrative()

  useEffect(() => {
    let opened = false
    return openEvents(
      () => {
        // Events during a disconnect are lost, so everything is refetched; at first only a run may have ended meanwhile.
        void (opened ? invalidateAll(client) : invalidateRoutes(client, syncState))
        opened = true
      },
      () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    )
  }, [client])

  const showRun = (running: SyncProgress | null): void => {
    client.setQueryData(syncStateKey, (known) => known && { ...known, running })
  }

  usePushed('sync-progress', ({ progress }) => {
    const begins = client.getQueryData(syncStateKey)?.running?.runId !== progress.runId
    showRun(progress)
    if (begins) void invalidateRoutes(client, connectedAccounts)
  })
  usePushed('sync-ended', () => {
    showRun(null)
    void invalidateRoutes(client, syncState, receipts, connectedAccounts, syncGaps, historyRoutes.history)
  })
  usePushed('journal-changed', () => {
    void invalidateRoutes(
      client, pairPage, tradePage, tradePairs, findNotes, statistics, excursionPoints, filterChoices, reconciliation, reconciledDay, getTrades, bookedPayouts, connectedAccounts, syncGaps,
      dayNotes, leftOverRoutes.leftOverNotes, commissions, defaultStops, pointValues, ruleRoutes.rules, ruleRoutes.replay, ruleRoutes.odds, reportRoutes.reportTrades,
    )
    void priceQueries().then(({ invalidateTried }) => invalidateTried(client))
  })
  usePushed('prices-changed', () => {
    void invalidateRoutes(client, pairPage, tradePage, tradePairs, statistics, excursionPoints, filterChoices)
    void priceQueries().then(({ invalidatePrices }) => invalidatePrices(client))
  })
  usePushed('price-fetch', ({ progress }) => void priceQueries().then(({ showFetch }) => showFetch(client, progress)))
  usePushed('finances-changed', () => void invalidateRoutes(client, getFinances, bookedPayouts, connectedAccounts, statistics, filterChoices, ruleRoutes.rules, ruleRoutes.replay))
  usePushed('history-changed', ({ login }) => {
    void client.cancelQueries({ queryKey: historyKey }).then(() => {
      client.setQueryData(historyKey, (known) => known && { ...known, logins: known.logins.map((one) => (one.loginId === login.loginId ? login : one)) })
    })
  })
  usePushed('copier', ({ live }) => { showLive(live) })
  usePushed('positions', ({ live }) => { showPositions(live) })
  usePushed('copier-changed', () => void invalidateRoutes(client, copierRoutes.copier))
  usePushed('rules-changed', () => void invalidateRoutes(client, ruleRoutes.rules, ruleRoutes.replay, ruleRoutes.odds))
  usePushed('rule-alert', () => void invalidateRoutes(client, ruleRoutes.alerts))
  usePushed('reports-changed', () => void invalidateRoutes(client, reportRoutes.reports, reportRoutes.report))
  usePushed('report-narrative', ({ reportId, narrative }) => { showNarrative(reportId, narrative) })
  usePushed('mirror-changed', ({ mirror }) => {
    // A running fetch may be older than this event, and would undo it.
    void client.cancelQueries({ queryKey: mirrorStateKey }).then(() => client.setQueryData(mirrorStateKey, mirror))
  })
  usePushed('signed-out', () => void renewSession())
  useRefetchOnceRestored()
}

/** Refetches everything once a restored journal is complete: any of it may have changed. */
const useRefetchOnceRestored = (): void => {
  const client = useQueryClient()
  const { data: restoring = false } = useQuery({ ...apiQuery(mirrorStateRoutes.mirrorState), select: (mirror) => mirror.restoring !== null })
  const wasRestoring = useRef(false)
  useEffect(() => {
    if (wasRestoring.current && !restoring) void invalidateAll(client)
    wasRestoring.current = restoring
  }, [client, restoring])
}
