import { addAmounts, zero, type Amount, type Currency, type Money } from './money.ts'

/** One sum for each currency: they stand side by side and are never added to each other. */
export type Totals = ReadonlyMap<Currency, Amount>

/** Sums money by currency, currencies in the order of their codes. */
export const totalsOf = (moneys: Iterable<Money>): Totals => {
  const sums = new Map<Currency, Amount>()
  for (const { amount, currency } of moneys) sums.set(currency, addAmounts(sums.get(currency) ?? zero, amount))
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}
