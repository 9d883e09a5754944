import { apiQuery } from '#renderer/lib/api.ts'
import { datePresets, datesOf, monthAfter, type DatePreset, type DateSpan } from '#renderer/lib/date-presets.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Pnl } from '#renderer/ui/figures.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { filterGiven, statisticsRoutes, type FilterChoices, type Unit } from '#shared/api/statistics.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { dayOfCalendar, dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { ListFilter, ReceiptText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Command } from './command.ts'
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
  const pairs = useQueries({ queries: unit === 'pairs' ? searches.map((filter) => apiQuery(journalRoutes.pairPage, { query: query(filter) })) : [] })
  const trades = useQueries({ queries: unit === 'trades' ? searches.map((filter) => apiQuery(journalRoutes.tradePage, { query: query(filter) })) : [] })
  const answers = unit === 'pairs' ? pairs : trades

  const found = new Map<string, Hit>([
    ...pairs.flatMap(({ data }) => data?.rows ?? []).map((pair) => [pair.id, pair] as const),
    ...trades.flatMap(({ data }) => data?.rows ?? []).map((trade) => [trade.id, trade] as const),
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
    return total === 0 ? [] : [{ id: `trades ${String(at)}`, label: t(`show-all.${unit}`, { count: total, shown: format.count(total) }), words: '', note: summaryOf(filter), Icon: ListFilter, leads: true, run: () => { go(`${paths.tradeLogbook}${searchOf(filter, unit)}`) } }]
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

type Hit = FillPairRecord | ListedTrade

/** The list that contains it: its day in its account. */
const placeOf = ({ tradingDay, accountId, account }: Hit): TradeFilter => ({ ...everyTrade, from: tradingDay, to: tradingDay, ...(accountId === '' ? { account } : { accounts: [accountId] }) })

/** The words with a meaning, in lower case, in the page's language. */
type SearchWords = {
  readonly sides: Readonly<Record<Direction, string>>
  /** Long names, January first. */
  readonly months: readonly string[]
  /** Names of date ranges, of one or more words. */
  readonly presets: Readonly<Partial<Record<DatePreset, string>>>
}

/** A condition on trades; null means none. */
type Condition = { readonly symbol: string | null; readonly symbols: readonly string[] | null; readonly accounts: readonly string[] | null; readonly tags: readonly string[] | null }

const most = 4
const none: Condition = { symbol: null, symbols: null, accounts: null, tags: null }

/**
 * The filters that the typed text can mean: days (`2026-02-13`, `2026-02`, `feb 13`, `13 february 2025`, `last week`)
 * and sides by their words, every other word as a contract, an account or its firm, or a tag; a product's whole name
 * means that product alone (`CL` is not `MCL`). `today` is the trading day that determines the year of a day without one.
 */
export const tradeSearches = (typed: string, choices: FilterChoices, words: SearchWords, today: string): readonly TradeFilter[] => {
  const { span, rest } = readDays(typed.trim().toLowerCase().split(/\s+/).filter(Boolean), words, today)
  const sides = (['long', 'short'] as const).filter((side) => rest.includes(words.sides[side]))
  const texts = rest.filter((word) => !sides.some((side) => word === words.sides[side]))
  if (span === null && rest.length === 0) return []
  let meant: readonly Condition[] = [none]
  for (const text of texts) {
    const meanings = meaningsOf(text, choices)
    meant = meant.flatMap((before) => meanings.flatMap((meaning) => joined(before, meaning) ?? [])).slice(0, most)
  }
  return meant.map(({ symbol, symbols, accounts, tags }) => ({ ...everyTrade, ...span, sides, symbol: symbol ?? '', symbols: symbols ?? [], accounts: accounts ?? [], tags: tags ?? [] }))
}

const meaningsOf = (text: string, { symbols, accounts, tags }: FilterChoices): Condition[] => {
  const has = (name: string | null): boolean => name?.toLowerCase().includes(text) ?? false
  const inAccounts = accounts.filter(({ name, firm }) => has(name) || has(firm)).map(({ key }) => key)
  const inTags = tags.filter(has)
  const product = symbols.find((symbol) => symbol.toLowerCase() === text)
  const inSymbols = symbols.some((symbol) => has(symbol) || text.startsWith(symbol.toLowerCase()))
  const meant = [
    ...(product !== undefined ? [{ ...none, symbols: [product] }] : inSymbols ? [{ ...none, symbol: text }] : []),
    ...(inAccounts.length > 0 ? [{ ...none, accounts: inAccounts }] : []),
    ...(inTags.length > 0 ? [{ ...none, tags: inTags }] : []),
  ]
  // A word that no name contains may still be part of a contract, such as its month.
  return meant.length > 0 ? meant : [{ ...none, symbol: text }]
}

/** Both conditions combined; null if no filter can express that. */
const joined = (one: Condition, other: Condition): Condition | null => {
  const symbol = one.symbol === null || other.symbol === null ? (one.symbol ?? other.symbol) : one.symbol.includes(other.symbol) ? one.symbol : other.symbol.includes(one.symbol) ? other.symbol : false
  const symbols = common(one.symbols, other.symbols)
  const accounts = common(one.accounts, other.accounts)
  const tags = common(one.tags, other.tags)
  return symbol === false || symbols?.length === 0 || accounts?.length === 0 || tags?.length === 0 ? null : { symbol, symbols, accounts, tags }
}

const common = (one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null =>
  one === null || other === null ? (one ?? other) : one.filter((value) => other.includes(value))

const readDays = (words: readonly string[], { months, presets }: SearchWords, today: string): { readonly span: DateSpan | null; readonly rest: readonly string[] } => {
  for (const [at, word] of words.entries()) {
    const without = (from: number, to: number): readonly string[] => [...words.slice(0, from), ...words.slice(to)]
    for (const [preset, name] of Object.entries(presets) as [DatePreset, string][]) {
      const length = name.split(' ').length
      if (words.slice(at, at + length).join(' ') === name) return { span: datesOf(preset, today), rest: without(at, at + length) }
    }
    const iso = isoSpan(word)
    if (iso !== null) return { span: iso, rest: without(at, at + 1) }
    const month = [...word].length < 3 ? 0 : months.findIndex((name) => name.startsWith(word)) + 1
    if (month === 0) continue
    const before = number(words[at - 1], 31)
    const behind = before === null ? number(words[at + 1], 31) : null
    const end = at + (behind === null ? 1 : 2)
    const year = number(words[end], 9_999, 1_900)
    const span = spanOf(year, month, before ?? behind, today)
    if (span !== null) return { span, rest: without(before === null ? at : at - 1, year === null ? end : end + 1) }
  }
  return { span: null, rest: words }
}

const isoSpan = (word: string): DateSpan | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(word) ?? []
  return year === undefined ? null : spanOf(Number(year), Number(month), day === undefined ? null : Number(day), '')
}

/** A day, or a whole month if `day` is null; a null year means the latest one in which it is not in the future. */
const spanOf = (year: number | null, month: number, day: number | null, today: string): DateSpan | null => {
  const thisYear = Number(today.slice(0, 4))
  const ofYear = (of: number): number | null => dayOfCalendar(of, month, day ?? 1)
  const ahead = year === null && (ofYear(thisYear) ?? 0) > dayOfDate(today)
  const first = ofYear(year ?? (ahead ? thisYear - 1 : thisYear))
  if (first === null) return null
  const from = isoDate(first)
  return { from, to: day === null ? isoDate(dayOfDate(monthAfter(from)) - 1) : from }
}

const number = (word: string | undefined, largest: number, least = 1): number | null => {
  const value = word !== undefined && /^\d{1,4}$/.test(word) ? Number(word) : 0
  return value >= least && value <= largest ? value : null
}
