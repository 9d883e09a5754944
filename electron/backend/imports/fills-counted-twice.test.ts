// @module-tag slow
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillRow, importRows } from '#tests/helpers/imports.ts'
import { fill, openStore, take, user, type TestStore } from '#tests/helpers/store.ts'
import { previewImport } from './preview-import.ts'
import { readExport } from './read-export.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { daysCountedTwice } from './fills-counted-twice.ts'

const broker = 984_825_202_073
const daysTwice = (store: TestStore): string[] => [...daysCountedTwice(store.writer, user.userId).values()].flat().map(({ account, from, to, reason }) => `${account} ${String(from)} to ${String(to)}: ${reason}`).toSorted()

test('a file that tells the fills of a synced account under another name counts them twice, whichever came first', async () => {
  const [buy, sell] = [fill(broker, 'buy', 1, 6750), fill(broker + 1, 'sell', 1, 6751)].map((one, at) => ({ ...one, time: fill(at, 'buy', 1, 6750).time }))
  if (buy === undefined || sell === undefined) throw new Error('No fills')
  const rows = [buy, sell].map(({ id, side, time }, at) => fillRow('My NT name', at, side, 1, 6750 + at, { fillId: `${id}_1`, orderId: id, time }))
  const twice = ['file:My NT name 2026-01-05 to 2026-01-05: counted-twice', 'tradovate:demo:700101 2026-01-05 to 2026-01-05: counted-twice']
  const synced = openStore()
  await take(synced, buy, sell)
  expect(daysTwice(synced)).toEqual([])
  await importRows(synced, 'grid', rows)
  expect(daysTwice(synced)).toEqual(twice)
  const imported = openStore()
  await importRows(imported, 'grid', rows)
  expect(daysTwice(imported)).toEqual([])
  await take(imported, buy, sell)
  expect(daysTwice(imported)).toEqual(twice)
})

test('the preview of such a file says so before it is imported, and nothing of a file under the name of its account', async () => {
  const [buy, sell] = [fill(broker, 'buy', 1, 6750), fill(broker + 1, 'sell', 1, 6751)].map((one, at) => ({ ...one, time: fill(at, 'buy', 1, 6750).time }))
  if (buy === undefined || sell === undefined) throw new Error('No fills')
  const synced = openStore()
  await take(synced, buy, sell)
  const warningsOf = (name: string) => {
    const rows = [buy, sell].map(({ id, side, time }, at) => fillRow(name, at, side, 1, 6750 + at, { fillId: `${id}_1`, orderId: id, time }))
    const seen = [{ id: null, name, rows: rows.length }]
    const { outcome } = previewImport(synced.writer, { ...user, isTooMuch: false, files: [{ place: 0, name: 'grid.csv', kind: 'fills', zone: 'America/New_York', accountGiven: null, seen, readings: [new TextEncoder().encode(JSON.stringify(rows))] }] })
    return outcome?.warnings.filter(({ code }) => code === 'accounts-alike')
  }
  const name = synced.writer.database.prepare<[], { name: string }>('SELECT name FROM accounts').get()?.name ?? ''
  expect(warningsOf('My NT name')).toEqual([{ code: 'accounts-alike', accounts: [name, 'My NT name'].sort(), rows: 2 }])
  expect(warningsOf(name)).toEqual([])
})

test('fills of a platform on days that the broker listed itself are warned of where they are none of its own', async () => {
  const [buy, sell] = [fill(broker, 'buy', 1, 6750), fill(broker + 1, 'sell', 1, 6751)].map((one, at) => ({ ...one, time: fill(at, 'buy', 1, 6750).time + 17_000 }))
  if (buy === undefined || sell === undefined) throw new Error('No fills')
  const synced = openStore()
  await take(synced, buy, sell)
  const name = synced.writer.database.prepare<[], { name: string }>('SELECT name FROM accounts').get()?.name ?? ''
  const warningsOf = (shift: number, id = (at: number) => `csv-x-${String(at)}`) => {
    const rows = [buy, sell].map(({ side, time }, at) => fillRow(name, at, side, 1, 6750 + at, { fillId: id(at), orderId: null, time: time + shift, tradeDate: null }))
    return previewImport(synced.writer, { ...user, isTooMuch: false, files: [{ place: 0, name: 'mine.csv', kind: 'fills', zone: 'UTC', accountGiven: null, seen: [{ id: null, name, rows: rows.length }], readings: [new TextEncoder().encode(JSON.stringify(rows))] }] }).outcome?.warnings.filter(({ code }) => code === 'beside-broker')
  }
  // Read by another clock, cut to the minute, and those of another day.
  expect(warningsOf(-6 * 3_600_000)).toEqual([{ code: 'beside-broker', account: name, rows: 2 }])
  expect(warningsOf(-17_000)).toEqual([{ code: 'beside-broker', account: name, rows: 2 }])
  expect(warningsOf(-72 * 3_600_000)).toEqual([])
  expect(warningsOf(0)).toEqual([])
  expect(warningsOf(-3_600_000, (at) => String(broker + 10 + at))).toEqual([])
})

test('the same file of a platform for a second account is warned of, and other trades there do not hide that', async () => {
  const [header = '', ...lines] = readFileSync(new URL('../../../tests/fixtures/platforms/tradingview.csv', import.meta.url), 'utf8').split(/\r?\n/).filter((line) => line !== '')
  const zone = 'America/Chicago'
  const readingsOf = async (from: number, to: number): Promise<Reading[]> => {
    const readings: Reading[] = []
    const outcome = await readExport((async function* () { yield await Promise.resolve(new TextEncoder().encode([header, ...lines.slice(from, to)].join('\n'))) })(), zone, (batch) => void readings.push(...batch.readings))
    expect(outcome).toMatchObject({ ok: true, value: { kind: 'tradingview-orders' } })
    return readings
  }
  const store = openStore()
  const warningsOf = (accountGiven: string, readings: readonly Reading[]) =>
    previewImport(store.writer, { ...user, isTooMuch: false, files: [{ place: 0, name: 'orders.csv', kind: 'tradingview-orders', zone, accountGiven, seen: [{ id: null, name: null, rows: readings.length }], readings: [new TextEncoder().encode(JSON.stringify(readings))] }] }).outcome?.warnings.filter(({ code }) => code === 'accounts-alike')
  const [first, second, third] = [await readingsOf(0, 4), await readingsOf(4, 6), await readingsOf(1, 4)]
  await importRows(store, 'one', first, 'A')
  await importRows(store, 'two', second, 'B')
  expect(warningsOf('B', first)).toMatchObject([{ accounts: ['A', 'B'] }])
  // What an account has already is no other one’s.
  expect([warningsOf('A', third), warningsOf('B', await readingsOf(3, 8))]).toEqual([[], []])
})
