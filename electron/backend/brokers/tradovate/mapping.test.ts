import { expect, test } from 'vitest'
import { growth } from '#tests/helpers/growth.ts'
import { fillFeeRow, fillRow, orderRow, readRows, type FillFeeRow, type WireFill } from './wire.ts'
import { mapBalances, mapSession, type SessionRows } from './mapping.ts'

const time = Date.UTC(2026, 2, 2, 14, 31, 2, 482)

const fill = (change: Partial<WireFill> = {}): WireFill => ({
  id: 600000000105, orderId: 600000000102, contractId: 4400001, timestamp: time,
  tradeDate: { year: 2026, month: 3, day: 2 }, action: 'Sell', qty: 1, price: 6759.75, active: true, ...change,
})

const library = {
  contracts: [
    { id: 4400001, name: 'MESM6', contractMaturityId: 52001 },
    { id: 4400002, name: 'FDXSM6', contractMaturityId: 52002 },
    { id: 4400003, name: '6JM6', contractMaturityId: 52003 },
    { id: 4400004, name: 'MNQM6', contractMaturityId: 1 },
  ],
  maturities: [{ id: 52001, productId: 902 }, { id: 52002, productId: 903 }, { id: 52003, productId: 904 }],
  products: [
    { id: 902, name: 'MES', currencyId: 1, valuePerPoint: 5, tickSize: 0.25 },
    { id: 903, name: 'FDXS', currencyId: 2, valuePerPoint: 1, tickSize: 1 },
    { id: 904, name: '6J', currencyId: 1, valuePerPoint: 12_500_000, tickSize: 0.0000005 },
  ],
  currencies: [{ id: 1, name: 'USD' }, { id: 2, name: 'EUR' }],
}

const session = (change: Partial<SessionRows>): SessionRows => ({
  environment: 'demo',
  fills: [fill()],
  orders: [{ id: 600000000102, accountId: 700101 }],
  fees: [],
  ...library,
  ...change,
})

const fees = (change: Partial<FillFeeRow>): FillFeeRow => ({ id: 600000000105, ...change })

test('a fill gets its account through its order, its contract, its exact price and its fee', () => {
  const { fills, specs, refused } = mapSession(session({
    fees: [fees({ commission: 0.39, commissionCurrencyId: 1, exchangeFee: 0.25, exchangeCurrencyId: 1, clearingFee: 0.2, nfaFee: 0.01, brokerageFee: 0.07, orderRoutingFee: 0.03, ipFee: 0 })],
  }))
  expect(refused).toEqual([])
  expect(fills).toEqual([{
    id: '600000000105', account: 'tradovate:demo:700101', contract: 'MESM6', time, side: 'sell', qty: 1, price: 27_039, fee: 9_500, active: true, source: 'api',
    orderId: 600000000102, contractId: 4400001, tradeDate: '2026-03-02',
  }])
  expect(specs).toMatchObject([{ contract: 'MESM6', root: 'MES', tickSize: '0.25', currency: 'USD', source: 'broker' }])
})

test('deliveries ten years apart that the broker names alike are two contracts', () => {
  const es = [{ id: 1, name: 'ESZ5', contractMaturityId: 61 }, { id: 2, name: 'ESZ5', contractMaturityId: 62 }]
  const maturities = [{ id: 61, productId: 905, expirationMonth: 201_512 }, { id: 62, productId: 905, expirationMonth: 202_512 }]
  const { fills, specs } = mapSession(session({
    fills: [fill({ id: 1, contractId: 1, price: 2_000 }), fill({ id: 2, contractId: 2, price: 6_800, action: 'Buy' })],
    contracts: es, maturities, products: [{ id: 905, name: 'ES', currencyId: 1, valuePerPoint: 50, tickSize: 0.25 }],
  }))
  expect(fills.map(({ contract }) => contract)).toEqual(['ESZ15', 'ESZ5'])
  expect(specs.map(({ contract, root }) => [contract, root])).toEqual([['ESZ15', 'ES'], ['ESZ5', 'ES']])
})

