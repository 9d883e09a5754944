import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import type { Writer } from '../db/database.ts'
import { priceIn, type KeptFill, type PricedFill, type TickSizeOf } from './fill-rows.ts'
import { sameFill, type Meeting } from './meet-fills.ts'
import type { Outbox } from '../mirror/outbox.ts'
import { keepTold, ruledFills } from './told-fills.ts'

/** Fills told of an account on which imports have a say, and those of the same ids that stand. */
export type Telling = {
  readonly userId: string
  readonly account: AccountKey
  readonly fills: readonly KeptFill[]
  readonly stand: ReadonlyMap<string, KeptFill>
  readonly meeting: Meeting
  readonly outbox: Outbox
  readonly tickSizeOf: TickSizeOf
}

/** Merges what is told with what was told before, beneath what imports made of it; what then stands is for `settleImports` to say. */
export const tellBeneath = (writer: Writer, { userId, account, fills, stand, meeting, outbox, tickSizeOf }: Telling): { added: number; changed: number; unchanged: number } => {
  const ruled = ruledFills(writer, userId, account)
  const counts = { added: 0, changed: 0, unchanged: 0 }
  for (const came of fills) {
    const standing = stand.get(came.id)
    const told = ruled.get(came.id)
    const before = told === undefined ? standing : told === null ? undefined : keptOf(told, came.localDate, tickSizeOf)
    // What imports made comes back from the cloud as it went there: nobody else has told it.
    const isOurs = told === null && standing !== undefined && sameFill(standing, came)
    const fill = isOurs ? standing : meeting.merge(before, came)
    const isNew = !isOurs && fill !== before
    meeting.tell(outbox, standing ?? fill, isNew)
    counts[!isNew ? 'unchanged' : before === undefined ? 'added' : 'changed'] += 1
    if (isNew) keepTold(writer, userId, account, came.id, pricedOf(fill, tickSizeOf))
  }
  return counts
}

const keptOf = ({ tickSize, ...fill }: PricedFill, localDate: string, tickSizeOf: TickSizeOf): KeptFill => ({ ...fill, localDate, price: priceIn(fill.price, tickSize, tickSizeOf(fill.contract)) })

const pricedOf = (fill: KeptFill, tickSizeOf: TickSizeOf): PricedFill => {
  const { id, account, contract, time, side, qty, price, fee, active, source, orderId, contractId, tradeDate } = fill
  return { ...feeFactsOf(fill), id, account, contract, time, side, qty, price, fee, active, source, orderId, contractId, tradeDate, tickSize: tickSizeOf(contract) }
}
