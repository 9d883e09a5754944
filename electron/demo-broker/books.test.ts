import { describe, expect, it } from 'vitest'
import { frontMonth, productNamed } from './contracts.ts'
import { keepBooks } from './books.ts'
import type { Action, Execution } from './world.ts'

const SESSION = '2026-11-20'
const contract = frontMonth(productNamed('MES'), SESSION)
const MES_TICK = 12_500

const fill = (step: number, action: Action, qty: number, ticks: number, bustedAt: number | null = null): Execution => ({
  id: step * 100, orderId: step, accountId: 1, contract, session: SESSION, time: step, action, qty, ticks, bustedAt,
})

const pairsOf = (...fills: Execution[]) =>
  keepBooks(fills, Infinity).pairs.map(({ buy, sell, qty, gross }) => [buy.time, sell.time, qty, gross / MES_TICK])

describe('the broker’s own books', () => {
  it('match first in, first out: the older entry is closed before the newer', () => {
    expect(pairsOf(fill(1, 'Buy', 2, 1000), fill(2, 'Buy', 1, 990), fill(3, 'Sell', 1, 1010), fill(4, 'Sell', 2, 1020))).toEqual([
      [1, 3, 1, 10], [1, 4, 1, 20], [2, 4, 1, 30],
    ])
  })

  it('split a reversal: the rest opens the other side', () => {
    expect(pairsOf(fill(1, 'Sell', 1, 1000), fill(2, 'Buy', 3, 990), fill(3, 'Sell', 2, 985))).toEqual([[2, 1, 1, 10], [2, 3, 2, -10]])
  })

  it('leave out busted fills', () => {
    expect(pairsOf(fill(1, 'Buy', 1, 1000), fill(2, 'Buy', 1, 900, 5), fill(3, 'Sell', 1, 1001))).toEqual([[1, 3, 1, 1]])
  })

  it('number a fill’s pairs after its own id', () => {
    const { pairs } = keepBooks([fill(1, 'Buy', 1, 1000), fill(2, 'Buy', 1, 1000), fill(3, 'Sell', 2, 1001)], Infinity)
    expect(pairs.map(({ id }) => id)).toEqual([301, 302])
  })

  it('keep the average price of the open contracts', () => {
    const { positions } = keepBooks([fill(1, 'Buy', 1, 1000), fill(2, 'Buy', 2, 1003), fill(3, 'Sell', 1, 1010)], Infinity)
    expect([...positions.values()][0]).toMatchObject({ bought: 3, sold: 1, net: { qty: 2, ticks: 2006 }, before: { qty: 0, ticks: 0 } })
  })
})