test('a busted fill is kept and marked', () => {
  expect(mapSession(session({ fills: [fill({ active: false })] })).fills).toMatchObject([{ active: false }])
})

test('the same account number on the real-money side is another account', () => {
  expect(mapSession(session({ environment: 'live' })).fills).toMatchObject([{ account: 'tradovate:live:700101' }])
})

test('small prices keep every figure', () => {
  expect(mapSession(session({ fills: [fill({ contractId: 4400003, price: 0.0067125 })] })).fills).toMatchObject([{ price: 13_425 }])
  expect(mapSession(session({ fills: [fill({ contractId: 4400003, price: 5e-7 })] })).fills).toMatchObject([{ price: 1 }])
})

test('a price below zero is a price', () => {
  expect(mapSession(session({ fills: [fill({ price: -37.5 })] })).fills).toMatchObject([{ price: -150 }])
})

test('where the broker does not give the product, the table knows the contract', () => {
  const { fills, specs } = mapSession(session({ fills: [fill({ contractId: 4400004 })] }))
  expect(fills).toMatchObject([{ contract: 'MNQM6', price: 27_039 }])
  expect(specs).toMatchObject([{ contract: 'MNQM6', root: 'MNQ', source: 'table' }])
})

test('a contract that the journal knows already needs no rows, and new rows replace it', () => {
  const { specs: [spec] } = mapSession(session({}))
  if (spec === undefined) throw new Error('no spec')
  const known = new Map([[4400001, { ...spec, contract: 'MESM6 of yesterday' }]])
  expect(mapSession(session({ known, contracts: [] })).fills).toMatchObject([{ contract: 'MESM6 of yesterday', price: 27_039 }])
  expect(mapSession(session({ known })).fills).toMatchObject([{ contract: 'MESM6' }])
})

test.each([
  ['another side', { action: 'SellShort' }, 'not-buy-or-sell', 'action'],
  ['an unknown order', { orderId: 5 }, 'no-order', 'orderId'],
  ['an unknown contract', { contractId: 5 }, 'no-contract', 'contractId'],
  ['a price between two ticks', { price: 6759.8 }, 'price-off-tick', 'price'],
  ['a price whose P&L could not be kept exactly', { price: -1e12 }, 'amount-unreadable', 'price'],
  ['more contracts than can be counted up', { qty: 1e9 }, 'amount-unreadable', 'price'],
])('%s is refused by name, and the fill beside it goes on', (_, change, reason, field) => {
  const { fills, refused } = mapSession(session({ fills: [fill({ id: 1, ...change }), fill({ id: 2 })] }))
  expect(fills.map(({ id }) => id)).toEqual(['2'])
  expect(refused).toEqual([{ entity: 'fill', id: '1', reason, field }])
})

test.each<[string, Partial<FillFeeRow>, number]>([
  ['beside those of its contract', { commission: 1, commissionCurrencyId: 1, exchangeFee: 2, exchangeCurrencyId: 2 }, 10_000],
  ['alone', { exchangeFee: 2, exchangeCurrencyId: 2 }, 0],
])('fees in another currency, %s, are kept as what they are and never added up', (_, change, fee) => {
  const { fills, refused } = mapSession(session({ fees: [fees(change)] }))
  expect(fills).toMatchObject([{ id: '600000000105', fee, otherFees: [{ currency: 'EUR', amount: 20_000 }] }])
  expect(refused).toEqual([])
})

test.each<[string, Partial<FillFeeRow>, string]>([
  ['an impossible amount', { commission: 1e300 }, 'amount-unreadable'],
])('a fee in %s is refused and never added up; its fill stands without a fee', (_, change, reason) => {
  const { fills, refused } = mapSession(session({ fees: [fees(change)] }))
  expect(fills).toMatchObject([{ id: '600000000105', fee: null }])
  expect(refused).toEqual([{ entity: 'fillFee', id: '600000000105', reason, field: null }])
})

