import { describe, expect, it } from 'vitest'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import { money } from '#tests/helpers/counted-trade.ts'
import { createRDistribution, rUnits } from './r-multiple.ts'
import { createTradeRisks, riskBy, type DefaultStop, type PairEntry } from './risk.ts'

const entry = (symbol: string, price: string, qty: number, stop: string | null, tickSize = contractSpecOf(symbol).tickSize): PairEntry => {
  const ticks = parsePrice(price, tickSize)
  if (!ticks.ok) throw new Error(ticks.error)
  return { symbol, side: 'long', price: ticks.value, tickSize, qty, stop }
}

const riskOf = (entry: PairEntry, defaults: readonly (readonly [string, DefaultStop])[] = []) => riskBy(new Map(defaults))(entry, contractSpecOf(entry.symbol))

describe('risk', () => {
  it.each([
    ['MESM6', '5000.00', 3, '4995.00', '75', '20 ticks of 1.25, three contracts'],
    ['MESM6', '5000.00', 3, '5005', '-75', 'a stop above the entry of a long trade, where only a profit would be stopped'],
    ['ZFU6', '110.0000000', 1, '109.9921875', '7.8125', 'a tick that is worth no whole cents'],
    ['MESM6', '5000.00', 1, '4999.90', '0.5', 'a stop between ticks: 0.4 of one'],
    ['CLZ6', '-37.63', 2, '-38.13', '1000', 'a price below zero'],
    ['MYSTERY', '10.5', 2, '10', '1', 'an unknown contract is worth its price'],
  ])('of %s at %s x %i with a stop at %s is %s (%s)', (symbol, price, qty, stop, risk) => expect(riskOf(entry(symbol, price, qty, stop))).toBe(money(risk)))

  it('of a short trade lies above its entry', () => {
    expect(['5005', '4995'].map((stop) => riskOf({ ...entry('MESM6', '5000.00', 3, stop), side: 'short' }))).toEqual([money(75), money(-75)])
  })

  it('is exact for an entry between ticks', () => {
    expect(riskOf(entry('MESM6', '5000.1', 2, '4999.85', '0.00000001'))).toBe(money('2.5'))
  })

  it('is rounded once, to 1/10,000', () => {
    // A third of the tick of 1.25 is 0.41666...
    expect(riskOf(entry('MESM6', '5000.00', 1, '4999.9166666667'))).toBe(money('0.4167'))
  })

  it('uses the product’s default if the trade has no stop', () => {
    const defaults = [['MES', { distance: '12', unit: 'ticks' }], ['ZF', { distance: '0.03125', unit: 'points' }], ['nq', { distance: '2.5', unit: 'points' }]] as const
    expect(riskOf(entry('MESM6', '5000', 2, null), defaults)).toBe(money(30))
    expect(riskOf(entry('ZFU6', '110', 1, null), defaults)).toBe(money('31.25'))
    expect(riskOf(entry('NQM6', '20000', 1, null), defaults)).toBe(money(50))
    expect(riskOf(entry('MESM6', '5000', 2, '4999'), defaults)).toBe(money(10))
    expect(riskOf(entry('ESM6', '5000', 2, null), defaults)).toBeNull()
  })

  it('is unknown without a stop, with a stop at the entry, or for an invalid stop', () => {
    expect(riskOf(entry('MESM6', '5000', 1, null))).toBeNull()
    expect(riskOf(entry('MESM6', '5000', 1, '5000.00'))).toBeNull()
    expect(riskOf(entry('MESM6', '5000', 1, 'below'))).toBeNull()
    expect(riskOf(entry('MESM6', '5000', 1, '900000000000000'))).toBeNull()
    for (const distance of ['0', '-4', 'far']) expect(riskOf(entry('MESM6', '5000', 1, null), [['MES', { distance, unit: 'ticks' }]])).toBeNull()
  })

  it('of a trade is the sum of its fill pairs’ risks, if each has one', () => {
    const trades = createTradeRisks()
    for (const [trade, risk] of [['one', 10], ['two', 5], ['one', 2.5], ['two', null], ['two', 5], ['far', 900_000_000_000], ['far', 900_000_000_000]] as const) trades.take(trade, risk === null ? null : money(risk))
    expect(trades.of('one')).toBe(money('12.5'))
    expect(trades.of('two')).toBeNull()
    expect(trades.of('far')).toBeNull()
    expect(trades.of('three')).toBeNull()
  })
})

describe('the R-multiple', () => {
  it.each([
    ['98', '50', 19_600],
    ['-52', '50', -10_400],
    ['1', '3', 3333],
    ['-2', '3', -6667],
    ['0', '3', 0],
    ['0.0005', '1000', 0],
    ['0.05', '1000', 1],
    ['-0.05', '1000', -1],
    ['-0.0499', '1000', 0],
    ['900000000000', '300000000000', 30_000],
  ])('of a net of %s at a risk of %s is %i / 10,000', (net, risk, units) => expect(rUnits({ netPnl: money(net), risk: money(risk) })).toBe(units))

  it('is unknown without a risk', () => {
    expect(rUnits({ netPnl: money(1) })).toBeNull()
    expect(rUnits({ netPnl: money(1), risk: null })).toBeNull()
  })

  it('counts in the bucket that starts with it', () => {
    const distribution = createRDistribution()
    for (const units of [-500_000, -30_001, -30_000, -1, 0, 4999, 5000, 49_999, 50_000, 9_000_000]) distribution.take(units)
    const buckets = distribution.result()
    expect(buckets).toHaveLength(18)
    expect(buckets.filter(({ count }) => count > 0)).toEqual([
      { from: null, to: -3, count: 2 },
      { from: -3, to: -2.5, count: 1 },
      { from: -0.5, to: 0, count: 1 },
      { from: 0, to: 0.5, count: 2 },
      { from: 0.5, to: 1, count: 1 },
      { from: 4.5, to: 5, count: 1 },
      { from: 5, to: null, count: 2 },
    ])
  })
})
