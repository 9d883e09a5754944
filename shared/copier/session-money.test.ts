import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { moneyMoved, noMoney, type BetweenCash, type SessionMoney } from './session-money.ts'

const dollars = (value: number) => amountOf(Math.round(value * 10_000))
/** The cash gap when `sides` sides were traded at about 1.00 each. */
const between = (gap: number, sides = 0): BetweenCash => ({ currency: 'USD', gap: dollars(gap), fees: dollars(sides), most: dollars(3 * sides) })
const moved = (...readings: (BetweenCash | null)[]): number => readings.reduce<SessionMoney>(moneyMoved, noMoney).moved / 10_000

test('fees are not withdrawals, however they are booked', () => {
  expect(moved(between(0), between(-2.04, 2), between(-40.8, 40))).toBe(0)
  // Realized after fees: no gap.
  expect(moved(between(0, 40))).toBe(0)
  // Their row comes before the position's.
  expect(moved(between(-20), between(-20, 20))).toBe(0)
})

test('fees that are booked after their trades are no withdrawals, and are taken for such once', () => {
  // 40 sides cost 40.80, which comes later than their rows: at once, or fill by fill.
  expect(moved(between(0), between(0, 40), between(-40.8, 40))).toBe(0)
  expect(moved(between(0, 40), between(-40.8, 40))).toBe(0)
  expect(moved(between(0), between(0, 80), between(-40.8, 80), between(-81.6, 80))).toBe(0)
  expect(moved(between(0), between(-40.8, 40), between(-40.8, 80), between(-81.6, 80))).toBe(0)
  // What goes afterwards is a payout, and so is more than they can cost.
  expect(moved(between(0), between(0, 40), between(-40.8, 40), between(-100.8, 40))).toBe(-60)
  expect(moved(between(0), between(0, 40), between(-1_500, 40), between(-1_540.8, 40))).toBe(-1_500)
})

test('cash in one currency is not subtracted from cash in another', () => {
  // Of dollars 100.00 went; 10.00 in euros are fees.
  expect(moved(between(0), between(-100), { ...between(-10), currency: 'EUR' })).toBe(0)
})

test('fees below the expected rate leave little due, so a payout after them is exact', () => {
  expect(moved(between(0), between(-36, 40), between(-96, 40))).toBe(-60)
  // 400 sides in 100 readings at 0.90 a side: only the last 4 can still be due.
  const day = Array.from({ length: 101 }, (_, reading) => between(-3.6 * reading, 4 * reading))
  expect(moved(...day, between(-400, 400))).toBe(-40)
  // Fees that come later still fit.
  expect(moved(between(0), between(-18, 40), between(-36, 40))).toBe(0)
})

test('new trades replace what the trades before them left due', () => {
  // Realized after fees: the gap stays 0, and 42 sides' fees never come.
  expect(moved(between(0), between(0, 40), between(0, 42), between(-60, 42))).toBe(-60)
  // Their own late fees are none.
  expect(moved(between(0), between(0, 40), between(0, 80), between(-40.8, 80))).toBe(0)
})

test('a payout is exact to the cent if nothing was traded meanwhile, before and after the day’s fees', () => {
  expect(moved(between(-40.8, 40), between(-1_540.8, 40))).toBe(-1_500)
  expect(moved(between(-40.8, 40), between(-1_540.8, 40), between(-1_561.2, 60))).toBe(-1_500)
  expect(moved(between(-40.8, 40), between(-1_540.8, 40), between(-540.8, 40))).toBe(-500)
  expect(moved(between(0), between(2_000))).toBe(2_000)
})

test('a payout that nobody saw leave is the part of the gap that fees cannot explain', () => {
  expect(moved(between(-1_540.8, 40))).toBe(-1_500.8)
  expect(moved(between(1_960, 40))).toBe(2_000)
  // After a restart the previous amount holds.
  expect(moneyMoved({ ...noMoney, moved: dollars(-1_500) }, between(-1_561.2, 60)).moved).toBe(dollars(-1_500))
})

test('a missing reading changes nothing', () => {
  expect(moved(between(-1_500), null)).toBe(-1_500)
  expect(moved(null)).toBe(0)
})
