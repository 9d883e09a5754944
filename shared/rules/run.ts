import type { Past } from './day-facts.ts'
import type { DayPath } from './day-path.ts'
import { isPassed } from './goals.ts'
import { drawdownLimitUnder, type Terms } from './terms.ts'

/** An account's state during a run, mutated in place because a Monte Carlo runs millions of days. Amounts are profit over the starting balance. */
export type Run = {
  profit: number
  net: number
  highestClose: number
  highest: number
  bestDay: number
  daysTraded: number
  daysWon: number
  payoutDaysWon: number
  /** Whether there was a hard breach, and whether the account passed before one. */
  lost: boolean
  passed: boolean
  /** Whether no day had trades in another currency, so that the sums are known. */
  whole: boolean
  // Of the last day:
  opening: number
  low: number
  high: number
  dayNet: number
  drawdownLimit: number | null
  /** The step of the day's path that reached a limit, `atOpening`, or `never`. */
  maxLossStep: number
  dailyLossStep: number
  /** What ended the run on that day. */
  lostBy: 'max-loss' | 'daily-loss' | 'time-limit' | null
}

/** No step reached the limit. */
export const never = -2
/** The limit was reached before the first trade, by the day's adjustment. */
export const atOpening = -1

/** A run that continues from past days. */
export const runFrom = (past: Past): Run => ({
  profit: past.profit, net: past.net, highestClose: past.highestClose, highest: past.highest, bestDay: past.bestDay,
  daysTraded: past.daysTraded, daysWon: past.daysWon, payoutDaysWon: past.payoutDaysWon,
  lost: past.breach !== null, passed: past.passed !== null, whole: past.foreign === null,
  opening: past.profit, low: past.profit, high: past.profit, dayNet: 0, drawdownLimit: null, maxLossStep: never, dailyLossStep: never, lostBy: null,
})

/**
 * Applies one day. `calendarDay` counts from 1. It continues after a breach as if unnoticed; with `pauses`, a daily loss ends the day at the step that
 * reached it, like at a broker that enforces it. Reaching a limit counts as broken.
 */
export const takeDay = (terms: Terms, run: Run, path: DayPath, calendarDay: number, pauses: boolean): void => {
  const { maxLoss, dailyLoss } = terms
  const { steps, moved, highest } = path
  const intraday = maxLoss?.trail === 'intraday'
  let profit = run.profit + path.adjustment
  // A booking between two sessions counts to the closing balance of the first.
  if (profit > run.highestClose) run.highestClose = profit
  if (intraday && profit > run.highest) run.highest = profit
  let drawdownLimit = maxLoss === null ? Number.NEGATIVE_INFINITY : drawdownLimitUnder(maxLoss, intraday ? run.highest : run.highestClose)
  const opening = profit
  let movedSince = 0
  const stop = dailyLoss === null ? Number.NEGATIVE_INFINITY : opening - dailyLoss.amount
  let low = profit
  let high = profit
  let maxLossStep = profit <= drawdownLimit ? atOpening : never
  let dailyLossStep = never
  for (let step = 0; step < steps.length; step += 1) {
    profit += steps[step] ?? 0
    if (moved !== null) {
      const amount = moved[step] ?? 0
      profit += amount
      movedSince += amount
    }
    if (profit > high) high = profit
    if (profit < low) low = profit
    if (intraday && profit > run.highest) {
      run.highest = profit
      drawdownLimit = drawdownLimitUnder(maxLoss, profit)
    }
    if (maxLossStep === never && profit <= drawdownLimit) maxLossStep = step
    if (dailyLossStep === never && profit - movedSince <= stop) dailyLossStep = step
    if (pauses && dailyLossStep !== never) break
  }
  // Its time is unknown: compare it with the day's end only.
  if (intraday && highest !== null && opening + highest > run.highest) {
    run.highest = opening + highest
    drawdownLimit = drawdownLimitUnder(maxLoss, run.highest)
    if (maxLossStep === never && profit <= drawdownLimit) maxLossStep = steps.length - 1
  }
  run.opening = opening
  run.low = low
  run.high = high
  run.drawdownLimit = maxLoss === null ? null : drawdownLimit
  if (path.foreign) run.whole = false
  run.maxLossStep = run.whole ? maxLossStep : never
  run.dailyLossStep = path.foreign ? never : dailyLossStep
  closeDay(terms, run, profit, profit - opening - movedSince, path.trades > 0)
  endRun(terms, run, calendarDay)
}

const closeDay = (terms: Terms, run: Run, profit: number, net: number, traded: boolean): void => {
  run.profit = profit
  run.dayNet = net
  run.net += net
  run.highestClose = Math.max(run.highestClose, profit)
  run.highest = Math.max(run.highest, run.high)
  run.bestDay = Math.max(run.bestDay, net)
  if (!traded) return
  run.daysTraded += 1
  if (terms.winningDays !== null && net >= terms.winningDays.profit) run.daysWon += 1
  if (terms.payout?.winningDays && net >= terms.payout.winningDays.profit) run.payoutDaysWon += 1
}

const endRun = (terms: Terms, run: Run, calendarDay: number): void => {
  run.lostBy = null
  if (run.lost) return
  const late = run.whole && terms.timeLimit !== null && calendarDay > terms.timeLimit && !run.passed
  run.lostBy = late ? 'time-limit' : lossOf(terms, run)
  run.lost = run.lostBy !== null
  if (run.whole && !run.lost && !run.passed) run.passed = isPassed(terms, run)
}

// The earlier one; at the same step the max loss, which is final.
const lossOf = ({ dailyLoss }: Terms, { maxLossStep, dailyLossStep }: Run): 'max-loss' | 'daily-loss' | null => {
  const daily = dailyLoss?.hard === true ? dailyLossStep : never
  if (maxLossStep !== never && (daily === never || maxLossStep <= daily)) return 'max-loss'
  return daily === never ? null : 'daily-loss'
}
