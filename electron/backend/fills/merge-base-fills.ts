import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import type { Writer } from '../db/database.ts'
import { priceIn, type KeptFill, type PricedFill, type TickSizeOf } from './fill-rows.ts'
import { sameFill, type MergeRules } from './merge-rules.ts'
import type { Outbox } from '../mirror/outbox.ts'
import { saveBaseFill, baseFills } from './base-fills.ts'

/** New fills of an account that imports change, and the journal's fills of the same ids. */
export type BaseMerge = {
  readonly userId: string
  readonly account: AccountKey
  readonly fills: readonly KeptFill[]
  readonly current: ReadonlyMap<string, KeptFill>
  readonly mergeRules: MergeRules
  readonly outbox: Outbox
  readonly tickSizeOf: TickSizeOf
}

/** Merges new fills into the base fills of an account; `settleImports` then recomputes the journal's fills. */
export const mergeBaseFills = (writer: Writer, { userId, account, fills, current, mergeRules, outbox, tickSizeOf }: BaseMerge): { added: number; changed: number; unchanged: number } => {
  const bases = baseFills(writer, userId, account)
  const counts = { added: 0, changed: 0, unchanged: 0 }
  for (const came of fills) {
    const now = current.get(came.id)
    const base = bases.get(came.id)
    const before = base === undefined ? now : base === null ? undefined : keptOf(base, came.localDate, tickSizeOf)
    // The cloud returns what our imports made: no other source has this fill.
    const isOurs = base === null && now !== undefined && sameFill(now, came)
    const fill = isOurs ? now : mergeRules.merge(before, came)
    const isNew = !isOurs && fill !== before
    mergeRules.noteIn(outbox, now ?? fill, isNew)
    counts[!isNew ? 'unchanged' : before === undefined ? 'added' : 'changed'] += 1
    if (isNew) saveBaseFill(writer, userId, account, came.id, pricedOf(fill, tickSizeOf))
  }
  return counts
}

const keptOf = ({ tickSize, ...fill }: PricedFill, localDate: string, tickSizeOf: TickSizeOf): KeptFill => ({ ...fill, localDate, price: priceIn(fill.price, tickSize, tickSizeOf(fill.contract)) })

const pricedOf = (fill: KeptFill, tickSizeOf: TickSizeOf): PricedFill => {
  const { id, account, contract, time, side, qty, price, fee, active, source, orderId, contractId, tradeDate } = fill
  return { ...feeFactsOf(fill), id, account, contract, time, side, qty, price, fee, active, source, orderId, contractId, tradeDate, tickSize: tickSizeOf(contract) }
}
