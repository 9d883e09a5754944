import type { Amount } from '#shared/money/money.ts'
import { peaksOfTrades, type HeldPeaks } from './caps.ts'
import type { Broken, DayFacts } from './day-facts.ts'
import { heldLate } from './flat-by.ts'
import type { Terms } from './terms.ts'

/** A day as a path that can begin at any balance. */
export type DayPath = {
  readonly adjustment: Amount
  /** Net of what was closed at each moment, in their order, 1/10,000. What closes in one millisecond is one step. */
  readonly steps: readonly number[]
  /** Those moments, UTC ms. */
  readonly moments: readonly number[]
  readonly trades: number
  /** Null where nothing caps contracts. */
  readonly held: HeldPeaks | null
  readonly heldLate: Broken | null
}

/** Reads a day's trades once, as far as the terms ask for them. */
export const pathOf = (terms: Terms, { trades, adjustment }: DayFacts): DayPath => {
  const steps: number[] = []
  const moments: number[] = []
  for (const { exitAt, net } of trades) {
    const last = moments.length - 1
    if (moments[last] === exitAt) steps[last] = (steps[last] ?? 0) + net
    else {
      moments.push(exitAt)
      steps.push(net)
    }
  }
  return {
    adjustment, steps, moments, trades: trades.length,
    held: terms.caps === null ? null : peaksOfTrades(terms.caps, trades),
    heldLate: terms.flatBy === null ? null : heldLate(terms.flatBy, trades),
  }
}
