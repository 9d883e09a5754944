import { mergeFill, withFeeOf } from '#shared/fills/merge.ts'
import { sourceRank, type FillSource } from '#shared/fills/source.ts'
import { areSameAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Writer } from '../db/database.ts'
import type { StoredFill } from './fill-rows.ts'
import { isQueued, deleteFromOutbox, type Outbox } from '../db/outbox.ts'
import { specOf } from './specs.ts'

/** Whether a computer reads fills of this source itself: they stay, whatever another computer does with its files. */
export const isOwn = (source: FillSource): source is 'api' | 'handed-in' => source === 'api' || source === 'handed-in'

/** How incoming fills are merged with known ones. */
export type MergeRules = {
  /** Whether to skip fills of an account that the user removed. */
  readonly skipsRemoved: boolean
  /** Whether this computer reads them itself: then files of other computers may have the same fills under other ids. */
  readonly readHere: boolean
  /** The merged fill: `before` itself if nothing changes. Prices are in ticks of the saved contract. */
  readonly merge: (before: StoredFill | undefined, incoming: StoredFill) => StoredFill
  /** Adds the fill to the outbox, or removes it there. */
  readonly queueIn: (outbox: Outbox, fill: StoredFill, changed: boolean) => void
}

/** The name of a fill in the outbox. */
export const fillName = ({ account, id }: Pick<StoredFill, 'account' | 'id'>): string => `${account}/${id}`

type UndatedFill = Omit<StoredFill, 'localDate'>

const withIds = <F extends UndatedFill>(fill: F, other: F): F => ({
  ...fill,
  orderId: fill.orderId ?? other.orderId,
  contractId: fill.contractId ?? other.contractId,
  tradeDate: fill.tradeDate ?? other.tradeDate,
})

/** Fills read by a sync or an import. */
export const brokerRules: MergeRules = {
  skipsRemoved: true,
  readHere: true,
  merge: (before, incoming) => {
    if (before === undefined) return incoming
    const { fill, change } = mergeFill(before, incoming)
    return change === 'none' ? before : withIds({ ...incoming, ...fill }, before)
  },
  queueIn: (outbox, fill, changed) => {
    if (changed) outbox.queue('fill', fillName(fill))
  },
}

const compared = ['contract', 'time', 'side', 'qty', 'price', 'fee', 'active', 'source', 'orderId', 'contractId', 'tradeDate'] as const satisfies (keyof StoredFill)[]
/** Whether two readings of a fill are the same. */
export const sameFill = (one: UndatedFill, other: UndatedFill): boolean => compared.every((name) => one[name] === other[name]) && areSameAmounts(one.otherFees, other.otherFees)

/** Fills of the cloud, by their names. */
export type CloudFills = ReadonlyMap<string, NonNullable<ContentOf<'fill'>>>

/**
 * Fills of another computer.
 * - The cloud's count as they are, so that an import undone elsewhere leaves nothing.
 * - A fill of this computer's own sources is replaced by a better source only.
 * - If this computer has read something else of a fill and not sent it yet, the better source wins, and of one source
 *   this computer's reading; each supplies what the other lacks, and a fill that either knows as busted is busted.
 * - Fills of a removed account are taken too: they are hidden and shown together with it.
 */
export const cloudRules = (writer: Writer, userId: string, cloudFills: CloudFills): MergeRules => ({
  skipsRemoved: false,
  readHere: false,
  merge: (before, incoming) => {
    if (before === undefined || sameFill(before, incoming)) return before ?? incoming
    const isTie = before.source === incoming.source
    if (!isTie && isOwn(before.source)) return betterOf(before, incoming)
    if (isQueued(writer, userId, 'fill', fillName(incoming))) return isTie ? mergeUndated(before, incoming) : betterOf(before, incoming)
    const fill = withOtherFees(incoming, before)
    return sameFill(before, fill) ? before : fill
  },
  queueIn: (outbox, fill) => {
    const name = fillName(fill)
    const incoming = cloudFills.get(name)
    // A fill that arrived in other ticks than those of the saved contract is sent again in these.
    const isEqual = incoming?.tickSize === specOf(writer, userId, fill.contract).tickSize && compared.every((column) => incoming[column] === fill[column]) && areSameAmounts((incoming.otherFees ?? undefined) as CurrencyAmounts | undefined, fill.otherFees)
    if (isEqual) deleteFromOutbox(writer, userId, 'fill', name)
    else outbox.queue('fill', name)
  },
})

/** Merges two readings of a fill if neither is known to be later: the better source wins; of one source the existing fill. Each supplies what the other lacks; a busted fill stays busted. */
export const mergeUndated = <F extends UndatedFill>(before: F | undefined, incoming: F): F => {
  const fill = betterOf(before, incoming)
  return before === undefined || fill.active === (before.active && incoming.active) ? fill : { ...fill, active: false }
}

/** Fills of a journal file. */
export const journalFileRules: MergeRules = { skipsRemoved: false, readHere: false, merge: mergeUndated, queueIn: brokerRules.queueIn }

/** Fills that a backup restores: the existing fill wins, unless the backup has the better source. */
export const restoreRules: MergeRules = { skipsRemoved: false, readHere: false, merge: (before, incoming) => betterOf(before, incoming), queueIn: brokerRules.queueIn }

// Older programs leave out fees in other currencies.
const withOtherFees = <F extends UndatedFill>(fill: F, other: F): F => (fill.otherFees === undefined && other.otherFees !== undefined && fill.fee === other.fee ? { ...fill, otherFees: other.otherFees } : fill)

const betterOf = <F extends UndatedFill>(before: F | undefined, incoming: F): F => {
  if (before === undefined) return incoming
  if (sameFill(before, incoming)) return before
  const worse = sourceRank(incoming.source) - sourceRank(before.source)
  // An API fill is not replaced by another computer's file, whose import may be undone.
  const lessSure = worse || Number(incoming.source !== 'api') - Number(before.source !== 'api')
  const [winner, other] = lessSure < 0 ? [incoming, before] : [before, incoming]
  const fill = withIds(worse === 0 ? withOtherFees(withFeeOf(winner, other), other) : winner, other)
  return sameFill(before, fill) ? before : fill
}
