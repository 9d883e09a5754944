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
  readonly warnings: readonly { readonly code: string; readonly text: string }[]
  readonly reconciliation: { readonly pairsChecked: number; readonly pairsEqual: number; readonly daysChecked: number; readonly daysEqual: number }
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

test('notes with half cents are rounded fill pair by fill pair as the broker rounds them', async () => {
  const pair = (id: number) => `ZNU6,0.015625,${String(id)},${String(id + 1)},1,110.000000,110.015625,$15.62,06/10/2026 10:00:0${String(id)},06/10/2026 10:00:0${String(id + 1)},1sec`
  const told = await importFiles({ 'Fills.csv': notes, 'Performance.csv': [pairsHeader, pair(1), pair(3), pair(5)], 'Balances.csv': balances('46.86') })
  expect(told).toMatchObject({ grossPnl: '46.86', reconciliation: { pairsChecked: 3, pairsEqual: 3, daysChecked: 1, daysEqual: 1 } })
})

test('a broker that rounds otherwise than anything shows differs by those very cents, and no tolerance hides it', async () => {
  const untold = await importFiles({ 'Fills.csv': notes, 'Balances.csv': balances('46.86') })
  expect(untold).toMatchObject({ grossPnl: '46.89', reconciliation: { daysChecked: 1, daysEqual: 0 } })
})
