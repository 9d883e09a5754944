import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Batch } from './batch.ts'
import { beginMatching, takeFill } from './matching.ts'
import { carriedOver, type Position } from './position.ts'

/** Which fills a batch holds, and how its account matches them. */
export type BatchOptions = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  /** The local date of all the fills, `YYYY-MM-DD`. */
  readonly date: string
  /** Whether positions carry overnight; if not, every batch is matched alone. */
  readonly carry: boolean
}

/**
 * Matches the fills of one account, contract and local date first in, first out, going on from where the batch
 * before it ended (`flat` for the first). The fills come ordered by time and id; busted ones do not count. Matched
 * alone, a batch that begins or ends with an open position warns of it on all its trades. Throws on disorder.
 */
export const matchBatch = (options: BatchOptions, previousEnd: Position, fills: readonly Fill[]): Batch => {
  const { account, contract, date, carry } = options
  const start = carriedOver(previousEnd, carry)
  const matching = beginMatching(options, start)
  let net = start.net
  let latest = Number.NEGATIVE_INFINITY
  for (const fill of fills) {
    if (fill.time < latest) throw new Error(`Fill ${fill.id} is out of order`)
    latest = fill.time
    if (!fill.active) continue
    net += fill.side === 'buy' ? fill.qty : -fill.qty
    takeFill(matching, fill)
  }
  const { pairs, trips, queue, trip, withBrokerFees, withTableFees } = matching
  const beginsOpen = start.net !== 0
  const endsOpen = net !== 0
  if (!carry && (beginsOpen || endsOpen)) {
    withBrokerFees.push('crosses-midnight')
    withTableFees.push('crosses-midnight')
  }
  return { account, contract, date, pairs, trips, beginsOpen, endsOpen, end: { net, queue: { ...queue }, trip: trip && { ...trip } } }
}
