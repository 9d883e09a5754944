import type { LeftOverNote } from '#shared/api/left-over.ts'
import type { CommissionOf, DayNote, OwnCommission, OwnDefaultStop, UncertainProduct } from '#shared/api/own-data.ts'
import type { Result } from '#shared/base/result.ts'
import type { PointValue } from '#shared/market/contract-spec.ts'
import type { Derived } from '../fills/stale-batches.ts'

type OfUser = { readonly userId: string }
type At = { readonly at: number }

/** What can be asked of what users say beside single trades. */
export type OwnDataReads = {
  /** Days of which anything is said, from the first to the last, both included, oldest first. */
  readonly dayNotes: (input: OfUser & { readonly from?: string | undefined; readonly to?: string | undefined }) => DayNote[]
  /** What was written on trades and no trade shows any more, of days from the first to the last, both included, oldest first. */
  readonly leftOverNotes: (input: OfUser & { readonly from?: string | undefined; readonly to?: string | undefined }) => LeftOverNote[]
  /** The rates that stand, but for those of accounts that the user removed. */
  readonly ownCommissions: (input: OfUser) => OwnCommission[]
  /** Products of which nobody else says what a point is worth, by name. */
  readonly uncertainProducts: (input: OfUser) => UncertainProduct[]
  readonly defaultStops: (input: OfUser) => OwnDefaultStop[]
  /** Accounts that were matched day by day and came to other figures since. Money is decimal text. */
  readonly rematched: (input: OfUser) => { readonly name: string; readonly currency: string; readonly pairsBefore: number; readonly netBefore: string; readonly pairs: number; readonly net: string }[]
}

/** What users say beside single trades; `at` is UTC ms. */
export type OwnDataWrites = {
  /** Each field by itself: what is not given stays. */
  readonly setDayNote: (input: OfUser & At & { readonly tradingDay: string; readonly notes?: string | undefined; readonly tags?: readonly string[] | undefined }) => DayNote
  /** Gives what is left over of one edit to a trade, beside what is written there; what finds no room stays left over. Null where one of the two is not there. */
  readonly moveLeftOver: (input: OfUser & At & { readonly id: string; readonly tradeId: string }) => { readonly left: LeftOverNote | null } | null
  /** Takes back what is left over of one edit; false where there is none. */
  readonly discardLeftOver: (input: OfUser & At & { readonly id: string }) => boolean
  /**
   * Keeps a rate, or takes it back with null, and derives again what it changes, in groups: fills that tell their fee are
   * not touched. Gives how many pairs came to something else. `too-precise` where it is no whole 1/10,000.
   */
  readonly setCommission: (input: OfUser & At & { readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }) => Promise<Result<{ readonly pairs: number }, 'not-found' | 'too-precise'>>
  /** Keeps what a point of a product is worth, or takes it back with null, and derives again what it changes, in groups. Gives how many pairs came to something else. `too-precise` where a tick would have no exact worth. */
  readonly setPointValue: (input: OfUser & At & { readonly product: string; readonly pointValue: PointValue | null }) => Promise<Result<{ readonly pairs: number }, 'too-precise'>>
  /** All of these or none; null takes a product's stop back. */
  readonly setDefaultStops: (input: OfUser & At & { readonly stops: readonly (Omit<OwnDefaultStop, 'distance'> & { readonly distance: string | null })[] }) => void
  /** Marks an account as copied from a leader's, or takes the mark back with null. Both are connected, the leader is no copy, and nobody's leader becomes one. */
  readonly setCopyOf: (input: OfUser & At & { readonly account: string; readonly leader: string | null }) => Result<null, 'not-found' | 'unknown-leader' | 'leader-is-copy' | 'copy-is-leader'>
  /** Forgets what accounts came to while they were matched day by day. */
  readonly dismissRematched: (input: OfUser) => void
  /** Derives again what changes of labels and rates left to be derived, in groups. */
  readonly deriveStale: (input: OfUser & At) => Promise<Derived>
}
