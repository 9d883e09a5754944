import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import type { Fill } from './fill.ts'
import { sourceRank } from './source.ts'

/** The fill to keep when one was read twice, and whether that changed what was known. */
export type MergedFill = { readonly fill: Fill; readonly change: 'none' | 'added' | 'changed' }

/**
 * Merges a fill with the known one of the same account and id: a better source replaces a worse one; one of the same
 * rank corrects it but never removes a fee; a worse one changes nothing. A busted fill stays busted, because the
 * broker's reports go on listing it as active. The same values from a better source are a change too: from then on no
 * worse source may correct them; as are those of the API, so that the fill stays when another computer undoes the import of its file.
 */
export const mergeFill = (known: Fill | undefined, incoming: Fill): MergedFill => {
  if (known === undefined) return { fill: incoming, change: 'added' }
  const worse = sourceRank(incoming.source) - sourceRank(known.source)
  if (worse > 0) return { fill: known, change: 'none' }
  const merged = worse === 0 ? withFeeOf(incoming, known) : incoming
  const fill = worse === 0 && !known.active && merged.active ? { ...merged, active: false } : merged
  return worse === 0 && same(known, fill) && (incoming.source !== 'api' || known.source === 'api') ? { fill: known, change: 'none' } : { fill, change: 'changed' }
}

/** A fill with another fill's fee, in all currencies, if it has none itself. */
export const withFeeOf = <F extends Fill>(fill: F, other: Fill): F => (fill.fee !== null || other.fee === null ? fill : { ...fill, fee: other.fee, ...feeFactsOf(other) })

/** A fill's fee facts beside the amount in its contract's currency; empty fields are left out. */
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
  one.active === other.active &&
  (one.ambiguous ?? false) === (other.ambiguous ?? false)
