import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Batch } from './batch.ts'
import type { Doubt } from './known-position.ts'
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
export type OpenBatch = { readonly options: BatchOptions; readonly beginsOpen: boolean; readonly matching: Matching; latest: number; lastFillAt: number | null; nextDoubt: number }

/** Begins a batch where the one before it ended, `flat` for the first of an account and contract. */
export const beginBatch = (options: BatchOptions, previousEnd: Position): OpenBatch => {
  const matching = beginMatching({ ...options, ownFee: options.ownFee ?? null }, previousEnd)
  const { doubts, after } = options
  const nextDoubt = doubts === undefined || after === undefined ? 0 : doubts.filter((doubt) => doubt.after < after).length
  return { options, beginsOpen: previousEnd.net !== 0, matching, latest: Number.NEGATIVE_INFINITY, lastFillAt: null, nextDoubt }
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
      batch.nextDoubt += 1
    }
  }
  takeFill(batch.matching, fill)
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
