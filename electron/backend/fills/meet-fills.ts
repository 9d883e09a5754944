import { mergeFill, withFeeOf } from '#shared/fills/merge.ts'
import { sourceRank } from '#shared/fills/source.ts'
import { areSameAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Writer } from '../db/database.ts'
import type { KeptFill } from './fill-rows.ts'
import { isWaiting, strikeOff, type Outbox } from '../mirror/outbox.ts'
import { specOf } from './specs.ts'

/** How fills that come meet those that are known. */
export type Meeting = {
  /** Whether fills of an account that the user removed are left out. */
  readonly skipsRemoved: boolean
  /** Which fill stands: `before` itself where nothing changes. Prices are in the ticks of the kept contract. */
  readonly merge: (before: KeptFill | undefined, came: KeptFill) => KeptFill
  /** Notes, or strikes off, what the mirror has to be told of it. */
  readonly tell: (outbox: Outbox, fill: KeptFill, changed: boolean) => void
}

/** The name of a fill in the outbox. */
export const fillName = ({ account, id }: Pick<KeptFill, 'account' | 'id'>): string => `${account}/${id}`

const withIds = (fill: KeptFill, other: KeptFill): KeptFill => ({
  ...fill,
  orderId: fill.orderId ?? other.orderId,
  contractId: fill.contractId ?? other.contractId,
  tradeDate: fill.tradeDate ?? other.tradeDate,
})

/** Fills that a sync or an import read. */
export const brokersFills: Meeting = {
  skipsRemoved: true,
  merge: (before, came) => {
    if (before === undefined) return came
    const { fill, change } = mergeFill(before, came)
    return change === 'none' ? before : withIds({ ...came, ...fill }, before)
  },
  tell: (outbox, fill, changed) => {
    if (changed) outbox.note('fill', fillName(fill))
  },
}

const compared = ['contract', 'time', 'side', 'qty', 'price', 'fee', 'active', 'source', 'orderId', 'contractId', 'tradeDate'] as const satisfies (keyof KeptFill)[]
/** Whether two readings of a fill say the same. */
export const sameFill = (one: KeptFill, other: KeptFill): boolean => compared.every((name) => one[name] === other[name]) && areSameAmounts(one.otherFees, other.otherFees)

/** Fills that the cloud told, by their names. */
export type ToldFills = ReadonlyMap<string, NonNullable<ContentOf<'fill'>>>

/**
 * Fills of another computer. A better source stands, and the API before a file; of one source the cloud's stands, unless this computer read
 * something else that it has not told yet. Either gives the other what it lacks. Fills of a removed account come too:
 * they are out of view with it, and back with it.
 */
export const mirroredFills = (writer: Writer, userId: string, told: ToldFills): Meeting => ({
  skipsRemoved: false,
  merge: (before, came) => betterOf(before, came, () => !isWaiting(writer, userId, 'fill', fillName(came))),
  tell: (outbox, fill) => {
    const name = fillName(fill)
    const came = told.get(name)
    // What came in other ticks than those of the kept contract is told anew in these.
    const isEqual = came?.tickSize === specOf(writer, userId, fill.contract).tickSize && compared.every((column) => came[column] === fill[column]) && areSameAmounts((came.otherFees ?? undefined) as CurrencyAmounts | undefined, fill.otherFees)
    if (isEqual) strikeOff(writer, userId, 'fill', name)
    else outbox.note('fill', name)
  },
})

/** Fills of a journal's file: a better source stands, of one source what is known here. Either gives the other what it lacks; one that was busted stays so. */
export const filedFills: Meeting = {
  skipsRemoved: false,
  merge: (before, came) => {
    const fill = betterOf(before, came, () => false)
    return before === undefined || fill.active === (before.active && came.active) ? fill : { ...fill, active: false }
  },
  tell: brokersFills.tell,
}

/** Fills that a backup brings back: what is known here stands, unless the backup has the better source. */
export const restoredFills: Meeting = { skipsRemoved: false, merge: (before, came) => betterOf(before, came, () => false), tell: brokersFills.tell }

// A program of an earlier version leaves out fees in other currencies.
const withOtherFees = (fill: KeptFill, other: KeptFill): KeptFill => (fill.otherFees === undefined && other.otherFees !== undefined && fill.fee === other.fee ? { ...fill, otherFees: other.otherFees } : fill)

const betterOf = (before: KeptFill | undefined, came: KeptFill, cameStandsOnTie: () => boolean): KeptFill => {
  if (before === undefined) return came
  if (sameFill(before, came)) return before
  const worse = sourceRank(came.source) - sourceRank(before.source)
  // What the API told here is not given up for a file of another computer, whose import may be undone.
  const lessSure = worse || Number(came.source !== 'api') - Number(before.source !== 'api')
  const cameStands = lessSure < 0 || (lessSure === 0 && cameStandsOnTie())
  const [stands, other] = cameStands ? [came, before] : [before, came]
  const fill = withIds(worse === 0 ? withOtherFees(withFeeOf(stands, other), other) : stands, other)
  return sameFill(before, fill) ? before : fill
}
