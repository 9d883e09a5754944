import { countWhile } from '#shared/base/count-while.ts'
import type { ChartLimits } from '#shared/api/chart-limits.ts'
import type { RuleState } from '#shared/api/rules.ts'
import type { TickValue } from '#shared/market/contract-spec.ts'
import { sessionOf } from '#shared/market/session.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { openPnl, type PositionPath } from '#shared/prices/position-path.ts'
import type { Micros } from '#shared/prices/tape.ts'
import type { BrokerLimits, Past } from './day-facts.ts'
import { emptyPast } from './fold.ts'
import { evaluateRules } from './standing.ts'
import { isLocked, termsOf } from './terms.ts'

/** How far an account was from its limits at a moment. `atMost`: the drawdown limit may have been higher after an unseen peak. */
export type LimitsAt = { readonly maxLoss: RuleState | null; readonly dailyLoss: RuleState | null; readonly atMost: boolean }

/**
 * The limits of an account at each step of a replay, which are noted in their order first. Nothing that it says of a step
 * depends on a later one. `path` is that of all fills of the account in the trade's contract in the session.
 * `brokersDailyLoss` is the broker's own limit as it is now; the nearer of the two counts.
 */
export const createReplayLimits = (facts: ChartLimits, path: PositionPath, tickValue: TickValue, brokersDailyLoss: Amount | null = null) => {
  const { set, tradingDay, past: before } = facts
  const terms = termsOf(set)
  const broker: BrokerLimits | null = brokersDailyLoss === null ? null : { startingBalance: null, drawdownLimit: null, trailing: null, dailyLoss: brokersDailyLoss, reduceOnly: false, flatBy: null }
  const { opens, closes } = sessionOf(tradingDay)
  const booked = facts.booked.toSorted((one, other) => one.at - other.at)
  const past: Past = { ...emptyPast, ...before, profit: before.profit as Amount, highestClose: before.highestClose as Amount, highest: before.highest as Amount, lost: { 'max-loss': before.maxLoss, 'daily-loss': before.dailyLoss } }
  /** What was closed by the first so many, net and in this contract gross, with the lowest net so far. */
  const sums = [{ net: 0, gross: 0, lowest: 0, highest: 0 }]
  for (const { net, gross, apart } of booked) {
    const last = sums.at(-1) ?? { net: 0, gross: 0, lowest: 0, highest: 0 }
    const now = last.net + net
    sums.push({ net: now, gross: last.gross + (apart ? 0 : gross), lowest: Math.min(last.lowest, now), highest: Math.max(last.highest, now) })
  }
  const apart = booked.filter((one) => one.apart)
  /** The highest and lowest that the day made with open P&L, by step. */
  let [highest, lowest] = [new Float64Array(1 << 16), new Float64Array(1 << 16)]
  let length = 0

  const countBooked = (ms: number): number => countWhile(booked.length, (place) => (booked[place]?.at ?? Infinity) <= ms)
  const dayOf = (at: Micros, price: Ticks) => {
    const ms = at / 1000
    const made = sums[countBooked(ms)] ?? { net: 0, gross: 0, lowest: 0, highest: 0 }
    const held = path.after(path.countBy(at))
    // Nobody asks here what another contract was worth.
    const isKnown = !apart.some((one) => one.from <= ms && one.at > ms)
    const open = held.qty === 0 ? 0 : isKnown ? openPnl(held, price, tickValue) - made.gross : null
    return { made, held, open: isKnown ? open : null }
  }
  const isOfDay = (at: Micros): boolean => at >= opens * 1000 && at < closes * 1000

  return {
    get length() { return length },
    /** Notes the next step. */
    note: (at: Micros, price: Ticks): void => {
      if (length === highest.length) {
        const grown = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
          const more = new Float64Array(old.length * 2)
          more.set(old)
          return more
        }
        ;[highest, lowest] = [grown(highest), grown(lowest)]
      }
      const [high, low] = length === 0 ? [0, 0] : [highest[length - 1] ?? 0, lowest[length - 1] ?? 0]
      const { made, open } = isOfDay(at) ? dayOf(at, price) : { made: null, open: null }
      const sum = made === null || open === null ? null : made.net + open
      highest[length] = sum === null || sum < high ? high : sum
      lowest[length] = sum === null || sum > low ? low : sum
      length += 1
    },
    /** The limits at a step; null outside of the session of the trade's last fill. */
    at: (step: number, at: Micros, price: Ticks): LimitsAt | null => {
      if (!isOfDay(at)) return null
      const { made, held, open } = dayOf(at, price)
      const ms = Math.floor(at / 1000)
      const moved = facts.moves.reduce((sum, move) => sum + (move.at <= ms ? move.amount : 0), 0)
      const begins = terms.start + before.profit + moved
      const seen = Math.min(step, length - 1)
      const [high, low] = seen < 0 ? [0, 0] : [highest[seen] ?? 0, lowest[seen] ?? 0]
      const now = {
        at: ms, session: tradingDay, balance: amountOf(begins + made.net), dayRealized: amountOf(made.net), open: open === null ? null : amountOf(open),
        positions: held.qty === 0 && open !== null ? [] : [{ contract: '', product: '', net: held.qty === 0 ? 1 : held.qty }], others: [], moved: [amountOf(moved)], openCosts: zero,
        peak: amountOf(begins + Math.max(high, made.highest)),
        earlierPeak: null,
        trough: amountOf(begins + Math.min(low, made.lowest)),
        lowestBalance: amountOf(begins + made.lowest),
        lowestRealized: amountOf(made.lowest),
        lowestDay: amountOf(Math.min(low, made.lowest)),
      }
      const { states } = evaluateRules(set, past, now, broker)
      const stateOf = (rule: RuleState['rule']): RuleState | null => states.find((state) => state.rule === rule) ?? null
      const peak = Math.max(before.highest, before.profit + moved + Math.max(high, made.highest))
      return { maxLoss: stateOf('max-loss'), dailyLoss: stateOf('daily-loss'), atMost: terms.maxLoss?.trail === 'intraday' && !isLocked(terms.maxLoss, peak) }
    },
  }
}
