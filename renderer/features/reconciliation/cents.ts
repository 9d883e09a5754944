import { amountOf, exactMoney, parseAmount, zero, type Amount } from '#shared/money/money.ts'

const amount = (text: string): Amount => {
  const read = parseAmount(text)
  return read.ok ? read.value : zero
}

/** One amount minus another, both decimal texts of at most four places, exactly. */
export const centsBetween = (one: string, other: string): string => exactMoney(amountOf(amount(one) - amount(other)))

/** Whether an amount, as decimal text, is below a cent but not zero. */
export const isPartOfCent = (text: string): boolean => amount(text) !== 0 && Math.abs(amount(text)) < 100

/** The sum of two amounts, both decimal texts of at most four places, exactly. */
export const addCents = (one: string, other: string): string => exactMoney(amountOf(amount(one) + amount(other)))
