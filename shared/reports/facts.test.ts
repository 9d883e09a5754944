import { describe, expect, it } from 'vitest'
import type { Finding } from '#shared/api/reports.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import { factsOf } from './facts.ts'

const [usd, eur] = ['USD' as Currency, 'EUR' as Currency]
const minute = 60_000
// Monday 2 March 2026, 9:00 in New York.
const monday = Date.UTC(2026, 2, 2, 14)

const trade = (index: number, gross: number, more: Partial<ReportTrade> = {}): ReportTrade => ({
  id: `t${String(index)}`, date: '2026-03-02', tradingDay: '2026-03-02', entryTime: monday + index * 10 * minute, exitTime: monday + index * 10 * minute + 4 * minute, symbol: 'MESM6', account: 'a', side: 'long', currency: usd,
  grossPnl: amountOf(gross * 100), commission: amountOf(19_000), netPnl: amountOf(gross * 100 - 19_000), quantity: 1, ...more,
})
const none = { findings: [], tried: 0, level: 0.05 }
const options = { zone: 'America/New_York' }
const valuesOf = (facts: ReturnType<typeof factsOf>, at: number) => Object.fromEntries((facts[at]?.fact.measures ?? []).map(({ name, value, currency }) => [currency === null ? name : `${name} ${currency}`, value]))

describe('facts', () => {
  // Gross in cents: 20.00, -10.00, -15.00, 30.00, 0; each costs 1.90.
  const trades = [trade(0, 2000), trade(1, -1000), trade(2, -1500, { side: 'short' }), trade(3, 3000, { account: 'b', symbol: 'MNQM6' }), trade(9, 0, { tradingDay: '2026-03-03' })]

  it('of the whole period match a hand computation', () => {
    expect(valuesOf(factsOf(trades, none, options), 0)).toEqual({
      'net USD': '15.50', 'gross USD': '25.00', 'commission USD': '-9.50', 'average USD': '3.10', 'average-win USD': '25.00', 'average-loss USD': '-12.50', 'largest-win USD': '30.00', 'largest-loss USD': '-15.00', 'profit-factor USD': '2.000000', 'drawdown USD': '-28.80',
      trades: '5', wins: '2', losses: '2', 'win-rate': '0.400000', days: '2', hold: '240000', 'longest-wins': '1', 'longest-losses': '2',
    })
  })

  it('are of each group, with the trades behind them, and always the same', () => {
    const facts = factsOf(trades, none, options)
    expect(facts.map(({ fact: { id, kind, about, trades: count }, members }) => [id, kind, about, count, [...members]])).toEqual([
      ['f1', 'total', {}, 5, [0, 1, 2, 3, 4]],
      ['f2', 'account', { account: 'a' }, 4, [0, 1, 2, 4]],
      ['f3', 'account', { account: 'b' }, 1, [3]],
      ['f4', 'product', { product: 'MES' }, 4, [0, 1, 2, 4]],
      ['f5', 'product', { product: 'MNQ' }, 1, [3]],
      ['f6', 'side', { side: 'long' }, 4, [0, 1, 3, 4]],
      ['f7', 'side', { side: 'short' }, 1, [2]],
      ['f8', 'weekday', { weekday: 1 }, 5, [0, 1, 2, 3, 4]],
      ['f9', 'hour', { hour: 9 }, 4, [0, 1, 2, 3]],
      ['f10', 'hour', { hour: 10 }, 1, [4]],
      ['f11', 'day', { day: '2026-03-02' }, 4, [0, 1, 2, 3]],
      ['f12', 'day', { day: '2026-03-03' }, 1, [4]],
    ])
    expect(valuesOf(facts, 6)).toEqual({ 'net USD': '-16.90', 'average USD': '-16.90', trades: '1', wins: '0', losses: '1', 'win-rate': '0.000000' })
    expect(factsOf(trades, none, options)).toEqual(facts)
  })

  it('never add currencies', () => {
    const facts = factsOf([trade(0, 2000), trade(1, 3000, { currency: eur })], none, options)
    expect(valuesOf(facts, 0)).toMatchObject({ 'net USD': '18.10', 'net EUR': '28.10', trades: '2', 'win-rate': '1.000000' })
  })

  it('of a finding have its figures once, and its trades', () => {
    const finding: Finding = { key: 'x', kind: 'hour', about: { hour: 9 }, currency: 'USD', evidence: 'evident', trades: 2, others: 3, net: '6.20', excess: { value: '-5.00', low: '-9.00', high: '-1.00' }, chance: { alone: 0.001, corrected: 0.0000001 }, measures: [{ name: 'net', unit: 'money', value: '6.20', currency: 'USD' }, { name: 'hold', unit: 'time', value: '240000', currency: null }], bars: [], barsIn: 'money' }
    const last = factsOf(trades, { findings: [{ finding, members: Uint32Array.of(0, 1) }], tried: 9, level: 0.05 }, options).at(-1)
    expect(last).toEqual({
      fact: {
        id: 'f13', kind: 'hour', about: { hour: 9 }, finding: 'x', trades: 2,
        measures: [
          { name: 'net', unit: 'money', value: '6.20', currency: 'USD' }, { name: 'trades', unit: 'count', value: '2', currency: null },
          { name: 'excess', unit: 'money', value: '-5.00', currency: 'USD' }, { name: 'excess-low', unit: 'money', value: '-9.00', currency: 'USD' }, { name: 'excess-high', unit: 'money', value: '-1.00', currency: 'USD' },
          { name: 'chance', unit: 'chance', value: '0.000001', currency: null }, { name: 'hold', unit: 'time', value: '240000', currency: null },
        ],
      },
      members: Uint32Array.of(0, 1),
    })
  })

  it('stay within limits for any journal, keep the best and worst days, and are empty without trades', () => {
    const many = Array.from({ length: 3000 }, (_, index) => trade(index, index % 2 === 0 ? index : -index, { entryTime: monday + index * 37 * minute, tradingDay: `2026-${String((index % 4) + 1).padStart(2, '0')}-${String((index % 25) + 1).padStart(2, '0')}`, account: `a${String(index % 90)}`, symbol: `P${String(index % 60)}XM6` }))
    const facts = factsOf(many, none, options)
    expect(facts.length).toBeLessThanOrEqual(150)
    expect(new Set(facts.map(({ fact }) => fact.id)).size).toBe(facts.length)
    const days = facts.filter(({ fact }) => fact.kind === 'day')
    expect(days).toHaveLength(20)
    expect(factsOf([], none, options)).toEqual([])
  })
})
