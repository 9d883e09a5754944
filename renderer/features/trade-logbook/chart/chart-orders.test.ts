import { expect, test } from 'vitest'
import { flatStop, orderSegments } from './chart-orders.ts'

const second = 1000
const stop = { side: 'sell', kind: 'stop', steps: [{ at: 61 * second, price: 100, qty: 1 }, { at: 200 * second, price: 110, qty: 1 }], until: 400 * second } as const
const facts = { orders: [{ ...stop, steps: [...stop.steps] }] }

test('an order is a line of each price, from its candle to the candle of the next', () => {
  expect(orderSegments(facts, 60)).toEqual([
    { order: 0, kind: 'stop', from: 60, to: 180, price: 100 },
    { order: 0, kind: 'stop', from: 180, to: 360, price: 110 },
  ])
})

test('a replay shows of an order what was known at its moment', () => {
  expect(orderSegments(facts, 1, 60_000_000)).toEqual([])
  expect(orderSegments(facts, 1, 100_000_000)).toEqual([{ order: 0, kind: 'stop', from: 61, to: 100, price: 100 }])
  expect(orderSegments(facts, 1, 250_000_000)).toEqual([{ order: 0, kind: 'stop', from: 61, to: 200, price: 100 }, { order: 0, kind: 'stop', from: 200, to: 250, price: 110 }])
})

test('the stop that was entered shows where no stop order is known', () => {
  expect(flatStop(facts, 99)).toBeNull()
  expect(flatStop({ orders: facts.orders.map((order) => ({ ...order, kind: 'limit' as const })) }, 99)).toBe(99)
})
