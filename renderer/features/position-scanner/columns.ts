import type { Grouping } from './grouping.ts'

/** What a column of the scanner shows. */
export type Column = 'account' | 'contract' | 'position' | 'average' | 'last' | 'open' | 'micros' | 'against' | 'nearest' | 'close'

/** A column with its width in percent. */
type Placed = readonly [Column, number]

// Where accounts stand over their positions they need no column.
const ofAccounts: readonly Placed[] = [['contract', 14], ['position', 12], ['average', 13], ['last', 16], ['open', 18], ['micros', 8], ['against', 11], ['close', 8]]
const ofAccountsNarrow: readonly Placed[] = [['contract', 13], ['position', 13], ['average', 13], ['last', 17], ['open', 18], ['micros', 8], ['against', 13], ['close', 5]]
const ofProducts: readonly Placed[] = [['account', 20], ['contract', 9], ['position', 10], ['average', 11], ['last', 13], ['open', 14], ['nearest', 15], ['close', 8]]
const ofProductsNarrow: readonly Placed[] = [['account', 21], ['contract', 10], ['position', 12], ['last', 16], ['open', 18], ['nearest', 18], ['close', 5]]

/** The columns of a grouping; in a narrow window it does without what is only nice to have. */
export const columnsOf = (by: Grouping, narrow: boolean): readonly Placed[] => (by === 'product' ? (narrow ? ofProductsNarrow : ofProducts) : narrow ? ofAccountsNarrow : ofAccounts)

/** The columns whose cells are figures. */
export const figureColumns: readonly Column[] = ['average', 'last', 'open', 'micros']
