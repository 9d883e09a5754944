import type { AccountKey } from '#shared/fills/fill.ts'
import type { Pair } from './pair.ts'
import type { Position } from './position.ts'
import type { Trip } from './trip.ts'

/** What the fills of one account, contract and local date came to. */
export type Batch = {
  readonly account: AccountKey
  readonly contract: string
  /** `YYYY-MM-DD` in the trader's zone. */
  readonly date: string
  /** In the order of their closing; their date is the batch's. */
  readonly pairs: readonly Pair[]
  /** The trips that went flat in this batch; one still under way is `end.trip`. */
  readonly trips: readonly Trip[]
  /** UTC ms of the last fill that counts; null where none does. */
  readonly lastFillAt: number | null
  /** Trading days of fills that were matched while the position was in doubt, or between which one is missing, each once. */
  readonly doubtfulDays: readonly string[]
  /** Whether earlier fills left a position open. */
  readonly beginsOpen: boolean
  /** Whether a position is open behind the last fill, earlier batches counted in. */
  readonly endsOpen: boolean
  /** What stands open behind the last fill: hand it to the next batch as its start. */
  readonly end: Position
}
