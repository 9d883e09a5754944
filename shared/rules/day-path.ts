import type { Amount } from '#shared/money/money.ts'
import { peaksOfTrades, type HeldPeaks } from './caps.ts'
import type { Broken, DayFacts } from './day-facts.ts'
import { heldLate } from './flat-by.ts'
import type { Terms } from './terms.ts'

/** A day as a P&L path that can start at any balance. */
export type DayPath = {
  readonly adjustment: Amount
  /** Net closed at each step, 1/10,000. All of one millisecond is one step. */
  readonly steps: readonly number[]
  /** Transfers at each step; null if none. */
  readonly moved: readonly number[] | null
  /** The day's highest net with open P&L; null if not watched. */
  readonly highest: Amount | null
  /** The steps' times, UTC ms. */
  readonly moments: readonly number[]
  readonly trades: number
  /** Some of them are in another currency, so that the path is not known. */
  readonly foreign: boolean
  /** Null without contract caps. */
  readonly held: HeldPeaks | null
  readonly heldLate: Broken | null
}

/** Builds the path of a day's trades, as far as the terms need it. */
export const pathOf = (terms: Terms, { trades, adjustment, moves = [], highest }: DayFacts): DayPath => {
  const steps: number[] = []
  const moments: number[] = []
  const moved: number[] = []
  const add = (at: number, net: number, amount: number): void => {
    const last = moments.length - 1
    if (moments[last] === at) {
      steps[last] = (steps[last] ?? 0) + net
      moved[last] = (moved[last] ?? 0) + amount
    } else {
      moments.push(at)
      steps.push(net)
      moved.push(amount)
    }
  }
  let next = 0
  const addMoves = (until: number): void => {
    for (let move = moves[next]; move !== undefined && move.at <= until; move = moves[(next += 1)]) add(move.at, 0, move.amount)
  }
  for (const { exitAt, net } of trades) {
    addMoves(exitAt)
    add(exitAt, net, 0)
  }
  addMoves(Infinity)
  return {
    adjustment, steps, moments, trades: trades.length, foreign: trades.some(({ foreign }) => foreign === true), highest: highest ?? null,
    moved: moves.length === 0 ? null : moved,
    held: terms.caps === null ? null : peaksOfTrades(terms.caps, trades),
    heldLate: terms.flatBy === null ? null : heldLate(terms.flatBy, trades),
  }
}
