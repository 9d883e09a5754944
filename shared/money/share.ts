import type { Amount } from './money.ts'

/**
 * The share of `total` for the units `from` (inclusive) to `to` (exclusive) of `whole`: any partition of the units sums
 * to the total exactly, and no share is more than 1/10,000 from its even share.
 */
export const shareOf = (total: Amount, from: number, to: number, whole: number): Amount =>
  (upTo(total, to, whole) - upTo(total, from, whole)) as Amount

const upTo = (total: number, units: number, whole: number): number => {
  const product = total * units
  if (Number.isSafeInteger(product)) return Math.floor(product / whole)
  const exact = BigInt(total) * BigInt(units)
  const quotient = exact / BigInt(whole)
  return Number(exact < 0n && exact % BigInt(whole) !== 0n ? quotient - 1n : quotient)
}
