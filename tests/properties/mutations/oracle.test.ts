import { expect, test } from 'vitest'
import { firstInFirstOut, fine, inOrder, type Fact } from './oracle.ts'

/** A fill of MES: a tick is 0.25 points and worth 1.25 dollars; the price is in points. */
const fill = (id: string, second: number, side: 'buy' | 'sell', qty: number, price: number, fee = 0n, more: Partial<Fact> = {}): Fact => ({
  id, account: 'A', contract: 'MESH6', time: second * 1000, side, qty, sum: price * 4 * qty, tickValue: 12_500n, fee, day: '2026-02-03',
  ...more,
})

const plain = (fills: readonly Fact[]) => {
  const { pairs, open } = firstInFirstOut(inOrder(fills))
  return { pairs: pairs.map(({ open: one, close, qty, gross, fees, trade }) => [one.id, close.id, qty, Number(gross / fine) / 10_000, Number(fees / fine) / 10_000, trade]), open: [...open] }
}

test('the oldest contracts are closed first, by hand: (5010 - 5000) × 5 = 50 and (5010 - 5004) × 5 = 30', () => {
  expect(plain([fill('1', 1, 'buy', 1, 5000, 3_900n), fill('2', 2, 'buy', 1, 5004, 3_900n), fill('3', 3, 'sell', 2, 5010, 7_800n)])).toEqual({
    pairs: [['1', '3', 1, 50, 0.78, 0], ['2', '3', 1, 30, 0.78, 0]],
    open: [],
  })
})

test('a fill through zero closes and opens, and its fee is split: 3 sold on 1 held, 2 bought back', () => {
  expect(plain([fill('1', 1, 'buy', 1, 5000, 1_000n), fill('2', 2, 'sell', 3, 4998, 3_000n), fill('3', 3, 'buy', 2, 4990, 2_000n)])).toEqual({
    pairs: [['1', '2', 1, -10, 0.2, 0], ['2', '3', 2, 80, 0.4, 1]],
    open: [],
  })
})

test("overnight, across accounts and across contracts: none closes another's fills, and open lots are listed", () => {
  expect(plain([fill('1', 1, 'buy', 2, 5000), fill('2', 90_000, 'sell', 1, 5001, 0n, { day: '2026-02-04' }), fill('3', 3, 'sell', 2, 5000, 0n, { account: 'B' }), fill('4', 4, 'sell', 2, 5000, 0n, { contract: 'MESM6' })])).toEqual({
    pairs: [['1', '2', 1, 5, 0, 0]],
    open: [['A MESH6', 1], ['B MESH6', -2], ['A MESM6', -2]],
  })
})

test('within one timestamp the id gives the order, as a number and not as a text', () => {
  expect(plain([fill('9', 1, 'buy', 1, 5000), fill('10', 1, 'sell', 1, 5002), fill('11', 1, 'sell', 1, 5003), fill('12', 1, 'buy', 1, 5001)]).pairs).toEqual([['9', '10', 1, 10, 0, 0], ['11', '12', 1, 10, 0, 1]])
})

test("an order's average is its sum over its quantity: 2 at 5000.125 on average, sold one by one", () => {
  const order = { ...fill('1', 1, 'buy', 2, 0), sum: 40_001 }
  expect(plain([order, fill('2', 2, 'sell', 1, 5000.25), fill('3', 3, 'sell', 1, 5000)]).pairs).toEqual([['1', '2', 1, 0.625, 0, 0], ['1', '3', 1, -0.625, 0, 0]])
})
