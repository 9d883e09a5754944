import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Amount, Currency } from '#shared/money/money.ts'
import { dryRunReport, type DryOrder } from './dry-run.ts'

const at = Date.UTC(2026, 0, 5, 15)
const day = 86_400_000
const order = (more: Partial<DryOrder> = {}): DryOrder => ({ run: 'g1 0', runEnded: false, at, account: 'a', contract: 'MNQH6', side: 'buy', qty: 1, leaderContract: 'NQH6', price: '21600.00', ...more })
const tableFees = { from: '2026-01-01', feeOf: () => null }

describe('a dry run in money', () => {
  test('fills at the leader’s price, first in, first out, less the fees of each side', () => {
    const { days, total, open } = dryRunReport([order({ qty: 2 }), order({ price: '21610.25' }), order({ side: 'sell', qty: 3, price: '21620.50', at: at + day })], { ...tableFees, feeOf: () => ({ fee: 3700 as Amount, qty: 1, currency: 'USD' as Currency, from: 'own' }) })
    // 2 × 20.50 + 1 × 10.25 points at 2 dollars.
    expect(days).toEqual([
      { day: '2026-01-06', orders: 1, contracts: 3, money: [{ currency: 'USD', gross: '102.50', fees: '1.11', net: '101.39' }], lines: [{ follower: 'a', contract: 'MNQH6', orders: 1, bought: 0, sold: 3, currency: 'USD', gross: '102.50', fees: '1.11', net: '101.39' }] },
      { day: '2026-01-05', orders: 2, contracts: 3, money: [{ currency: 'USD', gross: '0.00', fees: '1.11', net: '-1.11' }], lines: [{ follower: 'a', contract: 'MNQH6', orders: 2, bought: 3, sold: 0, currency: 'USD', gross: '0.00', fees: '1.11', net: '-1.11' }] },
    ])
    expect(total).toEqual({ orders: 3, contracts: 6, money: [{ currency: 'USD', gross: '102.50', fees: '2.22', net: '100.28' }] })
    expect(open).toEqual([])
  })

  test('a reversal closes and opens; what stays open is named and counts with its fee alone', () => {
    const { total, open } = dryRunReport([order({ price: '21600.00' }), order({ side: 'sell', qty: 3, price: '21590.00' })], tableFees)
    expect(total.money[0]?.gross).toBe('-20.00')
    expect(open).toEqual([{ follower: 'a', contract: 'MNQH6', net: -2, runEnded: false }])
  })

  test('each arming begins flat', () => {
    const { total, open } = dryRunReport([order({ runEnded: true }), order({ run: 'g1 7', side: 'sell', price: '21700.00' })], tableFees)
    expect(total.money[0]?.gross).toBe('0.00')
    expect(open.map(({ net, runEnded }) => [net, runEnded])).toEqual([[1, true], [-1, false]])
  })

  test('days before the first asked one only say what was held', () => {
    const { days, total } = dryRunReport([order(), order({ side: 'sell', price: '21601.00', at: at + day })], { ...tableFees, from: '2026-01-06' })
    expect([days.map((one) => one.day), total.orders, total.money[0]?.gross]).toEqual([['2026-01-06'], 1, '2.00'])
  })

  test('an order without a fill of the leader takes the last price, and one of another market none', () => {
    const repaired = dryRunReport([order(), order({ side: 'sell', price: null, leaderContract: 'MNQH6' })], tableFees)
    expect([repaired.assumed, repaired.unpriced, repaired.total.money[0]?.gross]).toEqual([1, 0, '0.00'])
    const other = dryRunReport([order({ contract: 'MESH6' }), order({ contract: 'MESH6', side: 'sell' })], tableFees)
    expect([other.assumed, other.unpriced, other.total.money[0]?.gross]).toEqual([0, 1, '0.00'])
  })

  test('says where each commission comes from, and shares out a charge of several contracts exactly', () => {
    const charged = { fee: 10_000 as Amount, qty: 3, currency: 'USD' as Currency, from: 'account' as const }
    const { feesFrom, total } = dryRunReport([order({ qty: 3 }), order({ contract: 'MESH6' }), order({ contract: 'XQZH6', leaderContract: 'XQZH6' })], { ...tableFees, feeOf: (_, contract) => (contract === 'MNQH6' ? charged : null) })
    expect(feesFrom).toEqual({ own: [], account: ['MNQH6'], related: [], table: ['MESH6'], unknown: ['XQZH6'] })
    expect(total.money[0]?.fees).toBe('1.95')
  })

  test('once flat, gross is what was sold less what was bought, whatever the order', () => {
    const trades = fc.array(fc.record({ ticks: fc.integer({ min: 80_000, max: 90_000 }), qty: fc.integer({ min: 1, max: 9 }), side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell') }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(trades, (drawn) => {
        const net = drawn.reduce((sum, { qty, side }) => sum + (side === 'buy' ? qty : -qty), 0)
        const all = net === 0 ? drawn : [...drawn, { ticks: 85_000, qty: Math.abs(net), side: net > 0 ? ('sell' as const) : ('buy' as const) }]
        const { total, open } = dryRunReport(all.map(({ ticks, qty, side }) => order({ qty, side, price: (ticks / 4).toFixed(2) })), tableFees)
        const quarters = all.reduce((sum, { ticks, qty, side }) => sum + (side === 'sell' ? 1 : -1) * ticks * qty, 0)
        expect(open).toEqual([])
        expect(total.money[0]?.gross).toBe((quarters / 2).toFixed(2))
      }),
    )
  })
})
