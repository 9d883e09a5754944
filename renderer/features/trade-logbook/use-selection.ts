import type { Trade } from '#shared/api/records.ts'
import { useState } from 'react'
import type { LogRow } from './rows.ts'

/** The pairs that are selected, each as it was picked, with what was changed of it since. */
export type Selection = {
  readonly trades: ReadonlyMap<string, Trade>
  /** Selects the pair of a line, or takes it out; with `range` selects all from the line picked before, as far as they are fetched. */
  readonly pick: (line: number, range: boolean) => void
  /** Notes what was changed of a selected pair. */
  readonly change: (id: string, shown: Partial<Trade>) => void
  readonly clear: () => void
}

/** Follows which lines are selected; trips are not, their pairs are. */
export const useSelection = (rowAt: (line: number) => LogRow | null): Selection => {
  const [picked, setPicked] = useState<ReadonlyMap<string, Trade>>(new Map())
  const [anchor, setAnchor] = useState<number | null>(null)
  const tradeAt = (line: number): Trade | null => rowAt(line)?.trade ?? null
  return {
    trades: picked,
    pick: (line, range) => {
      setAnchor(line)
      if (range && anchor !== null) {
        const [first, last] = [Math.min(anchor, line), Math.max(anchor, line)]
        const between = Array.from({ length: last - first + 1 }, (_, step) => tradeAt(first + step)).filter((trade) => trade !== null)
        setPicked(new Map([...picked, ...between.map((trade) => [trade.id, trade] as const)]))
        return
      }
      const trade = tradeAt(line)
      if (trade === null) return
      setPicked(picked.has(trade.id) ? new Map([...picked].filter(([id]) => id !== trade.id)) : new Map(picked).set(trade.id, trade))
    },
    change: (id, shown) => {
      setPicked((known) => new Map([...known].map(([key, trade]) => [key, key === id ? { ...trade, ...shown } : trade])))
    },
    clear: () => {
      setPicked(new Map())
      setAnchor(null)
    },
  }
}
