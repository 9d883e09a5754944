import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#tests/helpers/app.ts'
import { runDoor } from '#tests/helpers/run-door.ts'

/** What the report of an import says, as far as contracts decide it. */
type Report = {
  readonly pairs: number
  readonly currency: string | null
  readonly grossPnl: string | null
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly reconciliation: { readonly pairsChecked: number; readonly pairsEqual: number; readonly daysEqual: number; readonly daysDiffer: number }
}

const folder = testFolder
const importFiles = async (files: Readonly<Record<string, readonly string[]>>): Promise<Report> => {
  const dir = folder()
  const paths = Object.entries(files).map(([name, lines]) => {
    writeFileSync(join(dir, name), `${lines.join('\r\n')}\r\n`)
    return join(dir, name)
  })
  const door = runDoor('fillbook', ['import', ...paths, '--json'], { TZ: 'America/New_York' })
  await door.ended
  return JSON.parse(door.output().stdout) as Report
}

const fillsHeader = '_id,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Account,B/S,Quantity,Price,_tickSize,Contract,Product,commission'
type Row = { readonly id: number; readonly contract: string; readonly product: string; readonly tick: string; readonly side: 'Buy' | 'Sell'; readonly price: string; readonly date?: string; readonly qty?: number }
const fillRow = ({ id, contract, product, tick, side, price, date = '2026-06-10', qty = 1 }: Row): string =>
  [id, `${date} 14:00:${String(id % 60).padStart(2, '0')}.083Z`, date, side === 'Buy' ? 0 : 1, qty, price, true, 99, id, id + 1000, '', 'DEMO1', ` ${side}`, qty, price, tick, contract, product, '0.00'].join(',')
/** One contract bought and sold. */
const roundTrip = (id: number, contract: string, product: string, tick: string, [buy, sell]: readonly [string, string], date?: string): readonly string[] => [
  fillRow({ id, contract, product, tick, side: 'Buy', price: buy, ...(date !== undefined && { date }) }),
  fillRow({ id: id + 1, contract, product, tick, side: 'Sell', price: sell, ...(date !== undefined && { date }) }),
]

const pairsHeader = 'symbol,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'
const balances = (net: string) => ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', `99,DEMO1,2026-06-10,"50,000.00",${net}`]

const note = (id: number) => roundTrip(id, 'ZNU6', 'ZN', '0.015625', ['110.000000', '110.015625'])
const notes = [fillsHeader, ...note(1), ...note(3), ...note(5)]

test('notes with half cents are rounded fill pair by fill pair as the broker rounds them', { tags: ['long', 'nightly'] }, async () => {
  const pair = (id: number) => `ZNU6,0.015625,${String(id)},${String(id + 1)},1,110.000000,110.015625,$15.62,06/10/2026 10:00:0${String(id)},06/10/2026 10:00:0${String(id + 1)},1sec`
  const summary = await importFiles({ 'Fills.csv': notes, 'Performance.csv': [pairsHeader, pair(1), pair(3), pair(5)], 'Balances.csv': balances('46.86') })
  expect(summary).toMatchObject({ grossPnl: '46.86', reconciliation: { pairsChecked: 3, pairsEqual: 3, daysEqual: 1, daysDiffer: 0 } })
})

test('a broker that rounds in another way differs by exactly those cents, and no tolerance hides it', { tags: ['long', 'nightly'] }, async () => {
  const summary = await importFiles({ 'Fills.csv': notes, 'Balances.csv': balances('46.86') })
  expect(summary).toMatchObject({ grossPnl: '46.89', reconciliation: { daysEqual: 0, daysDiffer: 1 } })
})

const pairRow = (contract: string, tick: string, [buy, sell]: readonly [string, string], pnl: string, id = 1): string =>
  `${contract},${tick},${String(id)},${String(id + 1)},1,${buy},${sell},${pnl},06/10/2026 10:00:0${String(id)},06/10/2026 10:00:0${String(id + 1)},1sec`

