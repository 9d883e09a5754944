import { addAmounts, amountOf, exactMoney, type Amount, type Currency } from './money.ts'
import { shareOf } from './share.ts'

/** An amount with its own currency, because it differs from the currency of the amount beside it. */
export type CurrencyAmount = { readonly currency: Currency; readonly amount: Amount }

/** Amounts by currency, one of each, sorted by code: currencies are never added. */
export type CurrencyAmounts = readonly CurrencyAmount[]

/** No amount: always the same list. */
export const noAmounts: CurrencyAmounts = []

/** The sums of two lists by currency; leaves out currencies that sum to zero. */
export const addCurrencyAmounts = (one: CurrencyAmounts, other: CurrencyAmounts): CurrencyAmounts => {
  if (other.length === 0) return one
  const sums = new Map(one.map(({ currency, amount }) => [currency, amount]))
  for (const { currency, amount } of other) sums.set(currency, addAmounts(sums.get(currency) ?? amountOf(0), amount))
  const all = [...sums].flatMap(([currency, amount]) => (amount === 0 ? [] : [{ currency, amount }]))
  return all.length === 0 ? noAmounts : all.sort((first, next) => (first.currency < next.currency ? -1 : 1))
}

/** The share of units `from` to `to` of `whole`, by currency as in `shareOf`. */
export const shareOfAmounts = (total: CurrencyAmounts, from: number, to: number, whole: number): CurrencyAmounts =>
  addCurrencyAmounts(noAmounts, total.map(({ currency, amount }) => ({ currency, amount: shareOf(amount, from, to, whole) })))

/** Whether two lists are the same; a missing one is empty. */
export const areSameAmounts = (one: CurrencyAmounts = noAmounts, other: CurrencyAmounts = noAmounts): boolean =>
  one === other || (one.length === other.length && one.every(({ currency, amount }, place) => other[place]?.currency === currency && other[place].amount === amount))

/** A list as stored in the journal; null if empty. */
export const amountsText = (amounts: CurrencyAmounts | undefined): string | null => (amounts === undefined || amounts.length === 0 ? null : JSON.stringify(amounts))

/** Reads what `amountsText` wrote. */
export const amountsOfText = (text: string | null): CurrencyAmounts => (text === null ? noAmounts : (JSON.parse(text) as CurrencyAmounts))

/** A list for the API: decimal text, to the last place. */
export const amountTexts = (amounts: CurrencyAmounts): { readonly currency: string; readonly amount: string }[] => amounts.map(({ currency, amount }) => ({ currency, amount: exactMoney(amount) }))
