import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import type { Fill } from './fill.ts'
import { sourceRank } from './source.ts'

/** Which version of a fill counts if it was read twice, and whether that changed what was known. */
export type MergedFill = { readonly fill: Fill; readonly change: 'none' | 'added' | 'changed' }

/**
 * Merges a fill with what is known under its account and id: a better source replaces a worse one, one of the same
 * rank corrects it but does not take away a fee, a worse one changes nothing. One that the broker busted stays so: its
 * reports go on telling it as if it counted. That a better source tells the same is
 * a change too: from then on no worse one may correct it.
 */
export const mergeFill = (known: Fill | undefined, incoming: Fill): MergedFill => {
  if (known === undefined) return { fill: incoming, change: 'added' }
  const worse = sourceRank(incoming.source) - sourceRank(known.source)
  if (worse > 0) return { fill: known, change: 'none' }
  const merged = worse === 0 ? withFeeOf(incoming, known) : incoming
  const fill = worse === 0 && !known.active && merged.active ? { ...merged, active: false } : merged
  return worse === 0 && same(known, fill) ? { fill: known, change: 'none' } : { fill, change: 'changed' }
}

/** A fill with the fee of another one, in all its currencies, where it tells none itself. */
export const withFeeOf = <F extends Fill>(fill: F, other: Fill): F => (fill.fee !== null || other.fee === null ? fill : { ...fill, fee: other.fee, ...feeFactsOf(other) })

/** What is known of a fill's fees beside the amount in its contract's currency; nothing is left out. */
export const feeFactsOf = ({ otherFees, feeFrom }: Pick<Fill, 'otherFees' | 'feeFrom'>): Pick<Fill, 'otherFees' | 'feeFrom'> => ({
  ...(otherFees === undefined || otherFees.length === 0 ? {} : { otherFees }),
  ...(feeFrom === undefined ? {} : { feeFrom }),
})

const same = (one: Fill, other: Fill): boolean =>
  one.contract === other.contract &&
  one.time === other.time &&
  one.side === other.side &&
  one.qty === other.qty &&
  one.price === other.price &&
  one.fee === other.fee &&
  areSameAmounts(one.otherFees, other.otherFees) &&
  one.active === other.active
