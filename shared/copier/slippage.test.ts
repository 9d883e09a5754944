import { describe, expect, it } from 'vitest'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { slippageOf } from './slippage.ts'

describe('slippage', () => {
  const ticks = (price: string, size = '0.25'): Ticks => {
    const read = parsePrice(price, size)
    if (!read.ok) throw new Error(`No price: ${price}`)
    return read.value
  }
  const mnq = { tickSize: '0.25', tickValue: { num: 5000, den: 1 } }
  const leader = { price: ticks('21000.00'), tickSize: '0.25' }
  it.each([
    ['is worse above the leader for a buy', 'buy', [['21000.50', 2], ['21000.00', 1]], { ticks: 4, money: 2_0000 }],
    ['is better above the leader for a sell', 'sell', [['21000.50', 2]], { ticks: -4, money: -2_0000 }],
    ['is worse below the leader for a sell', 'sell', [['20999.75', 1]], { ticks: 1, money: 5000 }],
    ['is 0 at the leader’s price', 'sell', [['21000.00', 3]], { ticks: 0, money: 0 }],
    ['is null before a fill', 'buy', [], null],
  ] as const)('%s', (_name, side, fills, wanted) => {
    const own = fills.map(([price, qty]) => ({ price: ticks(price), qty }))
    expect(slippageOf({ side, leader, follower: mnq, fills: own })).toEqual(wanted)
  })

  it('is null if tick sizes differ, but not if only their notation does', () => {
    const fills = [{ price: 1 as Ticks, qty: 1 }]
    expect(slippageOf({ side: 'buy', leader: { price: 0 as Ticks, tickSize: '0.01' }, follower: { tickSize: '0.025', tickValue: { num: 125_000, den: 1 } }, fills })).toBeNull()
    expect(slippageOf({ side: 'buy', leader: { price: 0 as Ticks, tickSize: '0.250' }, follower: mnq, fills })).toEqual({ ticks: 1, money: 5000 })
  })

  it('is exact if a tick is worth a fraction of the smallest amount', () => {
    const fills = [{ price: 3 as Ticks, qty: 1 }]
    expect(slippageOf({ side: 'buy', leader: { price: 0 as Ticks, tickSize: '1' }, follower: { tickSize: '1', tickValue: { num: 1, den: 3 } }, fills })).toEqual({ ticks: 3, money: 1 })
  })
})
