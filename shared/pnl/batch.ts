import type { AccountKey } from '#shared/fills/fill.ts'
import type { Pair } from './pair.ts'
import type { Position } from './position.ts'
import type { Trip } from './trip.ts'

/** The fill pairs and trades of one account, contract, and local date. */
export type Batch = {
  readonly account: AccountKey
  readonly contract: string
  /** `YYYY-MM-DD` in the trader's zone. */
  readonly date: string
  /** In closing order; their date is the batch's. */
  readonly pairs: readonly Pair[]
  /** The trades that went flat in this batch; an open one is `end.trip`. */
  readonly trips: readonly Trip[]
  /** UTC ms of the last active fill; null if none. */
  readonly lastFillAt: number | null
  /** Trading days with fills matched while the position was in doubt or with a fill missing between them, each once. */
  readonly doubtfulDays: readonly string[]
  /** Whether the batch begins with an open position. */
  readonly beginsOpen: boolean
  /** Whether it ends with an open position. */
  readonly endsOpen: boolean
  /** The position after the last fill: the start of the next batch. */
  readonly end: Position
}
