import { expect, test } from 'vitest'
import { noRules } from './terms.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import { sessionOf } from '#shared/market/session.ts'
import type { DayFacts, NowFacts } from './day-facts.ts'
import { foldDays } from './fold.ts'
import { replay } from './replay.ts'
import { evaluateRules, factsOfToday } from './standing.ts'
import { foldHeld, unexplainedBy } from './unexplained.ts'

const dollars = (amount: number) => amountOf(amount * 10_000)
const set = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'end-of-day' as const, locksAt: null }, profitTarget: '3000' }
const day = (tradingDay: string, ...nets: number[]): DayFacts => {
  const { opens } = sessionOf(tradingDay)
  return { tradingDay, adjustment: zero, trades: nets.map((net, index) => ({ product: 'MES', qty: 1, entryAt: opens + index * 60_000, exitAt: opens + index * 60_000 + 1000, net: dollars(net) })) }
}
const days = [day('2026-03-02', 3500), day('2026-03-03', -2500)]
const last = sessionOf('2026-03-03').opens + 1000

test('what a balance has beyond its start and what was booked until then is unexplained; what was booked later is not counted', () => {
  expect(unexplainedBy(days, set, { amount: dollars(51_000), at: last, openCosts: zero })).toBe(0)
  expect(unexplainedBy(days, set, { amount: dollars(53_500), at: last - 1, openCosts: zero })).toBe(0)
  expect(unexplainedBy(days, set, { amount: dollars(52_200), at: last, openCosts: zero })).toBe(dollars(1200))
  // Four dollars of fees explain no five, and nothing that was made.
  const left = (balance: number) => unexplainedBy(days, set, { amount: dollars(balance), at: last, openCosts: dollars(4) })
  expect([left(50_996), left(50_995), left(51_001)]).toEqual([0, dollars(-5), dollars(1)])
  const paid = [{ ...day('2026-03-02', 3500), adjustment: dollars(-100), moves: [{ at: last, amount: dollars(-300) }] }]
  expect(unexplainedBy(paid, set, { amount: dollars(53_100), at: last, openCosts: zero })).toBe(0)
  expect(unexplainedBy(paid, set, { amount: dollars(53_400), at: last - 1, openCosts: zero })).toBe(0)
})

test('an account passed, or was lost, only if it did with what is unexplained made before its days as well as after them', () => {
  const sure = foldDays(set, days).past
  expect(sure).toMatchObject({ passed: '2026-03-02', breach: { tradingDay: '2026-03-03' } })
  expect(foldHeld(set, days, zero)).toEqual(sure)
  expect(foldHeld(set, days, dollars(100))).toEqual(sure)
  // 1,000 less at the start: the target was out of reach, and 49,500 are over the drawdown limit of 50,500 less 1,000.
  const held = foldHeld(set, [day('2026-03-02', 3500), day('2026-03-03', -2100)], dollars(-3500))
  expect(held).toMatchObject({ passed: null, breach: { tradingDay: '2026-03-03' } })
  expect(foldHeld(set, [day('2026-03-02', -2100), day('2026-03-03', 500)], dollars(1200))).toMatchObject({ breach: { tradingDay: '2026-03-02' } })
  expect(foldHeld({ ...set, maxLoss: { amount: '2000', trail: 'static', locksAt: null } }, [day('2026-03-02', -2100)], dollars(1200))).toMatchObject({ breach: null, lost: { 'max-loss': null } })
})

test('the days of a history lead to the balance that the account has; with less, they keep their start', () => {
  const ends = (balance: number) => replay(set, days, { amount: dollars(balance), openCosts: zero }).days.map((each) => each.balance)
  expect(ends(51_000)).toEqual(['53500.00', '51000.00'])
  expect(ends(53_000)).toEqual(['55500.00', '53000.00'])
  expect(ends(50_000)).toEqual(['53500.00', '51000.00'])
  const notes = (balance: number) => replay(set, days, { amount: dollars(balance), openCosts: zero }).days.map(({ states }) => states[0]?.notes)
  expect(notes(51_000)).toEqual([[], []])
  expect(notes(53_000)).toEqual([[], ['balance-differs']])
  expect(notes(50_000)).toEqual([[], ['balance-differs']])
})

test('what a broker still shows of a session that is over is not counted beside the days that hold it', () => {
  const past = foldDays(set, days).past
  const saturday = Date.parse('2026-03-07T15:00:00Z')
  const facts = (balance: number, session: string): NowFacts => ({
    at: saturday, session, balance: dollars(balance), dayRealized: dollars(-2500), open: zero, positions: [], others: [], moved: [], openCosts: zero,
    peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealized: dollars(-2500), lowestDay: dollars(-2500),
  })
  const over = factsOfToday(set, past, facts(51_000, '2026-03-03'), null)
  expect([over.dayRealized, over.lowestDay]).toEqual([0, null])
  const notes = (now: NowFacts) => evaluateRules(set, past, now, null).states.find(({ rule }) => rule === 'max-loss')?.notes
  expect(notes(facts(51_000, '2026-03-03'))).toContain('balance-differs')
  expect(notes(over)).not.toContain('balance-differs')
  // The days do not hold it yet, or it is today's.
  expect(factsOfToday(set, past, facts(48_500, '2026-03-03'), null).dayRealized).toBe(dollars(-2500))
  expect(factsOfToday(set, past, facts(51_000, '2026-03-09'), null).dayRealized).toBe(dollars(-2500))
  // By the size that the broker names.
  expect(factsOfToday(set, past, facts(101_000, '2026-03-03'), { startingBalance: dollars(100_000), drawdownLimit: null, trailing: null, dailyLoss: null, reduceOnly: false, flatBy: null }).dayRealized).toBe(0)
})
