import { expect, test } from 'vitest'
import type { NewFinance } from '#shared/api/records.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf } from '#shared/money/money.ts'
import { account, day, monday, openStore, user, type TestStore } from '#tests/helpers/store.ts'

const cash = (transactionId: string, tradeDate: string, delta: number, currency: string | null = null): CashReading => ({
  says: 'cash', account: { id: null, name: 'EVAL-101' }, transactionId, time: Date.parse(`${tradeDate}T15:00:00Z`), tradeDate, movement: 'other', transfer: true, delta: amountOf(delta * 10_000), amount: amountOf((50_000 + delta) * 10_000), currency: currency as CashReading['currency'], contract: null,
})
const label = (store: TestStore, type: NewFinance['type'], firm: NewFinance['firm']) => store.write.addFinance({ ...user, at: monday, finance: { id: account, type, name: 'EVAL-101', balance: 0, platform: 'Tradovate', firm } as NewFinance & { id: string } })
const imported = async (store: TestStore, ...readings: readonly CashReading[]): Promise<void> => {
  store.write.beginImport({ ...user, at: monday, importId: 'one', zone: 'UTC', account: null })
  store.write.addReadings({ ...user, importId: 'one', place: 0, readings })
  store.write.addImportFile({ ...user, importId: 'one', place: 0, name: 'Cash History.csv', kind: 'cash-history', rows: readings.length, accepted: readings.length, refused: 0 })
  await store.write.finishImport({ ...user, at: monday + day, importId: 'one' })
}
const found = (store: TestStore) => store.read.bookedPayouts(user).map(({ date, amount, currency, firm }) => [date, amount, currency, firm])

test('withdrawals from a funded account of a firm are payouts to enter, until they are entered', async () => {
  const store = openStore()
  label(store, 'Funded Account', 'Topstep')
  await imported(store, cash('1', '2026-01-02', 50_000), cash('2', '2026-01-06', -1_500), cash('3', '2026-01-07', -300.5))
  expect(found(store)).toEqual([['2026-01-07', '300.50', 'USD', 'Topstep'], ['2026-01-06', '1500.00', 'USD', 'Topstep']])
  const ids = store.read.bookedPayouts(user).map(({ id }) => id)
  expect([new Set(ids).size, store.read.bookedPayouts(user).map(({ id }) => id)]).toEqual([2, ids])
  // The trader's share of it.
  store.write.addFinance({ ...user, at: monday, finance: { id: 'p', type: 'earning', category: 'payout', account, amount: 1_350, date: '2026-01-08', name: '', balance: 0, platform: '', firm: 'Topstep', currency: 'USD' } })
  expect(found(store)).toEqual([['2026-01-07', '300.50', 'USD', 'Topstep']])
  await store.write.undoImport({ ...user, at: monday, importId: 'one' })
  expect(found(store)).toEqual([])
})

test.each([['an evaluation', 'Evaluation Account', 'Topstep'], ['an own account', 'Funded Account', null]] as const)('money that leaves %s is no payout', async (_, type, firm) => {
  const store = openStore()
  label(store, type, firm)
  await imported(store, cash('2', '2026-01-06', -1_500))
  expect(found(store)).toEqual([])
})

test('two withdrawals of one transaction are two payouts, and entering one leaves the other', async () => {
  const store = openStore()
  label(store, 'Funded Account', 'Topstep')
  await imported(store, cash('2', '2026-01-06', -1_500), { ...cash('2', '2026-01-06', -400), amount: amountOf(480_000_000) })
  const enter = (id: string, amount: string) => store.write.addFinance({ ...user, at: monday, finance: { id, type: 'earning', category: 'payout', account, amount: Number(amount), date: '2026-01-06', firm: 'Topstep', currency: 'USD' } })
  for (const { id, amount } of store.read.bookedPayouts(user)) enter(id, amount)
  expect(found(store)).toEqual([])
  expect(store.read.finances(user).filter(({ type }) => type === 'earning').map(({ amount }) => amount).sort()).toEqual([1_500, 400])
})

test('a charge for the account and a change of currency are no payouts to enter, and stand for none that is', async () => {
  const store = openStore()
  label(store, 'Funded Account', 'Topstep')
  const charges = ['Market Data Fee', 'Market Data Subscription', 'Tradovate Subscription', 'Entitlement Subscription', 'Desk Fee', 'Fund Transaction Fee', 'Currency Conversion']
  await imported(store, ...charges.map((type, at) => ({ ...cash(`c${String(at)}`, '2026-01-06', -15 - at), type })), { ...cash('2', '2026-01-07', -20), type: 'Fund Transaction' })
  expect(found(store)).toEqual([['2026-01-07', '20.00', 'USD', 'Topstep']])
  store.write.addFinance({ ...user, at: monday, finance: { id: 'p', type: 'earning', category: 'payout', account, amount: 12, date: '2026-01-08', firm: 'Topstep', currency: 'USD' } })
  expect(found(store)).toEqual([])
})
