// @module-tag slow
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Reading } from '#shared/imports/reading.ts'
import { importRows } from '#tests/helpers/imports.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'
import { openStore, user, type TestStore } from '#tests/helpers/store.ts'

const fixture = (name: string): string => readFileSync(new URL(`../../../tests/fixtures/platforms/${name}`, import.meta.url), 'utf8')
const readingsOf = async (text: string): Promise<readonly Reading[]> => {
  const file = await readBytes(Buffer.from(text), 'America/Chicago')
  if (!file.ok) throw new Error(file.problem.code)
  return file.readings
}
const stated = (store: TestStore, by: 'id' | 'trade_id' = 'id') =>
  store.writer.database
    .prepare<[], { id: string }>(`SELECT DISTINCT ${by} AS id, entry_time FROM fill_pairs ORDER BY entry_time, id`)
    .all()
    .map(({ id }) => store.read.statedExcursions({ ...user, id }))

test('the MAE and MFE of NinjaTrader’s file stay with its fill pairs, and its figures do not depend on them', async () => {
  const text = fixture('ninjatrader.csv')
  const [store, without] = [openStore(), openStore()]
  await importRows(store, 'one', await readingsOf(text))
  await importRows(without, 'one', await readingsOf(text.replaceAll(/MAE|MFE/g, 'Other')))
  const figures = stated(store)
  expect(figures).toEqual([[75_000, 300_000], [125_000, 25_000], [0, 200_000], [0, 230_000], [0, 40_000]].map(([mae, mfe]) => ({ by: 'ninjatrader', currency: 'USD', mae, mfe })))
  expect(stated(without)).toEqual(figures.map(() => null))
  const net = (of: TestStore): unknown => of.writer.database.prepare('SELECT id, net, gross FROM fill_pairs ORDER BY id').all()
  expect(net(store)).toEqual(net(without))
  // The same file once more adds what the first reading lacked.
  await importRows(without, 'two', await readingsOf(text))
  expect(stated(without)).toEqual(figures)
})

test('a French file is read the same way, and a cell that is no money is ignored without harm to its row', async () => {
  const french = openStore()
  await importRows(french, 'one', await readingsOf(fixture('ninjatrader-french.csv')))
  expect(stated(french).map((one) => [one?.mae, one?.mfe])).toEqual([[120_000, 500_000], [220_000, 30_000], [0, 13_000_000]])
  const [header = '', row = ''] = fixture('ninjatrader.csv').split('\n')
  for (const [from, to] of [['$7.50,$30.00,$7.60', '30,120,30.4'], ['$7.50,$30.00,$7.60', '0.01%,0.02%,'], ['$7.50,$30.00,$7.60', 'x,,'], ['$7.50,$30.00,$7.60', ',,']] as const) {
    const readings = await readingsOf(`${header}\n${row.replace(from, to)}\n`)
    expect(readings).toMatchObject([{ says: 'pair', pnl: 250_000 }])
    expect(readings[0]).not.toHaveProperty('excursions')
  }
  expect(await readingsOf(`${header}\n${row.replace('$7.60', '')}\n`)).toMatchObject([{ excursions: { mfe: 300_000 } }])
  // A report in ticks: ten for each of two contracts at $1.25, which are not $10.
  const inTicks = row.replace('$22.40,$22.40,$1.00,$0.38,$1.18,$0.00,$0.04,$7.50,$30.00,$7.60', '10,10,0,0,0,0,0,3,12,2')
  expect(inTicks).not.toBe(row)
  expect((await readingsOf(`${header}\n${inTicks}\n`))[0]).not.toHaveProperty('excursions')
})

test('nothing is said of a trade of several fill pairs, and of an import that was undone', async () => {
  const [header = '', row = ''] = fixture('ninjatrader.csv').split('\n')
  const second = row.replace(/^1/, '2').replace(',Long,2,6000.00', ',Long,2,6000.50').replace('6002.50', '6003.00').replace('9:40:00', '9:41:00').replace('$22.40,$22.40', '$22.40,$44.80').replace('9:31:00', '9:32:00')
  const store = openStore()
  await importRows(store, 'one', await readingsOf(`${header}\n${row}\n${second}\n`))
  expect(stated(store)).toMatchObject([{ mfe: 300_000 }, { mfe: 300_000 }])
  expect(stated(store, 'trade_id')).toEqual([null, null])
  await store.write.undoImport({ ...user, importId: 'one', at: Date.UTC(2026, 6, 1) })
  expect(stated(store)).toEqual([])
})
