import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Amount } from '#shared/money/money.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { Batch } from './batch.ts'
import { beforeAll, type Doubt } from './known-position.ts'
import { beginMatching, meetDoubt, takeFill, type Matching } from './matching.ts'
import type { Position } from './position.ts'

/** Which fills a batch holds, and how its account matches them. */
export type BatchOptions = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  /** The local date of all the fills, `YYYY-MM-DD`. */
  readonly date: string
  /** The user's own rate per side for fills that tell no fee; where missing, or null, the contract's. */
  readonly ownFee?: Amount | null
  /** Moments at which the count is in doubt, in the order of time; those behind the last fill of the batch before count. */
  readonly doubts?: readonly Doubt[]
  /** The time of the last fill of the batch before (UTC ms), where there are doubts. */
  readonly after?: number
}

/** A batch that still takes fills. */
export type OpenBatch = { readonly options: BatchOptions; readonly beginsOpen: boolean; readonly matching: Matching; latest: number; lastFillAt: number | null; /** Where there are doubts. */ lastFill: Fill | null; nextDoubt: number }

/** Begins a batch where the one before it ended, `flat` for the first of an account and contract. */
export const beginBatch = (options: BatchOptions, previousEnd: Position): OpenBatch => {
  const matching = beginMatching({ ...options, ownFee: options.ownFee ?? null }, previousEnd)
  const { doubts, after } = options
  const nextDoubt = doubts === undefined || after === undefined ? 0 : doubts.filter((doubt) => doubt.after < after).length
  return { options, beginsOpen: previousEnd.net !== 0, matching, latest: Number.NEGATIVE_INFINITY, lastFillAt: null, lastFill: null, nextDoubt }
}

/** Matches the next fill of the batch; busted ones do not count. Throws where it is earlier than the one before it. */
export const addFill = (batch: OpenBatch, fill: Fill): void => {
  if (fill.time < batch.latest) throw new Error(`Fill ${fill.id} is out of order`)
  batch.latest = fill.time
  if (!fill.active) return
  batch.lastFillAt = fill.time
  const { doubts } = batch.options
  if (doubts !== undefined) {
    for (let doubt = doubts[batch.nextDoubt]; doubt !== undefined && doubt.after < fill.time; doubt = doubts[batch.nextDoubt]) {
      meetDoubt(batch.matching, doubt)
      // By how much the position is off is known, and not when that was filled: from the day of the fill before to this one's.
      const before = doubt.kind === 'missing' && doubt.contracts > 0 ? dayBefore(batch) : null
      if (before !== null) for (let day = dayOfDate(before); day <= dayOfDate(bookedDay(fill)); day += 1) batch.matching.doubtfulDays.add(isoDate(day))
      batch.nextDoubt += 1
    }
    batch.lastFill = fill
  }
  takeFill(batch.matching, fill)
}

/** The trading day of the last fill, that of an earlier batch where this one has none; null before the first. */
const dayBefore = ({ lastFill, options: { after } }: OpenBatch): string | null => {
  if (lastFill !== null) return bookedDay(lastFill)
  return after === undefined || after === beforeAll ? null : tradingDay(after)
}

/** Ends the batch; what it leaves open is where the next one begins. */
export const endBatch = ({ options, beginsOpen, matching, lastFillAt }: OpenBatch): Batch => {
  const { account, contract, date } = options
  const { pairs, trips, queue, trip, net, unknown, doubt, doubtfulDays } = matching
  return { account, contract, date, pairs, trips, beginsOpen, endsOpen: net !== 0, lastFillAt, doubtfulDays: [...doubtfulDays], end: { net, unknown, doubt, queue: { ...queue }, trip: trip && { ...trip } } }
}

/**
 * Matches the fills of one account, contract and local date first in, first out, going on from where the batch
 * before it ended (`flat` for the first). The fills come ordered by time and id.
 */
export const matchBatch = (options: BatchOptions, previousEnd: Position, fills: Iterable<Fill>): Batch => {
  const batch = beginBatch(options, previousEnd)
  for (const fill of fills) addFill(batch, fill)
  return endBatch(batch)
}
