import { describe, expect, it } from 'vitest'
import type { ChartLimits } from '#shared/api/chart-limits.ts'
import type { RuleSet } from '#shared/api/rules.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { positionPath } from '#shared/prices/position-path.ts'
import { createReplayLimits } from './replay-limits.ts'
import { noRules } from './terms.ts'

const clock = (hours: number, minutes: number, seconds = 0): number => Date.UTC(2026, 10, 24, hours, minutes, seconds)
const ticks = (price: number): Ticks => (price * 4) as Ticks
const money = (dollars: number): number => dollars * 10_000
const es = { num: money(12.5), den: 1 }

const set: RuleSet = {
  ...noRules('USD'), startingBalance: '50000',
  maxLoss: { amount: '2000', trail: 'end-of-day', locksAt: null, withOpen: true },
  dailyLoss: { amount: '1000', counts: 'with-open', breach: 'pause' },
}
// The day before made 500. Today a short lost 75 and paid 4 of fees; then two contracts went from 7,000 to 7,004 and paid 8. NQ was held from 14:31 to 14:32.
const facts: ChartLimits = {
  set, tradingDay: '2026-11-24', differs: false, moves: [],
  past: { days: 1, profit: money(500), highestClose: money(500), highest: money(500), maxLoss: null, dailyLoss: null },
  booked: [
    { from: clock(14, 20), at: clock(14, 24, 30), gross: money(-75), net: money(-79), apart: false },
    { from: clock(14, 31), at: clock(14, 32), gross: money(100), net: money(96), apart: true },
    { from: clock(14, 30, 10), at: clock(14, 35, 20), gross: money(400), net: money(392), apart: false },
  ],
}
const fills = [[clock(14, 20), -1, 7001.5], [clock(14, 24, 30), 1, 7003], [clock(14, 30, 10), 2, 7000], [clock(14, 35, 20), -2, 7004]] as const
const path = positionPath(fills.map(([ms, qty, price]) => ({ at: ms * 1000, qty, price: ticks(price) })))
const prices = [[clock(14, 29), 7003], [clock(14, 30, 40), 6997.5], [clock(14, 31, 30), 7001], [clock(14, 33), 7006.25], [clock(14, 35, 20), 7004]] as const

/** What is left at each of the prices, in dollars; null where it is not known. */
const leftOf = (given: ChartLimits, steps: readonly (readonly [ms: number, price: number])[] = prices, brokersDailyLoss: Amount | null = null) => {
  const limits = createReplayLimits(given, path, es, brokersDailyLoss)
  for (const [ms, price] of steps) limits.note(ms * 1000, ticks(price))
  return steps.map(([ms, price], step) => {
    const found = limits.at(step, ms * 1000, ticks(price))
    const isOpen = found?.maxLoss?.notes.includes('open-unknown') === true
    return isOpen ? null : { max: found?.maxLoss?.left, day: found?.dailyLoss?.left, atMost: found?.atMost, state: [found?.maxLoss?.state, found?.dailyLoss?.state] }
  })
}
const within = ['within', 'within']

describe('the limits in a replay', () => {
  it('are as far away as what was closed before and what is open make it', () => {
    // The drawdown limit lies at 50,000 + 500 - 2,000 = 48,500 all day.
    expect(leftOf(facts)).toEqual([
      // 50,000 + 500 - 79 = 50,421.
      { max: '1921.00', day: '921.00', atMost: false, state: within },
      // And -250 open: ten ticks against two contracts.
      { max: '1671.00', day: '671.00', atMost: false, state: within },
      // What NQ was worth is not known.
      null,
      // 500 - 79 + 96 closed, and 625 open.
      { max: '2642.00', day: '1642.00', atMost: false, state: within },
      // 500 - 79 + 96 + 392, nothing open.
      { max: '2409.00', day: '1409.00', atMost: false, state: within },
    ])
  })

  it('trail the highest equity of the steps so far, and say no more than that', () => {
    const intraday = { ...facts, set: { ...set, maxLoss: { amount: '2000', trail: 'intraday' as const, locksAt: null } } }
    const left = leftOf(intraday).map((one) => one && [one.max, one.atMost])
    // The peak of 51,142 at 14:33 lifts the drawdown limit to 49,142; 50,909 at the end is 1,767 above.
    expect(left).toEqual([['1921.00', true], ['1671.00', true], null, ['2000.00', true], ['1767.00', true]])
    // Locked, the drawdown limit is known whatever the peak was.
    const locked = { ...intraday, set: { ...intraday.set, maxLoss: { ...intraday.set.maxLoss, locksAt: '-1500' } } }
    expect(leftOf(locked).map((one) => one && [one.max, one.atMost])).toEqual([['1921.00', false], ['1671.00', false], null, ['2642.00', false], ['2409.00', false]])
  })

  it('stay broken once a step reached them', () => {
    const falls = [...prices.slice(0, 2), [clock(14, 30, 50), 6990], ...prices.slice(2)] as const
    // 79 + 1,000 lost at 6,990.
    expect(leftOf(facts, falls).map((one) => one && one.state[1])).toEqual(['within', 'within', 'paused', null, 'paused', 'paused'])
    const hard = { ...facts, past: { ...facts.past, profit: money(-1400), highestClose: 0, highest: 0 } }
    // The drawdown limit is 48,000: 48,600 - 79 - 250 is above it, 1,000 open loss is not.
    expect(leftOf(hard, falls).map((one) => one && one.state[0])).toEqual(['within', 'within', 'breached', null, 'breached', 'breached'])
  })

  it('hold the broker’s daily limit as well, of which the nearer counts', () => {
    const dayBy = (given: ChartLimits, dollars: number) => leftOf(given, prices, amountOf(money(dollars))).map((one) => one && [one.day, one.state[1]])
    // Of 300, 79 closed and 250 open at 6,997.50 are more: paused from then on.
    expect(dayBy(facts, 300)).toEqual([['221.00', 'within'], ['-29.00', 'paused'], null, ['942.00', 'paused'], ['709.00', 'paused']])
    // The rules' own 1,000 are nearer than 1,200.
    expect(dayBy(facts, 1200)).toEqual([['921.00', 'within'], ['671.00', 'within'], null, ['1642.00', 'within'], ['1409.00', 'within']])
    // And alone, without rules of one's own.
    expect(dayBy({ ...facts, set: noRules('USD') }, 300)[0]).toEqual(['221.00', 'within'])
  })

  it('count transfers from their moment on, and nothing outside of the session', () => {
    const paid = { ...facts, moves: [{ at: clock(14, 32, 30), amount: money(-300) }] }
    expect(leftOf(paid).map((one) => one && one.max)).toEqual(['1921.00', '1671.00', null, '2342.00', '2109.00'])
    expect(createReplayLimits(facts, path, es).at(0, clock(14, 0) * 1000 - 86_400_000_000, ticks(7000))).toBeNull()
  })
})
