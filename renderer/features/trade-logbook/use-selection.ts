import type { FillPairRecord } from '#shared/api/records.ts'
import { useRef, useState } from 'react'
import type { LogRow } from './use-log-rows.ts'
import { useTradePairs } from './use-trade-pairs.ts'

export type Selection = ReturnType<typeof useSelection>

type Picked = { readonly pairs: ReadonlyMap<string, FillPairRecord>; readonly trades: ReadonlyMap<string, readonly string[]> }

/** The ids that were selected, or deselected from all rows, before the first range from the anchor. */
type Before = { readonly pairs: ReadonlySet<string>; readonly trades: ReadonlySet<string>; readonly except: ReadonlySet<string> }

const none: Picked = { pairs: new Map(), trades: new Map() }

/** The selected pairs, or all rows of the filter. A trade is selected as all its pairs. */
export const useSelection = (rowAt: (line: number) => LogRow | null) => {
  const [{ pairs, trades }, setPicked] = useState(none)
  const [except, setExcept] = useState<ReadonlySet<string> | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const [before, setBefore] = useState<Before | null>(null)
  const pairsOf = useTradePairs()
  // Trades whose fill pairs are loading: one that is deselected meanwhile stays deselected.
  const fetching = useRef(new Set<string>())

  const add = (rows: readonly LogRow[]): void => {
    const pairs = rows.flatMap(({ pair }) => pair ?? [])
    setPicked((known) => ({ ...known, pairs: new Map([...known.pairs, ...pairs.map((pair) => [pair.id, pair] as const)]) }))
    for (const { trade } of rows) if (trade !== null) void addTrade(trade.id)
  }
  const addTrade = async (id: string): Promise<void> => {
    fetching.current.add(id)
    const pairs = await pairsOf(id)
    if (!fetching.current.delete(id) || pairs.length === 0) return
    setPicked((known) => ({
      pairs: new Map([...known.pairs, ...pairs.map((pair) => [pair.id, known.pairs.get(pair.id) ?? pair] as const)]),
      trades: new Map(known.trades).set(id, pairs.map((pair) => pair.id)),
    }))
  }
  const takeOut = (ids: readonly string[]): void => {
    const out = new Set(ids)
    setPicked((known) => ({
      pairs: new Map([...known.pairs].filter(([id]) => !out.has(id))),
      // Without one of its pairs it is not selected as a whole.
      trades: new Map([...known.trades].filter(([, pairs]) => !pairs.some((id) => out.has(id)))),
    }))
  }
  const has = (row: LogRow): boolean => (except === null ? hasPicked(row) : !except.has(rowId(row)))
  const hasPicked = ({ pair, trade }: LogRow): boolean => (pair !== null ? pairs.has(pair.id) : trade !== null && trades.has(trade.id))
  const isOfTrades = [...trades.values()].reduce((sum, pairs) => sum + pairs.length, 0) === pairs.size
  const pickOne = (row: LogRow): void => {
    if (except !== null) setExcept(except.has(rowId(row)) ? new Set([...except].filter((id) => id !== rowId(row))) : new Set([...except, rowId(row)]))
    else if (row.trade !== null && fetching.current.delete(row.trade.id)) return
    else if (has(row)) takeOut(row.pair !== null ? [row.pair.id] : (trades.get(row.trade?.id ?? '') ?? []))
    else add([row])
  }
  /** If all rows are selected, a range takes out, or gives back, as was done with the row at its anchor. */
  const rangeInAll = (rows: readonly LogRow[], start: LogRow | null, from: Before): void => {
    const ids = rows.map(rowId)
    const isOut = start !== null && from.except.has(rowId(start))
    setExcept(isOut ? new Set([...from.except, ...ids]) : new Set([...from.except].filter((id) => !ids.includes(id))))
  }
  const pickRange = (rows: readonly LogRow[], from: Before): void => {
    const pairIds = new Set([...from.pairs, ...rows.flatMap(({ pair }) => pair?.id ?? [])])
    const tradeIds = new Set([...from.trades, ...rows.flatMap((row) => row.trade?.id ?? [])])
    for (const id of fetching.current) if (!tradeIds.has(id)) fetching.current.delete(id)
    setPicked((known) => {
      const kept = new Map([...known.trades].filter(([id]) => tradeIds.has(id)))
      const held = new Set([...pairIds, ...[...kept.values()].flat()])
      return { pairs: new Map([...known.pairs].filter(([id]) => held.has(id))), trades: kept }
    })
    add(rows.filter((row) => !has(row)))
  }
  const reset = (next: ReadonlySet<string> | null): void => {
    fetching.current.clear()
    setPicked(none)
    setAnchor(null)
    setBefore(null)
    setExcept(next)
  }
  return {
    /** If all rows of the filter are selected, the ids of those that were taken out again; otherwise null. */
    except,
    /** The selected pairs, with the changes since they were picked. */
    pairs,
    /** Their number, in trades if only whole trades are selected. */
    picked: isOfTrades ? ({ unit: 'trades', count: trades.size } as const) : ({ unit: 'pairs', count: pairs.size } as const),
    has,
    /** Selects the row of a line, or takes it out. With `range` selects all fetched rows from the one picked last without it, in place of the range before. */
    pick: (line: number, range: boolean): void => {
      if (!range || anchor === null) {
        setAnchor(line)
        setBefore(null)
        const row = rowAt(line)
        if (row !== null) pickOne(row)
        return
      }
      const first = Math.min(anchor, line)
      const rows = Array.from({ length: Math.max(anchor, line) - first + 1 }, (_, step) => rowAt(first + step)).filter((row) => row !== null)
      const from = before ?? { pairs: new Set(pairs.keys()), trades: new Set([...trades.keys(), ...fetching.current]), except: except ?? new Set() }
      setBefore(from)
      if (except !== null) rangeInAll(rows, rowAt(anchor), from)
      else pickRange(rows, from)
    },
    /** Selects all rows of the filter, fetched or not. */
    pickAll: (): void => { reset(new Set()) },
    /** Notes a change of a selected pair. */
    change: (id: string, shown: Partial<FillPairRecord>): void => {
      setPicked((known) => ({ ...known, pairs: new Map([...known.pairs].map(([key, pair]) => [key, key === id ? { ...pair, ...shown } : pair])) }))
    },
    clear: (): void => { reset(null) },
  }
}

// A fill pair below its trade is selected with it.
const rowId = ({ pair, trade, level }: LogRow): string => (level === 2 ? pair?.tradeId : null) ?? trade?.id ?? pair?.id ?? ''
