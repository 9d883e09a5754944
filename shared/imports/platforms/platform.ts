import type { Result } from '#shared/base/result.ts'
import type { Reading, RowProblem } from '../reading.ts'
import type { OpenRow } from '../row-cells.ts'

/** A report's columns, with the names that the platform gives them. */
export type KindColumns = {
  /** Required columns; of several alternatives any one is enough. */
  readonly needs: readonly (string | readonly string[])[]
  /** Optional columns. */
  readonly reads: readonly (string | readonly string[])[]
  /** Columns that another report has, and this one has not. */
  readonly lacks?: readonly string[]
}

/** The columns whose dates and times show a file's date order: `times` local, a trade's opening first; `stream` names the rows that a file sorts by time. */
export type DatedColumns = { readonly times: readonly string[]; readonly dates: readonly string[]; readonly contract: string | null; readonly stream: readonly string[] }

/** One row as a file's gatherer gets it: its reading and where it was. */
export type GatheredRow = { readonly reading: Reading; readonly line: number; readonly row: OpenRow }

/** Rows that only the whole file explains. */
export type Gathered = {
  readonly readings: readonly Reading[]
  /** Rows rejected by the others. */
  readonly refused: readonly { readonly line: number; readonly problem: RowProblem }[]
  /** Lines before which rows are missing, what shows that, and the line of the row before those; null if none. */
  readonly gaps: readonly { readonly line: number; readonly behind: number | null; readonly problem: RowProblem }[]
}

/**
 * The report of a platform: how it is recognized, and how a row is read. Alternatives of a column are names of one column, in several versions or
 * languages; cells go by the first of them.
 */
export type Platform = {
  readonly columns: KindColumns
  /** Columns of numbers that show the decimal sign. */
  readonly numbers: readonly string[]
  readonly dated: DatedColumns
  /** Whether times are in an unnamed zone. */
  readonly isLocal: boolean
  /** Whether its rows are closed trades, each complete in itself. */
  readonly isOfClosedTrades: boolean
  /** Whether the platform itself always writes the month first. */
  readonly monthFirst: boolean
  readonly read: (row: OpenRow) => Result<Reading | null, RowProblem>
  /** What a rejected row may still show; each function may leave a problem in the row. */
  readonly refused: {
    /** The account column; null if the file names no account. */
    readonly account: string | null
    readonly contract: (row: OpenRow) => string
    readonly times: readonly string[]
    readonly time: (row: OpenRow, column: string) => number
    readonly tradeDate?: (row: OpenRow) => string
    readonly fillIds?: (row: OpenRow) => readonly string[]
    readonly orderId?: (row: OpenRow) => string
  }
  /** For reports whose rows have no key of their own: takes all rows of a file and gives them at its end. */
  readonly gather?: () => { readonly take: (row: GatheredRow) => void; readonly end: () => Gathered }
}
