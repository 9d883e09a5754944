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

/** A batch's fills and how to match them. */
export type BatchOptions = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  /** The local date of all the fills, `YYYY-MM-DD`. */
  readonly date: string
  /** The user's commission per side for fills without a fee; missing or null means the contract's. */
  readonly ownFee?: Amount | null
  /** Doubts in time order; those after the previous batch's last fill count. */
  readonly doubts?: readonly Doubt[]
  /** UTC ms of the previous batch's last fill, if there are doubts. */
  readonly after?: number
}

/** A batch that still takes fills. */
export type OpenBatch = { readonly options: BatchOptions; readonly beginsOpen: boolean; readonly matching: Matching; latest: number; lastFillAt: number | null; /** Where there are doubts. */ lastFill: Fill | null; nextDoubt: number }

/** Begins a batch at the end of the previous one, `flat` for the first of an account and contract. */
export const beginBatch = (options: BatchOptions, previousEnd: Position): OpenBatch => {
  const matching = beginMatching({ ...options, ownFee: options.ownFee ?? null }, previousEnd)
  const { doubts, after } = options
  const nextDoubt = doubts === undefined || after === undefined ? 0 : doubts.filter((doubt) => doubt.after < after).length
  return { options, beginsOpen: previousEnd.net !== 0, matching, latest: Number.NEGATIVE_INFINITY, lastFillAt: null, lastFill: null, nextDoubt }
}

/** Matches the next fill of the batch; ignores busted ones. Throws if it is earlier than the previous one. */
export const addFill = (batch: OpenBatch, fill: Fill): void => {
  if (fill.time < batch.latest) throw new Error(`Fill ${fill.id} is out of order`)
  batch.latest = fill.time
  if (!fill.active) return
  batch.lastFillAt = fill.time
  const { doubts } = batch.options
  if (doubts !== undefined) {
    for (let doubt = doubts[batch.nextDoubt]; doubt !== undefined && doubt.after < fill.time; doubt = doubts[batch.nextDoubt]) {
      meetDoubt(batch.matching, doubt)
      // How far the position is off is known, but not when it was filled: any day from the previous fill's to this one's.
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

/** Ends the batch; the next one begins with its open position. */
export const endBatch = ({ options, beginsOpen, matching, lastFillAt }: OpenBatch): Batch => {
  const { account, contract, date } = options
  const { pairs, trips, queue, trip, net, unknown, doubt, doubtfulDays } = matching
  return { account, contract, date, pairs, trips, beginsOpen, endsOpen: net !== 0, lastFillAt, doubtfulDays: [...doubtfulDays], end: { net, unknown, doubt, queue: { ...queue }, trip: trip && { ...trip } } }
}

/**
 * Matches the fills of one account, contract and local date first in, first out, starting
 * from the end of the previous batch (`flat` for the first). Fills come ordered by time and id.
 */
export const matchBatch = (options: BatchOptions, previousEnd: Position, fills: Iterable<Fill>): Batch => {
  const batch = beginBatch(options, previousEnd)
  for (const fill of fills) addFill(batch, fill)
  return endBatch(batch)
}
