import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { TradeWarning } from './pair.ts'

/** A bit of each warning that trades of one contract may differ by. */
export const bits = { 'unknown-commission': 1, incomplete: 2, approximate: 4, 'ambiguous-order': 8 } as const

const names = Object.keys(bits) as (keyof typeof bits)[]

/** The lists of warnings that trades of one contract share: the same warnings are always the same list. */
export type WarningSets = ReturnType<typeof warningSets>

/** The warnings of a contract's trades; `noCommission`: no rate is known for a fill without a fee. */
export const warningSets = ({ source, rootIsWhole }: ContractSpec, noCommission: boolean) => {
  const always: TradeWarning[] = [...(source === 'unknown' ? ['unknown-contract' as const] : []), ...(rootIsWhole ? [] : ['partial-root' as const])]
  const lists: (readonly TradeWarning[] | undefined)[] = []
  const of = (mask: number): readonly TradeWarning[] => (lists[mask] ??= [...always, ...names.filter((name) => (mask & bits[name]) !== 0)])
  const maskOf = (list: readonly TradeWarning[]): number => names.reduce((mask, name) => (list.includes(name) ? mask | bits[name] : mask), 0)
  return {
    /** The bit of a trade without a known fee; 0 if the contract's default fee is known. */
    noFee: noCommission ? bits['unknown-commission'] : 0,
    of,
    joined: (one: readonly TradeWarning[], other: readonly TradeWarning[]): readonly TradeWarning[] => of(maskOf(one) | maskOf(other)),
    with: (list: readonly TradeWarning[], warning: keyof typeof bits): readonly TradeWarning[] => of(maskOf(list) | bits[warning]),
  }
}