test('a fee with an unknown currency number is kept under that number, and refused only without a list of currencies', () => {
  const rows = [fees({ commission: 1, commissionCurrencyId: 1, exchangeFee: 2.5, exchangeCurrencyId: 99, nfaFee: 0.5, nfaCurrencyId: 99 })]
  expect(mapSession(session({ fees: rows }))).toMatchObject({ fills: [{ fee: 10_000, otherFees: [{ currency: '#99', amount: 30_000 }] }], refused: [] })
  expect(mapSession(session({ fees: [fees({ commission: 1, commissionCurrencyId: 99 })] })).fills).toMatchObject([{ fee: 0, otherFees: [{ currency: '#99', amount: 10_000 }] }])
  expect(mapSession(session({ fees: rows, currencies: [] }))).toMatchObject({ fills: [{ fee: null }], refused: [{ entity: 'fillFee', reason: 'currency-unknown' }] })
})

test('a part of zero in another currency adds nothing and harms nothing', () => {
  expect(mapSession(session({ fees: [fees({ commission: 0.5, commissionCurrencyId: 1, ipFee: 0, ipCurrencyId: 2 })] })).fills).toMatchObject([{ fee: 5_000 }])
})

test('no row, and a row that names no fee, is no fee; a fee of nothing is a fee', () => {
  expect(mapSession(session({})).fills).toMatchObject([{ fee: null }])
  expect(mapSession(session({ fees: [fees({})] })).fills).toMatchObject([{ fee: null }])
  expect(mapSession(session({ fees: [fees({ commission: 0 })] })).fills).toMatchObject([{ fee: 0 }])
})

test('float noise in a fee is rounded away, to 1/10,000', () => {
  expect(mapSession(session({ fees: [fees({ commission: 0.1 + 0.2 })] })).fills).toMatchObject([{ fee: 3_000 }])
})

test('balances are exact and stand in their own currency', () => {
  const row = { id: 1, accountId: 700101, timestamp: time, tradeDate: { year: 2026, month: 3, day: 2 }, amount: 50_400.5 }
  const { balances, refused } = mapBalances('demo', [
    { ...row, currencyId: 1, realizedPnL: -12.34, amountSOD: 50_412.84 },
    { ...row, id: 2, currencyId: 2, amount: 100 },
    { ...row, id: 3, currencyId: 3 },
    { ...row, id: 4, currencyId: 1, amount: 1e300 },
  ], library.currencies)
  expect(balances).toMatchObject([
    { account: 'tradovate:demo:700101', currency: 'USD', amount: 504_005_000, realizedPnl: -123_400, startOfDay: 504_128_400, tradeDate: '2026-03-02' },
    { currency: 'EUR', amount: 1_000_000 },
  ])
  expect(refused.map(({ id, reason }) => [id, reason])).toEqual([['3', 'currency-unknown'], ['4', 'amount-unreadable']])
})

test('work on fills with orders and fees grows no faster than their number', { tags: ['long', 'nightly'] }, () => {
  const mapped = (count: number) => {
    const wire = Array.from({ length: count }, (_, index) => ({ ...fill(), id: index + 1, orderId: index + 1, timestamp: new Date(time + index * 13).toISOString(), price: 6_700 + (index % 400) / 4 }))
    const orders = wire.map(({ orderId }) => ({ id: orderId, accountId: 700101 + (orderId % 3), ordStatus: 'Filled' }))
    const feeRows = wire.map(({ id }) => ({ id, commission: 0.39, commissionCurrencyId: 1, exchangeFee: 0.25, exchangeCurrencyId: 1, clearingFee: 0.2, clearingCurrencyId: 1, nfaFee: 0.01, nfaCurrencyId: 1 }))
    return () => mapSession(session({
      fills: readRows('fill', fillRow, wire)?.rows ?? [],
      orders: readRows('order', orderRow, orders)?.rows ?? [],
      fees: readRows('fillFee', fillFeeRow, feeRows)?.rows ?? [],
    }))
  }
  const [small, large] = [mapped(10_000), mapped(80_000)]
  expect(large().fills.filter(({ fee }) => fee === 8_500)).toHaveLength(80_000)
  // Eight times the rows; with their square it would be sixty-four.
  expect(growth(small, large)).toBeLessThan(24)
})