test.each([
  ['micro natural gas', 'MNGN6', 'MNG', '0.001', ['3.000', '3.010'], '10.00', 'USD'],
  ['micro corn', 'MZCZ6', 'MZC', '0.5', ['450.0', '452.0'], '10.00', 'USD'],
  ['Nikkei in yen', 'NIYU6', 'NIY', '5', ['39000', '39010'], '5000.00', 'JPY'],
  ['corn whose prices are in dollars', 'ZCZ6', 'ZC', '0.0025', ['4.5000', '4.5200'], '100.00', 'USD'],
  ['a contract whose product the file names', 'CORNX6', 'MZC', '0.5', ['450.0', '452.0'], '10.00', 'USD'],
] as const)('%s has the point value of its exchange', { tags: 'long' }, async (_name, contract, product, tick, prices, gross, currency) => {
  const report = await importFiles({ 'Fills.csv': [fillsHeader, ...roundTrip(1, contract, product, tick, prices)] })
  expect(report).toMatchObject({ pairs: 1, grossPnl: gross, currency })
  expect(report.warnings.filter(({ code }) => /contract|root/.test(code))).toEqual([])
})

test('a contract is identified by its code and delivery year, in one file and in two', { tags: ['long', 'nightly'] }, async () => {
  const [old, current] = [roundTrip(1, 'ESZ5', 'ES', '0.25', ['2000.00', '2001.00'], '2015-09-10'), roundTrip(11, 'ESZ5', 'ES', '0.25', ['6800.00', '6802.00'], '2025-09-10')]
  const [opened, closed] = [old.slice(0, 1), current.slice(1)]
  for (const files of [{ 'Fills.csv': [fillsHeader, ...old, ...current] }, { 'Old.csv': [fillsHeader, ...old], 'New.csv': [fillsHeader, ...current] }]) {
    expect(await importFiles(files)).toMatchObject({ pairs: 2, grossPnl: '150.00' })
  }
  // One bought in 2015 and one sold in 2025 are no pair.
  expect(await importFiles({ 'Fills.csv': [fillsHeader, ...opened, ...closed] })).toMatchObject({ pairs: 0 })
  const grid = ['Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,']
  const rows = ['ES DEC15,Buy,1,2000.00,9/10/2015 10:00:00 AM,a1,Entry,1 L,o1,,0.00,1,Sim101,Live,', 'ES DEC25,Sell,1,6800.00,9/10/2025 10:00:00 AM,a2,Entry,1 S,o2,,0.00,1,Sim101,Live,']
  expect(await importFiles({ 'Grid.csv': [...grid, ...rows] })).toMatchObject({ pairs: 0 })
})

test("a broker's P&L ten times ours is reported with both figures, and its day differs", { tags: ['long', 'nightly'] }, async () => {
  const fills = [fillsHeader, ...roundTrip(1, 'MESU6', 'MES', '0.25', ['6100.00', '6101.00'])]
  const report = await importFiles({ 'Fills.csv': fills, 'Performance.csv': [pairsHeader, pairRow('MESU6', '0.25', ['6100.00', '6101.00'], '$50.00')], 'Balances.csv': balances('50.00') })
  expect(report).toMatchObject({ grossPnl: '5.00', reconciliation: { pairsChecked: 1, pairsEqual: 0, daysEqual: 0 } })
  expect(report.warnings.find(({ code }) => code === 'value-differs')?.message).toContain('MESU6 50 by a fill pair of the files and 5 by the table')
})

test("an unknown contract gets the point value that the broker's own P&L proves, or is named as unknown", async () => {
  const fills = [fillsHeader, ...roundTrip(1, 'QQXU6', 'QQX', '0.25', ['100.00', '101.00'])]
  expect(await importFiles({ 'Fills.csv': fills, 'Performance.csv': [pairsHeader, pairRow('QQXU6', '0.25', ['100.00', '101.00'], '$7.50')] })).toMatchObject({ grossPnl: '7.50', reconciliation: { pairsEqual: 1 } })
  const unknown = await importFiles({ 'Fills.csv': fills, 'Balances.csv': balances('1.00') })
  expect(unknown.warnings.map(({ code }) => code)).toContain('unknown-contract')
  expect(unknown).toMatchObject({ grossPnl: '1.00', reconciliation: { daysEqual: 0 } })
})
