import { excursionFigures } from '#shared/stats/filter.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** The columns of the logbook, in their order. */
export const columnIds = ['exitTime', 'symbol', 'side', 'qty', 'entryPrice', 'exitPrice', 'commission', 'netPnl', 'r', 'mae', 'mfe', 'entryEfficiency', 'exitEfficiency', 'account', 'tradingDay', 'setup', 'notes', 'pictures', 'source'] as const
export type ColumnId = (typeof columnIds)[number]

/** The columns that the user chose to show or to hide; the width of the list decides on the others. */
export type ColumnChoices = Readonly<Partial<Record<ColumnId, boolean>>>

/** The columns that can be hidden. */
export const optionalColumns = ['setup', 'pictures', 'r', 'mae', 'mfe', 'entryEfficiency', 'exitEfficiency', 'tradingDay', 'commission', 'side', 'account', 'source'] as const satisfies readonly ColumnId[]

/** The columns that make room, the least needed first. Side stays with the prices and the tags; the quantity goes last. */
const yielding = ['setup', 'entryEfficiency', 'exitEfficiency', 'mfe', 'mae', 'pictures', 'r', 'tradingDay', 'commission', 'account', 'source', 'qty'] as const satisfies readonly ColumnId[]

/** Columns that show only if the user chose them: they are empty in a journal without such tags, or without prices. */
const hiddenAtFirst: ReadonlySet<ColumnId> = new Set(['setup', ...excursionFigures])

// Px, including marks next to the text. The first column has the button that shows a trade's fill pairs, with their number.
const wide: Readonly<Record<ColumnId, number>> = {
  exitTime: 138, symbol: 74, side: 62, qty: 48, entryPrice: 90, exitPrice: 90, commission: 68, netPnl: 96, r: 72, mae: 132, mfe: 132, entryEfficiency: 132, exitEfficiency: 132, account: 112, tradingDay: 132, setup: 110, notes: 98, pictures: 66, source: 76,
}
const narrow: Readonly<Record<ColumnId, number>> = {
  exitTime: 112, symbol: 66, side: 54, qty: 38, entryPrice: 82, exitPrice: 82, commission: 58, netPnl: 88, r: 66, mae: 124, mfe: 124, entryEfficiency: 118, exitEfficiency: 118, account: 81, tradingDay: 130, setup: 84, notes: 56, pictures: 36, source: 32,
}
/** The extra width for a language with longer words; in a narrow list, whose heads are smaller, the exit time gives it up. */
const wordy: Readonly<Record<'wide' | 'narrow', Readonly<Partial<Record<ColumnId, number>>>>> = { wide: { side: 16, qty: 18, source: 26 }, narrow: { exitTime: -8, side: 3, qty: 5 } }
/** The extra width in which the notes show a tag of usual length. */
const tagRoom = 32
const opener: Readonly<Record<'pairs' | 'trades', Readonly<Record<'wide' | 'narrow', number>>>> = { pairs: { wide: 0, narrow: 0 }, trades: { wide: 48, narrow: 24 } }

/** The width of the boxes that select rows, px. */
export const boxWidth = 40

/**
 * The columns that a list of `width` px shows, with their widths. Columns that the user chose always show, even if the
 * list then has to scroll; of the others the least needed make room. Width that is left goes to the tags in a narrow
 * window, then to the accounts until whole names (`named` px) fit. `isWordy` for a language with longer words.
 */
export const roomsOf = (unit: 'pairs' | 'trades', isNarrow: boolean, width: number, choices: ColumnChoices, isWordy = false, named = 0): ReadonlyMap<ColumnId, number> => {
  const [widths, size] = isNarrow ? ([narrow, 'narrow'] as const) : ([wide, 'wide'] as const)
  const room = (id: ColumnId): number => widths[id] + (id === 'exitTime' ? opener[unit][size] : 0) + (isWordy ? (wordy[size][id] ?? 0) : 0)
  // What the user hid keeps its room: hiding one column brings up no other.
  const shown = new Set(columnIds.filter((id) => !hiddenAtFirst.has(id) || choices[id] === true))
  const taken = (): number => [...shown].reduce((sum, id) => sum + room(id), boxWidth)
  const out = yielding.filter((id) => choices[id] !== true && taken() > width && shown.delete(id))
  // What had to go may be wider than what was missing.
  for (const id of out.toReversed()) if (taken() + room(id) <= width) shown.add(id)
  const left = isNarrow ? Math.max(0, Math.min(tagRoom, width - taken())) : 0
  const drawn = columnIds.filter((id) => shown.has(id) && choices[id] !== false)
  // Here a hidden column leaves its room.
  const unused = width - drawn.reduce((sum, id) => sum + room(id), boxWidth + left)
  const more: Readonly<Partial<Record<ColumnId, number>>> = { notes: left, account: Math.max(0, Math.min(named - room('account'), unused)) }
  return new Map(drawn.map((id) => [id, room(id) + (more[id] ?? 0)]))
}

/** The choices, remembered in this browser. */
export const useColumnChoices = create<{ readonly choices: ColumnChoices; readonly choose: (choices: ColumnChoices) => void }>()(
  persist((set) => ({ choices: {}, choose: (choices) => { set({ choices }) } }), { name: 'fillbook-logbook-columns', partialize: ({ choices }) => ({ choices }) }),
)
