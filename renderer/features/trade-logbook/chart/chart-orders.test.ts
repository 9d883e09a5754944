import { expect, test } from 'vitest'
import { flatStop, orderSegments, workingStop } from './chart-orders.ts'

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

test('the working stop is the first price at which a stop order worked to close the trade after its entry', () => {
  const fills = [{ at: 300 * second, qty: -1, price: 120 }, { at: 100 * second, qty: 1, price: 105 }]
  const of = (...orders: Parameters<typeof workingStop>[0]['orders']): string | null => workingStop({ fills, tickSize: '0.25', orders })
  const order = (kind: 'stop' | 'limit', side: 'buy' | 'sell', until: number, ...steps: readonly (readonly [at: number, price: number])[]) => ({ kind, side, until: until * second, steps: steps.map(([at, price]) => ({ at: at * second, price, qty: 1 })) })
  // It was moved before the entry, and after it.
  expect(of(order('stop', 'sell', 400, [61, 100], [90, 101], [200, 110]))).toBe('25.25')
  // Neither a target, nor an entry, nor what ended with the entry is one.
  expect(of(order('limit', 'sell', 400, [101, 140]), order('stop', 'buy', 400, [101, 130]), order('stop', 'sell', 100, [50, 90]))).toBeNull()
  expect(of(order('stop', 'sell', 400, [150, 103]), order('stop', 'sell', 140, [101, 102]))).toBe('25.50')
  expect(workingStop({ fills: [{ at: 100 * second, qty: -1, price: 105 }], tickSize: '0.25', orders: [order('stop', 'buy', 300, [101, 111])] })).toBe('27.75')
  expect(workingStop({ fills: [], tickSize: '0.25', orders: [] })).toBeNull()
})
