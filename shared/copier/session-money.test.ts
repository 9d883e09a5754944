import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { moneyMoved, noMoney, type BetweenCash, type SessionMoney } from './session-money.ts'

const dollars = (value: number) => amountOf(Math.round(value * 10_000))
/** What the broker tells of both, when so many sides were traded that cost about 1.00 each. */
const between = (gap: number, sides = 0): BetweenCash => ({ gap: dollars(gap), fees: dollars(sides), most: dollars(3 * sides) })
const moved = (...told: (BetweenCash | null)[]): number => told.reduce<SessionMoney>(moneyMoved, noMoney).moved / 10_000

test('fees are no money that went out, however they are booked', () => {
  expect(moved(between(0), between(-2.04, 2), between(-40.8, 40))).toBe(0)
  // Realised after fees: nothing lies between.
  expect(moved(between(0, 40))).toBe(0)
  // Their row comes before the position's.
  expect(moved(between(-20), between(-20, 20))).toBe(0)
})

test('a payout is told to the cent where nothing was traded beside it, before and after the day’s fees', () => {
  expect(moved(between(-40.8, 40), between(-1_540.8, 40))).toBe(-1_500)
  expect(moved(between(-40.8, 40), between(-1_540.8, 40), between(-1_561.2, 60))).toBe(-1_500)
  expect(moved(between(-40.8, 40), between(-1_540.8, 40), between(-540.8, 40))).toBe(-500)
  expect(moved(between(0), between(2_000))).toBe(2_000)
})

test('where it was not seen to go, it is what no fees can be', () => {
  expect(moved(between(-1_540.8, 40))).toBe(-1_500.8)
  expect(moved(between(1_960, 40))).toBe(2_000)
  // After a restart what was known before holds.
  expect(moneyMoved({ moved: dollars(-1_500), last: null }, between(-1_561.2, 60)).moved).toBe(dollars(-1_500))
})

test('what the broker does not tell changes nothing of what is known', () => {
  expect(moved(between(-1_500), null)).toBe(-1_500)
  expect(moved(null)).toBe(0)
})
