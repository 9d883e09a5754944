import { expect, test } from 'vitest'
import { createBook } from '#shared/copier/book.ts'
import { accountNow, brokersSession, dayNow } from './watch-state.ts'
import { contractsOn, emptyWorld, type Account } from './world.ts'

const session = '2026-11-18'
const held = (wasUp: boolean, currencyId = 1): Account => {
  const contracts = contractsOn(emptyWorld(), 'user-1', 'demo')
  contracts.byId.set(44, { id: 44, name: 'NQZ6', product: 'NQ', tickSize: '0.25', valuePerPoint: 20, currencyId })
  const book = createBook(7)
  book.take({ kind: 'position', id: 1, accountId: 7, contractId: 44, session, net: 2, before: 0, bought: 2, sold: 0, netPrice: 25_000, time: 1 })
  book.take({ kind: 'fill', id: 1, orderId: 1, contractId: 44, time: 1, session, side: 'buy', qty: 2, price: 25_000, active: true })
  book.take({ kind: 'cash', accountId: 7, currencyId: 1, session, amount: 500_000_000, startOfDay: 499_000_000, realized: null })
  return { key: 'tradovate:demo:7', loginId: 'login', environment: 'demo', id: 7, name: 'X', userId: 'user-1', contracts, book, ours: new Map(), knownFills: new Map(), placed: new Map(), givenUp: new Map(), uncounted: new Map(), liquidating: new Set(), session, restricted: false, closed: false, gone: false, wasUp, recovered: true, open: null, money: null }
}
const reportOf = (wasUp: boolean) => accountNow(held(wasUp), { line: 'connecting', downSince: null, prices: 'none', limits: null }, { day: session, received: null })

test('an account is reported once its book is complete', () => {
  expect(reportOf(true)).toMatchObject({ cash: 500_000_000, dayRealized: 1_000_000, positions: [{ contract: 'NQZ6', net: 2, averagePrice: 25_000, mark: null }] })
})

test('nothing is reported from an incomplete book: open positions would look flat and closed ones open', () => {
  expect(reportOf(false)).toMatchObject({ line: 'connecting', cash: null, dayRealized: null, snapshot: null, positions: [] })
})

test('the gap between cash and realized P&L comes with the possible fees of the traded contracts', () => {
  const account = held(true)
  const between = (cash: object) => {
    account.book.take({ kind: 'cash', accountId: 7, currencyId: 1, session, amount: 500_000_000, startOfDay: 499_000_000, realized: 1_020_000, ...cash })
    return accountNow(account, { line: 'up', downSince: null, prices: 'live', limits: null }, { day: session, received: null }).between
  }
  // Two sides of NQ, with known fees.
  expect(between({})).toEqual({ currency: 'USD', gap: -20_000, fees: expect.any(Number) as number, most: expect.any(Number) as number })
  expect(between({ amount: 485_000_000 })?.gap).toBe(-15_020_000)
  const { fees = 0, most = 0 } = between({}) ?? {}
  expect([fees > 0, most === 3 * fees]).toEqual([true, true])
  for (const unknown of [{ realized: null }, { startOfDay: null }]) expect(between(unknown)).toBeNull()
})

test('a fee in another currency is not one of the account’s', () => {
  const between = (currencyId: number) => {
    const account = held(true, currencyId)
    account.book.take({ kind: 'cash', accountId: 7, currencyId: 1, session, amount: 500_000_000, startOfDay: 499_000_000, realized: 1_020_000 })
    return accountNow(account, { line: 'up', downSince: null, prices: 'live', limits: null }, { day: session, received: null }).between
  }
  expect(between(1)?.fees).toBeGreaterThan(0)
  // At most 10.00 a side, as for any unknown fee.
  expect(between(2)).toEqual({ currency: 'USD', gap: -20_000, fees: 0, most: 200_000 })
})

test('Friday bookings after the week’s end are not Monday’s P&L', () => {
  // Chicago is six hours behind UTC in winter: sessions open at 23:00.
  const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`)
  const friday = { session: '2026-11-20', at: at('20T23:30') }
  expect(brokersSession(friday, at('21T15:00'))).toBe('2026-11-20')
  expect([at('22T22:59'), at('22T23:01'), at('23T15:00')].map((now) => brokersSession(friday, now))).toEqual(['2026-11-20', null, null])
  // A holiday session spans two of our days, and the broker's session counts on both.
  expect(brokersSession({ session: '2026-11-27', at: at('26T19:00') }, at('26T20:00'))).toBe('2026-11-27')
  expect(brokersSession({ session: '2026-11-23', at: at('23T15:00') }, at('24T15:00'))).toBeNull()
  expect(brokersSession(undefined, at('24T15:00'))).toBeNull()
})

test.each([[1, 'USD', 1_500_000], [2, 'EUR', null], [4, '#4', null]])('a price of the currency %i counts for a day in dollars only if it is in them', (currencyId, currency, net) => {
  const account = held(true, currencyId)
  account.contracts.marks.set(44, { price: 25_001.25, time: 1, at: 1 })
  const now = Date.parse(`${session}T16:00:00Z`)
  const report = accountNow(account, { line: 'up', downSince: null, prices: 'live', limits: null }, { day: session, received: null })
  expect([report.currency, report.positions[0]?.currency, dayNow(account, report, now)?.net ?? null]).toEqual(['USD', currency, net])
})
