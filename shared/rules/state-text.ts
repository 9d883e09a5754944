import { writeDecimal } from '#shared/money/decimal.ts'
import { toDecimalString, type Amount } from '#shared/money/money.ts'

/** An amount as an exact decimal: in cents if whole, otherwise to 1/10,000, so that a value inside a limit never reads as if at it. */
export const moneyText = (amount: number): string => (amount % 100 === 0 ? toDecimalString(amount as Amount) : writeDecimal(BigInt(amount), 4))

/** Contracts as text, of tenths where `perContract` is 10: `13` tenths are `1.3`. */
export const contractsText = (count: number, perContract: 1 | 10): string => (count % perContract === 0 ? String(count / perContract + 0) : writeDecimal(BigInt(count), 1))

/** A percentage given in hundredths: `3001` is `30.01`. */
export const percentText = (hundredths: number): string => (hundredths % 100 === 0 ? String(hundredths / 100 + 0) : writeDecimal(BigInt(hundredths), 2))

/** How much of a whole is used, from 0 to 1. */
export const usedOf = (part: number, whole: number): number => (whole <= 0 ? (part > 0 ? 1 : 0) : Math.min(1, Math.max(0, part / whole)) + 0)
