import { apiQuery } from '#renderer/lib/api.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { filterGiven } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LogbookView } from './address.ts'
import { editedPair, editedTrade, useLocalChanges } from './local-changes.ts'

/** One row of the logbook: a fill pair or a trade entered by hand (`pair`), or a trade, whose pairs can show below it. */
export type LogRow = {
  /** Unique in the list. */
  readonly key: string
  /** The one of the two that is not null: the columns show what both have. */
  readonly shown: FillPairRecord | ListedTrade
  readonly pair: FillPairRecord | null
  readonly trade: ListedTrade | null
  /** 2 for a pair below its trade. */
  readonly level: 1 | 2
  /** True if a change could not be saved and is on this screen only. */
  readonly unsaved: boolean
}

/** The trades that are open, by their place in the list. */
export type OpenTrades = ReadonlyMap<number, { readonly id: string; readonly pairs: number }>

type Matches = (pair: FillPairRecord, filter: TradeFilter) => boolean

/** Tells whether a trade entered by hand that the journal has not confirmed passes the filter. Fetched with the first of them: it needs the contract table. */
const useMatches = (wanted: boolean): Matches | null => {
  const [matches, setMatches] = useState<{ readonly of: Matches } | null>(null)
  useEffect(() => {
    if (!wanted) return
    void import('#shared/stats/match-filter.ts').then(({ matchesFilter }) => {
      setMatches({ of: (pair, filter) => matchesFilter(filter, { ...pair, account: pair.accountId, accountName: pair.account, isCopy: pair.copied === true, entryTime: Date.parse(pair.entryTime), exitTime: Date.parse(pair.exitTime) }) })
    })
  }, [wanted])
  return matches?.of ?? null
}

/** The lines of the logbook: the rows of the `wanted` windows, with unsaved changes, and with the pairs of open trades below them. */
export const useLogRows = (view: LogbookView, wanted: readonly number[], open: OpenTrades) => {
  const windows = useWindows(view, wanted)
  const { edits, added, removed } = useLocalChanges()
  // If a sync put another trade in the place of an open one, it is not open.
  const opened = view.unit === 'trades' ? [...open].filter(([index, { id }]) => (windows.tradeAt(index)?.id ?? id) === id) : []
  const pairsOf = useQueries({ queries: opened.map(([, { id }]) => apiQuery(journalRoutes.tradePairs, { query: { tradeId: id } })) })
  const parts = new Map(opened.map(([index, { pairs }], at) => [index, pairsOf[at]?.data?.rows.filter((pair) => !removed.has(pair.id)) ?? pairs] as const))

  const matches = useMatches(added.length > 0)
  const pinned = added.filter(({ pair }) => !removed.has(pair.id) && (matches?.(pair, view.filter) ?? false))
  const lengths = new Map([...parts].map(([index, part]) => [index, typeof part === 'number' ? part : part.length] as const))
  const outline = outlineOf(windows.total ?? 0, windows.positionsOf(removed), lengths)
  const shown = (pair: Parameters<typeof pairRow>[0], level: 1 | 2): LogRow => pairRow(editedPair(pair, edits), edits.get(pair.id)?.failed ?? false, level)

  const listRow = (index: number): LogRow | null => {
    const pair = windows.pairAt(index)
    const trade = windows.tradeAt(index)
    if (pair !== null || trade === null) return pair && shown(pair, 1)
    const now = editedTrade(trade, edits)
    return tradeRow(now.trade, now.failed)
  }
  const partRow = (index: number, at: number): LogRow | null => {
    const part = parts.get(index)
    const pair = typeof part === 'object' ? part[at] : undefined
    return pair === undefined ? null : shown(pair, 2)
  }
  return {
    /** The number of lines; null until it is known. */
    count: windows.total === null ? null : pinned.length + outline.count,
    /** The number of rows in the journal that pass the filter. */
    total: windows.total ?? 0,
    /** Null for a line whose row is still being fetched. */
    rowAt: (line: number): LogRow | null => {
      const own = pinned[line]
      if (own !== undefined) return { ...shown(own.pair, 1), key: `new ${own.pair.id}`, unsaved: own.failed }
      const at = outline.at(line - pinned.length)
      return at.kind === 'row' ? listRow(at.index) : partRow(at.index, at.part)
    },
    /** The index in the backend's list of the row that a line belongs to. */
    indexAt: (line: number): number => outline.at(Math.max(0, line - pinned.length)).index,
    openIds: new Set(opened.map(([, { id }]) => id)),
    failure: windows.failure,
    retry: windows.retry,
  }
}

