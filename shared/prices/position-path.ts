import { countWhile } from '#shared/base/count-while.ts'
import type { TickValue } from '#shared/market/contract-spec.ts'
import { addAmounts, amountOf, multiplyDivide, zero, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Micros } from './tape.ts'

/** A fill as a replay meets it: `qty` above zero bought, below zero sold. */
export type PathFill = { readonly at: Micros; readonly qty: number; readonly price: Ticks }

/** The position after some fills: contracts, their realized P&L in ticks × contracts, and the average entry price of the open ones in ticks, null while flat. */
export type PathPosition = { readonly qty: number; readonly cash: number; readonly average: number | null }

const flat: PathPosition = { qty: 0, cash: 0, average: null }

const withFill = ({ qty, cash, average }: PathPosition, fill: PathFill): PathPosition => {
  const now = qty + fill.qty
  return { qty: now, cash: cash - fill.qty * fill.price, average: averageAfter(qty, average, fill, now) }
}

const averageAfter = (qty: number, average: number | null, fill: PathFill, now: number): number | null => {
  if (now === 0) return null
  if (average === null || Math.sign(now) !== Math.sign(qty)) return fill.price
  // What is taken off leaves the average of the rest as it was.
  return Math.sign(fill.qty) === Math.sign(qty) ? (average * qty + fill.price * fill.qty) / now : average
}

/** Fills in order of time, with the position after each. */
export type PositionPath = {
  readonly fills: readonly PathFill[]
  /** How many fills have happened by a moment, it included. */
  readonly countBy: (moment: Micros) => number
  /** What is held after the first `count` fills. */
  readonly after: (count: number) => PathPosition
}

/** Walks fills once, so that every later question is a look-up. */
export const positionPath = (given: readonly PathFill[]): PositionPath => {
  const fills = given.toSorted((one, other) => one.at - other.at)
  const held: PathPosition[] = [flat]
  for (const fill of fills) held.push(withFill(held.at(-1) ?? flat, fill))
  return {
    fills,
    countBy: (moment) => countWhile(fills.length, (place) => (fills[place]?.at ?? Infinity) <= moment),
    after: (count) => held[count] ?? flat,
  }
}

/** Gross P&L at a price: realized by the fills so far, plus the open position. Once flat it is the result. */
export const openPnl = ({ qty, cash }: PathPosition, price: Ticks, { num, den }: TickValue): Amount => multiplyDivide(cash + qty * price, num, 1, den)

/** P&L of trades that closed in the course of a day, `at` in order of time: the sum up to a moment is a look-up. */
export const closedBy = (closed: readonly { readonly at: Micros; readonly gross: Amount }[]): ((moment: Micros) => Amount) => {
  const sorted = closed.toSorted((one, other) => one.at - other.at)
  const sums: Amount[] = [zero]
  for (const { gross } of sorted) sums.push(addAmounts(sums.at(-1) ?? zero, gross))
  return (moment) => sums[countWhile(sorted.length, (place) => (sorted[place]?.at ?? Infinity) <= moment)] ?? amountOf(0)
}
