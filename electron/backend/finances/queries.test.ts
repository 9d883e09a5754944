// @module-tag slow
import { expect, test } from 'vitest'
import type { NewFinance } from '#shared/api/records.ts'
import { mirrorRecord } from '#shared/mirror/record.ts'
import { listedCloud, pull, push, sharedRows } from '#tests/helpers/listed-cloud.ts'
import { account, day, fill, minute, monday, openEmptyStore, openStore, user, type TestStore } from '#tests/helpers/store.ts'

const reset: NewFinance & { readonly id: string } = {
  id: 'reset', type: 'expense', amount: 80.5, date: '2026-01-03', name: 'Second try', balance: 0, platform: 'Tradovate', firm: 'Tradeify',
  currency: 'EUR', category: 'reset', account, note: 'after the Friday',
}
// As the callers of the specification say it.
const plain: NewFinance & { readonly id: string } = { id: 'reset', type: 'expense', amount: 90, name: 'Second try', balance: 0, platform: 'Tradovate', firm: 'Tradeify' }
const add = (store: TestStore, finance: NewFinance & { readonly id: string }, at = monday) => store.write.addFinance({ ...user, at, finance })
const entries = (store: TestStore) => store.read.finances(user).filter(({ type }) => type === 'earning' || type === 'expense')

test('an entry keeps its category, and a caller that omits it leaves it unchanged', () => {
  const store = openStore()
  const kept = { category: 'reset', account, note: 'after the Friday', currency: 'EUR', date: '2026-01-03' }
  expect(add(store, reset)).toMatchObject({ ...kept, amount: 80.5 })
  expect(add(store, plain, monday + minute)).toMatchObject({ ...kept, amount: 90 })
  expect(entries(store)).toMatchObject([{ ...kept, amount: 90 }])
  expect(add(store, { ...plain, account: null, note: '', currency: 'USD', category: 'data' }, monday + 2 * minute)).toMatchObject({ category: 'data', account: null, note: '', currency: 'USD' })
})

test('an entry of an older caller is for something else, in dollars, today', () => {
  expect(add(openStore(), { ...plain, id: 'bare' })).toMatchObject({ category: 'other', account: null, note: '', currency: 'USD', date: '2026-01-05' })
})

test('a category that does not go with a new type is not kept', () => {
  const store = openStore()
  add(store, reset)
  expect(add(store, { ...plain, type: 'earning' })).toMatchObject({ type: 'earning', category: 'other' })
})

test('an entry that was removed comes back under its id as it was', () => {
  const store = openStore()
  const before = add(store, reset)
  expect(store.write.removeFinance({ ...user, at: monday, id: 'reset' })).toBe(true)
  expect(entries(store)).toEqual([])
  expect(add(store, reset, monday + minute)).toEqual(before)
  expect(entries(store)).toEqual([before])
})

test('an entry stays when its account is removed, since the money was spent', () => {
  const store = openStore()
  add(store, reset)
  store.write.removeAccount({ ...user, at: monday, account })
  expect(entries(store)).toMatchObject([{ id: 'reset', account }])
})

test('a second computer gets every field, and a later change of one reaches the first', async () => {
  const cloud = listedCloud()
  const [one, another] = [openStore(), openEmptyStore()]
  add(one, reset)
  await push(one, cloud)
  await pull(another, cloud)
  expect(entries(another)).toEqual(entries(one))
  expect(sharedRows(another)['finances']).toEqual(sharedRows(one)['finances'])
  add(another, { ...reset, note: 'the last one' }, monday + day)
  await push(another, cloud)
  await pull(one, cloud)
  expect(entries(one)).toMatchObject([{ note: 'the last one', category: 'reset', account }])
})

test('a record from an older program changes its fields and leaves the rest', async () => {
  const cloud = listedCloud()
  const [one, another] = [openStore(), openEmptyStore()]
  add(one, reset)
  await push(one, cloud)
  await pull(another, cloud)
  add(another, { ...reset, amount: 12 }, monday + day)
  await push(another, cloud)
  const last = cloud.find('finance', 'reset')
  const { category, account: of, note, ...older } = last?.content as Record<string, unknown>
  expect([category, of, note]).toEqual(['reset', account, 'after the Friday'])
  const record = mirrorRecord.parse({ entity: 'finance', id: 'reset', content: { ...older, amount: 130_000 } })
  expect(cloud.push(cloud.journal, cloud.head(), [record])).toBe('taken')
  await pull(one, cloud)
  expect(entries(one)).toMatchObject([{ amount: 13, category: 'reset', account, note: 'after the Friday' }])
  const third = openEmptyStore()
  await pull(third, cloud)
  expect(entries(third)).toMatchObject([{ amount: 13, category: 'other', account: null, note: '' }])
})

test('expenses of an imported account move to the connected account that it turns out to be', async () => {
  const store = openEmptyStore()
  const importId = 'import'
  store.write.beginImport({ ...user, at: monday, importId, zone: 'UTC', account: null })
  const reading = (id: number, side: 'buy' | 'sell') =>
    ({ says: 'fill', account: { id: null, name: 'EVAL-101' }, fillId: String(id), orderId: null, contract: 'MESM6', time: monday + id, side, qty: 1, price: fill(1, side, 1, 6750).price, tickSize: '0.25', fee: null, active: true, tradeDate: null }) as const
  store.write.addReadings({ ...user, importId, place: 0, readings: [reading(1, 'buy'), reading(2, 'sell')] })
  store.write.addImportFile({ ...user, importId, place: 0, name: 'Fills.csv', kind: 'fills', rows: 2, accepted: 2, refused: 0 })
  await store.write.finishImport({ ...user, at: monday, importId })
  add(store, { ...reset, account: 'file:EVAL-101' })
  store.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  await store.write.settleImports({ ...user, at: monday })
  expect(entries(store)).toMatchObject([{ account, category: 'reset' }])
})
