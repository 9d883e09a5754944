// @module-tag slow
import { expect, test } from 'vitest'
import type { Reading } from '#shared/imports/reading.ts'
import type { Currency } from '#shared/money/money.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, money } from '#tests/helpers/imports.ts'
import { fill, minute, monday, openStore, take, user, type TestStore } from '#tests/helpers/store.ts'

const connected = 'EVAL-101'
const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const undo = (store: TestStore, importId: string) => store.write.undoImport({ ...user, at: monday, importId })

const dax = { contract: 'FDAXM6' }
const dollars = (amount: string) => ({ otherFees: [{ currency: 'USD' as Currency, amount: money(amount) }] })

test('fees in another currency stay what they are through syncs, files and an undo, and no column without a currency changes it', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 18_000, { ...dax, feeText: '0', ...dollars('2') }), fill(2, 'sell', 2, 18_001, { ...dax, feeText: '1', ...dollars('3') }))
  const shown = () => pairs(store).map(({ commission, netPnl, currency, otherFees }) => [commission, netPnl, currency, otherFees])
  const before = [['1.00', '49.00', 'EUR', [{ currency: 'USD', amount: '5.00' }]]]
  expect(store.read.tradePage(page).rows.map(({ netPnl, otherFees }) => [netPnl, otherFees])).toEqual([['49.00', [{ currency: 'USD', amount: '5.00' }]]])
  // A file's column names no currency: it means the one that is known, and says nothing where there are two.
  const rows = [fillRow(connected, 1, 'buy', 2, 18_000, { ...dax, tickSize: '1', fee: money('2.5') }), fillRow(connected, 2, 'sell', 2, 18_001, { ...dax, tickSize: '1', fee: money('9') })]
  await importRows(store, 'late', rows, null, monday + 24 * 60 * minute)
  expect(shown()).toEqual([['1.00', '49.00', 'EUR', [{ currency: 'USD', amount: '5.50' }]]])
  expect(pairs(store)[0]?.feeFrom).toEqual(['late.csv'])
  await undo(store, 'late')
  expect(shown()).toEqual(before)
  await take(store, fill(1, 'buy', 2, 18_000, { ...dax, feeText: '0', ...dollars('2.5') }), fill(3, 'sell', 1, 18_000, { ...dax, feeText: '0' }), fill(4, 'buy', 1, 18_000, { ...dax, feeText: '0', ...dollars('1') }))
  expect(shown()).toEqual([['1.00', '49.00', 'EUR', [{ currency: 'USD', amount: '5.50' }]], ['0.00', '0.00', 'EUR', [{ currency: 'USD', amount: '1.00' }]]])
  const statistics = JSON.parse(new TextDecoder().decode(store.read.statisticsJson({ ...user, unit: 'trades', zone: null, timedBy: 'exit', filter: everyTrade }))) as { all: { money: unknown } }
  expect(statistics.all.money).toMatchObject([{ currency: 'EUR', commission: '1.00', netPnl: '49.00', otherFees: [{ currency: 'USD', amount: '6.50' }] }])
  // What its user removes takes its fees along.
  store.write.removeTrade({ ...user, at: monday, id: pairs(store)[1]?.id ?? '' })
  expect(store.read.tradePage(page).rows.map(({ otherFees }) => otherFees)).toEqual([[{ currency: 'USD', amount: '5.50' }]])
})

test('a pair that its user removes takes its own fees in another currency out of its trade, and an import that stays hides no later value of the API', async () => {
  const store = openStore()
  const whole = (amount: string) => [fill(1, 'buy', 2, 18_000, { ...dax, feeText: '0', ...dollars(amount) }), fill(2, 'sell', 1, 18_001, { ...dax, feeText: '0', ...dollars('0.3') }), fill(3, 'sell', 1, 18_001, { ...dax, feeText: '0' })]
  await take(store, ...whole('2'))
  const ofTrade = () => store.read.tradePage(page).rows.map(({ otherFees }) => otherFees)
  expect(ofTrade()).toEqual([[{ currency: 'USD', amount: '2.30' }]])
  await importRows(store, 'file', [fillRow(connected, 1, 'buy', 2, 18_000, { ...dax, tickSize: '1', fee: null })])
  await take(store, ...whole('3'))
  expect(ofTrade()).toEqual([[{ currency: 'USD', amount: '3.30' }]])
  const [first] = pairs(store)
  store.write.removeTrade({ ...user, at: monday, id: first?.id ?? '' })
  expect([first?.otherFees, ofTrade()]).toEqual([[{ currency: 'USD', amount: '1.80' }], [[{ currency: 'USD', amount: '1.50' }]]])
})

test('fees that only a Cash History has, in another currency than the contract\'s, are kept with the fills of a file', async () => {
  const store = openStore()
  const inTicks = { ...dax, tickSize: '1' }
  const rows = [fillRow('PA-9', 1, 'buy', 1, 18_000, inTicks), fillRow('PA-9', 2, 'sell', 1, 18_001, inTicks)]
  const charged = rows.map(({ account, fillId, time, contract }): Reading => ({ says: 'cash', account, transactionId: fillId, time, tradeDate: '2026-01-05', movement: 'fee', type: 'Exchange Fee', delta: money('-2.1'), amount: money(String(100 - 2.1 * Number(fillId))), currency: 'USD' as Currency, contract }))
  await importRows(store, 'files', [...rows, ...charged])
  expect(pairs(store)).toMatchObject([{ commission: '0.00', otherFees: [{ currency: 'USD', amount: '4.20' }] }])
})

test('a fill that comes again without fees keeps those that are known, in all currencies', async () => {
  const store = openStore()
  const round = (sold: number, more: object) => [fill(1, 'buy', 1, 18_000, { ...dax, ...more }), fill(2, 'sell', 1, sold, { ...dax, ...more })]
  await take(store, ...round(18_001, { feeText: '1', ...dollars('2') }))
  await take(store, ...round(18_002, {}))
  expect(pairs(store)).toMatchObject([{ grossPnl: '50.00', commission: '2.00', otherFees: [{ currency: 'USD', amount: '4.00' }] }])
})
