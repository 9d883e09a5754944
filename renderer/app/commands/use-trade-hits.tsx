import { apiQuery } from '#renderer/lib/api.ts'
import { datePresets } from '#renderer/lib/date-presets.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Pnl } from '#renderer/ui/figures.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { filterGiven, statisticsRoutes, type Unit } from '#shared/api/statistics.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { ListFilter, ReceiptText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Command } from './command.ts'
import { tradeSearches } from './trade-search.ts'
import { useGo } from './use-go.ts'

const pauseMs = 150
const shownAtMost = 6

/** The typed text after a pause. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => { setSettled(text) }, pauseMs)
    return () => {
      clearTimeout(pause)
    }
  }, [text])
  return settled
}

/** The trades or fill pairs that the typed text may mean, newest first, and a link to all of one meaning; `asked` is the text after a pause. */
export const useTradeHits = (typed: string, unit: Unit): { readonly commands: readonly Command[]; readonly loading: boolean; readonly failure: unknown; readonly retry: () => void; readonly asked: string } => {
  const { t } = useTranslation('commands')
  const { t: ofFilter } = useTranslation('filter')
  const format = useFormat()
  const go = useGo()
  const asked = useSettled(typed)
  const choices = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const sides = { long: t('side.long').toLowerCase(), short: t('side.short').toLowerCase() }
  const months = Array.from({ length: 12 }, (_, month) => format.longMonth(`2024-${String(month + 1).padStart(2, '0')}-01`).toLowerCase())
  const presets = Object.fromEntries(datePresets.filter((preset) => preset !== 'all').map((preset) => [preset, ofFilter(`preset.${preset}`).toLowerCase()]))
  const searches = choices.data === undefined || asked.trim().length < 2 ? [] : tradeSearches(asked, choices.data, { sides, months, presets }, latestTradingDay(Date.now()))
  const query = (filter: TradeFilter) => ({ ...filterGiven(filter), limit: shownAtMost })
  const pairs = useQueries({ queries: unit === 'pairs' ? searches.map((filter) => apiQuery(journalRoutes.tradePage, { query: query(filter) })) : [] })
  const trips = useQueries({ queries: unit === 'trips' ? searches.map((filter) => apiQuery(journalRoutes.tripPage, { query: query(filter) })) : [] })
  const answers = unit === 'pairs' ? pairs : trips

  const found = new Map<string, Hit>([
    ...pairs.flatMap(({ data }) => data?.rows ?? []).map((trade) => [trade.id, trade] as const),
    ...trips.flatMap(({ data }) => data?.rows ?? []).map((trip) => [trip.id, trip] as const),
  ])
  const hits = [...found.values()].toSorted((one, other) => Date.parse(other.exitTime) - Date.parse(one.exitTime)).slice(0, shownAtMost)
  const hit = (trade: Hit): Command => ({
    id: `trade ${trade.id}`,
    label: t('trade', { symbol: trade.symbol, side: t(`side.${trade.side}`), qty: format.count(trade.qty) }),
    words: '',
    Icon: ReceiptText,
    note: (
      <>
        <span className="truncate">{t('trade-note', { time: format.fullDateTime(trade.exitTime), account: trade.account })}</span>
        <Pnl value={trade.netPnl} className="w-20 shrink-0 text-right" />
      </>
    ),
    leads: true,
    run: () => { go(`${paths.tradeLogbook}${searchOf(placeOf(trade), unit, trade.id)}`) },
  })
  const day = (named: string | null): string => (named === null ? '' : format.fullDay(named))
  const summaryOf = ({ symbol, symbols, sides: meant, accounts, from, to, tags }: TradeFilter): string =>
    [
      [...symbols, symbol.toUpperCase()].filter(Boolean).join(', '),
      meant.map((side) => t(`side.${side}`)).join(', '),
      (choices.data?.accounts ?? []).filter(({ key }) => accounts.includes(key)).map(({ name }) => name).join(', '),
      from === to ? day(from) : `${day(from)} – ${day(to)}`,
      tags.join(', '),
    ].filter(Boolean).join(' · ')
  const all = searches.flatMap((filter, at): Command[] => {
    const total = answers[at]?.data?.total ?? 0
    return total === 0 ? [] : [{ id: `trades ${String(at)}`, label: t(`all-trades.${unit}`, { count: total, shown: format.count(total) }), words: '', note: summaryOf(filter), Icon: ListFilter, leads: true, run: () => { go(`${paths.tradeLogbook}${searchOf(filter, unit)}`) } }]
  })
  // With several conditions, or more trades than are listed here, the user means all of them rather than one.
  const meansAll = searches.some((filter) => conditions(filter) > 1) || answers.some(({ data }) => (data?.total ?? 0) > shownAtMost)
  const failed = [choices, ...answers].filter(({ error }) => error !== null)
  return {
    asked,
    commands: meansAll ? [...all, ...hits.map(hit)] : [...hits.map(hit), ...all],
    loading: typed.trim().length > 1 && (typed !== asked || choices.isPending || answers.some(({ isPending }) => isPending)),
    failure: failed[0]?.error ?? null,
    retry: () => { for (const { refetch } of failed) void refetch() },
  }
}

const conditions = ({ symbol, symbols, sides, accounts, tags, from }: TradeFilter): number => [symbol !== '', symbols.length > 0, sides.length > 0, accounts.length > 0, tags.length > 0, from !== null].filter(Boolean).length

type Hit = Trade | ListedTrip

/** The list that contains it: its day in its account. */
const placeOf = ({ tradingDay, accountId, account }: Hit): TradeFilter => ({ ...everyTrade, from: tradingDay, to: tradingDay, ...(accountId === '' ? { account } : { accounts: [accountId] }) })
