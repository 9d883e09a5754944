import type { Grouping } from './grouping.ts'

/** What a column of the scanner shows. */
export type Column = 'account' | 'contract' | 'position' | 'average' | 'last' | 'open' | 'micros' | 'against' | 'nearest' | 'close'

/** A column with its width in percent. */
type Placed = readonly [Column, number]

// If accounts are headings over their positions, they need no column.
const ofAccounts: readonly Placed[] = [['contract', 15], ['position', 12], ['average', 12], ['last', 14], ['open', 16], ['micros', 8], ['against', 12], ['close', 11]]
const ofAccountsNarrow: readonly Placed[] = [['contract', 12], ['position', 12], ['average', 11], ['last', 15], ['open', 16], ['micros', 10], ['against', 19], ['close', 5]]
const ofProducts: readonly Placed[] = [['account', 20], ['contract', 8], ['position', 9], ['average', 9], ['last', 13], ['open', 14], ['nearest', 16], ['close', 11]]
const ofProductsNarrow: readonly Placed[] = [['account', 22], ['contract', 9], ['position', 12], ['last', 15], ['open', 18], ['nearest', 19], ['close', 5]]

/** The columns of a grouping; in a narrow window without the optional ones. */
export const columnsOf = (by: Grouping, narrow: boolean): readonly Placed[] => (by === 'product' ? (narrow ? ofProductsNarrow : ofProducts) : narrow ? ofAccountsNarrow : ofAccounts)

/** The columns with figures. */
export const figureColumns: readonly Column[] = ['position', 'average', 'last', 'open', 'micros']

/**
 * The positions of figures in a row over all columns, in percent: what is before its open P&L, the open P&L, and what
 * follows; and the share of the first that its positions' last prices take. So each figure is aligned with those of its
 * positions.
 */
export const tracksOf = (columns: readonly Placed[]): { readonly tracks: string; readonly lastShare: number } => {
  const widths = columns.map(([, width]) => width)
  const open = columns.findIndex(([column]) => column === 'open')
  const before = widths.slice(0, open).reduce((sum, width) => sum + width, 0)
  const at = widths[open] ?? 0
  return { tracks: `${String(before)}% ${String(at)}% ${String(100 - before - at)}%`, lastShare: (widths[open - 1] ?? 0) / before }
}
