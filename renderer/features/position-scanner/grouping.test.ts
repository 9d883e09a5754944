import { liveAccount, livePosition, positionsOf, ruleState } from '#tests/helpers/positions-live.ts'
import { expect, test } from 'vitest'
import { linesOf, openSums } from './grouping.ts'

const es = { contract: 'ESZ6', product: 'ES', micros: -10, net: -1 } as const
const mes = { contract: 'MESZ6', product: 'MES', micros: 3, net: 3 } as const
const live = positionsOf(1, {
  accounts: [
    liveAccount('k10', { name: 'EVAL-10', firm: 'MyFundedFutures' }),
    liveAccount('k2', { name: 'EVAL-2' }),
    liveAccount('k3', { name: 'OWN-3', firm: null }),
    liveAccount('k4', { name: 'EVAL-4' }),
  ],
  positions: [livePosition('k10'), livePosition('k3', mes), livePosition('k2', es), livePosition('k2', { contract: '6EZ6', product: '6E' })],
  exposure: [{ market: 'ES', net: -7, long: 3, short: -10, accounts: 2 }],
})

const read = (by: 'account' | 'product' | 'firm'): string[] =>
  linesOf(live, by).map((line) => {
    switch (line.kind) {
      case 'product':
        return `${line.market} (${String(line.positions)}, net ${String(line.exposure?.net ?? '?')})`
      case 'firm':
        return `${line.firm ?? 'no firm'} (${String(line.accounts)})`
      case 'position':
        return `  ${line.account?.name ?? '?'} ${line.position.contract}`
      case 'flat':
        return `flat (${String(line.accounts)})`
      default:
        return line.account.name
    }
  })

test('by account: names in the order in which people count', () => {
  expect(read('account')).toEqual(['EVAL-2', '  EVAL-2 6EZ6', '  EVAL-2 ESZ6', 'EVAL-10', '  EVAL-10 NQZ6', 'OWN-3', '  OWN-3 MESZ6', 'flat (1)', 'EVAL-4'])
})

test('by product: minis and micros are one market', () => {
  expect(read('product')).toEqual(['6E (1, net ?)', '  EVAL-2 6EZ6', 'ES (2, net -7)', '  EVAL-2 ESZ6', '  OWN-3 MESZ6', 'NQ (1, net ?)', '  EVAL-10 NQZ6', 'flat (1)', 'EVAL-4'])
})

test('by firm: each account keeps its own limits, and accounts without a firm come last', () => {
  expect(read('firm')).toEqual(['Apex Trader Funding (1)', 'EVAL-2', '  EVAL-2 6EZ6', '  EVAL-2 ESZ6', 'MyFundedFutures (1)', 'EVAL-10', '  EVAL-10 NQZ6', 'no firm (1)', 'OWN-3', '  OWN-3 MESZ6', 'flat (1)', 'EVAL-4'])
})

test('by nearest limit: the nearest first, a lost account last, and less than a tenth of a limit moves none', () => {
  const at = (used: number) => ({ states: [ruleState('max-loss', { used })], nearest: 'max-loss' as const })
  const nearer = positionsOf(1, {
    accounts: [liveAccount('k1', { name: 'A', ...at(0.12) }), liveAccount('k2', { name: 'B', ...at(0.19) }), liveAccount('k3', { name: 'C', ...at(0.81) }), liveAccount('k4', { name: 'D', ...at(1), stage: 'breached' })],
    positions: ['k4', 'k1', 'k2', 'k3'].map((account) => livePosition(account)),
  })
  const accountsIn = (by: 'account' | 'product' | 'firm'): string[] => linesOf(nearer, by, 'nearest').flatMap((line) => (line.kind === 'position' ? [line.account?.name ?? '?'] : []))
  for (const by of ['account', 'product', 'firm'] as const) expect(accountsIn(by), by).toEqual(['C', 'A', 'B', 'D'])
})

test('ids are unique, and a position of an unlisted account shows all the same', () => {
  for (const by of ['account', 'product', 'firm'] as const) {
    const ids = linesOf(live, by).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
  const lost = positionsOf(1, { positions: [livePosition('gone')], accounts: [] })
  expect(linesOf(lost, 'account').map(({ kind }) => kind)).toEqual(['position'])
  expect(linesOf(lost, 'firm').map(({ kind }) => kind)).toEqual(['position'])
})

test('open P&L adds up to the cent in each currency, and shows how many are unknown', () => {
  const open = (amount: string, at: number) => ({ amount, from: 'prices', at }) as const
  expect(openSums([
    { currency: 'USD', open: open('0.10', 9) }, { currency: 'USD', open: open('0.20', 7) }, { currency: 'USD', open: null }, { currency: 'EUR', open: open('-12.50', 8) }, { currency: 'JPY', open: null },
  ])).toEqual([
    { currency: 'EUR', amount: '-12.50', unknown: 0, at: 8 },
    { currency: 'JPY', amount: '0.00', unknown: 1, at: null },
    { currency: 'USD', amount: '0.30', unknown: 1, at: 7 },
  ])
})
