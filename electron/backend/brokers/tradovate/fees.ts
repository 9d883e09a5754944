import { err, ok, type Result } from '#shared/base/result.ts'
import { addCurrencyAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { addAmounts, numberedCurrency, parseAmount, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { FillFeeRow, RefusalReason } from './wire.ts'

const parts = [
  ['commission', 'commissionCurrencyId'],
  ['exchangeFee', 'exchangeCurrencyId'],
  ['clearingFee', 'clearingCurrencyId'],
  ['nfaFee', 'nfaCurrencyId'],
  ['brokerageFee', 'brokerageCurrencyId'],
  ['ipFee', 'ipCurrencyId'],
  ['orderRoutingFee', 'orderRoutingCurrencyId'],
] as const

/** The largest valid fee, in 1/10,000 of a currency. */
export const mostFee = 1_000_000_000_000

/** Parses the broker's JSON numbers as amounts up to `most`, cached: fees and balances repeat all day. */
export const createAmountReader = (most: number): ((value: number) => Amount | null) => {
  const known = new Map<number, Amount | null>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const read = parseAmount(value, 'half-even')
    const amount = read.ok && Math.abs(read.value) <= most ? read.value : null
    known.set(value, amount)
    return amount
  }
}

/** A fill's fee in its contract's currency, null if unknown, and its fees in other currencies. */
export type TotalFee = { readonly fee: Amount | null; readonly otherFees: CurrencyAmounts }

/**
 * The exact sums of a fill's seven fees, per currency; `fee` is null if the row has none of them.
 * A part without a currency of its own is in the contract's; a part of zero has none. A number that the list of currencies
 * does not have stands for itself; without the list nobody knows what any number means.
 */
export const totalFee = (
  row: FillFeeRow,
  contractCurrency: Currency,
  amountOf: (value: number) => Amount | null,
  currencies: ReadonlyMap<number, Currency>,
): Result<TotalFee, RefusalReason> => {
  let sum: Amount | null = null
  let otherFees = noAmounts
  for (const [name, currencyName] of parts) {
    const value = row[name]
    if (value === undefined) continue
    const amount = amountOf(value)
    if (amount === null) return err('amount-unreadable')
    sum ??= zero
    if (amount === 0) continue
    const currencyId = row[currencyName]
    if (currencyId !== undefined && currencies.size === 0) return err('currency-unknown')
    const currency = currencyId === undefined ? contractCurrency : (currencies.get(currencyId) ?? numberedCurrency(currencyId))
    if (currency === contractCurrency) sum = addAmounts(sum, amount)
    else otherFees = addCurrencyAmounts(otherFees, [{ currency, amount }])
  }
  return ok({ fee: sum, otherFees })
}