/** The content of one line: a row of the backend's list, or one of the parts below an open row. */
type LogLine = { readonly kind: 'row'; readonly index: number } | { readonly kind: 'part'; readonly index: number; readonly part: number }

/** Lays out `total` rows, of which some are `hidden` and some are `open` with that many parts below them. */
export const outlineOf = (total: number, hidden: ReadonlySet<number>, open: ReadonlyMap<number, number>) => {
  // Rows that take more than one line, or none.
  const opened = [...open].filter(([index]) => !hidden.has(index)).map(([index, extra]) => ({ index, extra }))
  const marks = [...opened, ...[...hidden].map((index) => ({ index, extra: -1 }))].filter((mark) => mark.index < total).sort((a, b) => a.index - b.index)

  const at = (line: number): LogLine => {
    let shift = 0
    for (const { index, extra } of marks) {
      const start = index + shift
      if (line < start || (line === start && extra >= 0)) break
      if (line <= start + extra) return { kind: 'part', index, part: line - start - 1 }
      shift += extra
    }
    return { kind: 'row', index: line - shift }
  }

  return {
    count: total + marks.reduce((sum, mark) => sum + mark.extra, 0),
    /** The content of a line, from 0 to `count` - 1. */
    at,
    /** The line of a row that is not hidden. */
    lineOf: (index: number): number => index + marks.reduce((sum, mark) => (mark.index < index ? sum + mark.extra : sum), 0),
  }
}

/** The row of a fill pair, with its changes laid over it. */
const pairRow = (pair: FillPairRecord, unsaved: boolean, level: 1 | 2 = 1): LogRow => ({ key: `${String(level)} ${pair.id}`, shown: pair, pair, trade: null, level, unsaved })

/** The row of a trade, with the changes of its pairs laid over it. */
const tradeRow = (trade: ListedTrade, unsaved: boolean): LogRow => ({ key: `trade ${trade.id}`, shown: trade, pair: null, trade, level: 1, unsaved })

/** Rows are fetched in windows of this many. */
const windowSize = 200

// A long scroll passes hundreds of windows: those out of sight are soon dropped.
const keptMs = 30_000
const none: ReadonlySet<number> = new Set()

/** Fetches the `wanted` windows of a list, counted from 0, and always the first, which has the length of the list. */
const useWindows = (view: LogbookView, wanted: readonly number[]) => {
  const { unit, filter, sort, direction } = view
  const numbers = [0, ...wanted.filter((number) => number !== 0)]
  const query = (number: number) => ({ ...filterGiven(filter), sort, direction, offset: number * windowSize, limit: windowSize })
  const pairs = useQueries({ queries: unit === 'pairs' ? numbers.map((number) => ({ ...apiQuery(journalRoutes.pairPage, { query: query(number) }), gcTime: keptMs })) : [] })
  const trades = useQueries({ queries: unit === 'trades' ? numbers.map((number) => ({ ...apiQuery(journalRoutes.tradePage, { query: query(number) }), gcTime: keptMs })) : [] })
  const results = unit === 'pairs' ? pairs : trades

  const place = (index: number): { readonly at: number; readonly offset: number } => ({ at: numbers.indexOf(Math.floor(index / windowSize)), offset: index % windowSize })
  return {
    /** Null until the first window is fetched. */
    total: results[0]?.data?.total ?? null,
    pairAt: (index: number): FillPairRecord | null => {
      const { at, offset } = place(index)
      return pairs[at]?.data?.rows[offset] ?? null
    },
    tradeAt: (index: number): ListedTrade | null => {
      const { at, offset } = place(index)
      return trades[at]?.data?.rows[offset] ?? null
    },
    /** The indexes of fetched rows with one of these ids. */
    positionsOf: (ids: ReadonlySet<string>): ReadonlySet<number> => {
      if (ids.size === 0) return none
      const found = numbers.flatMap((number, at) => (results[at]?.data?.rows ?? []).flatMap((row, offset) => (ids.has(row.id) ? [number * windowSize + offset] : [])))
      return new Set(found)
    },
    failure: results.find((result) => result.error !== null)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.error !== null) void result.refetch()
    },
  }
}

/** The windows that hold the rows from `first` to `last`. */
export const windowsOf = (first: number, last: number): number[] => {
  const from = Math.floor(first / windowSize)
  return Array.from({ length: Math.floor(last / windowSize) - from + 1 }, (_, step) => from + step)
}
