/** @module-tag long */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatFile } from '#shared/imports/mapped-format.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { anyFormat } from '#tests/helpers/exports/any-format.ts'
import { runDoor } from '#tests/helpers/run-door.ts'

const run = async (...args: readonly string[]) => {
  const door = runDoor('fillbook', ['import', ...args, '--timezone', 'America/New_York', '--json'], { TZ: 'America/New_York' })
  const code = await door.ended
  const { stdout, stderr } = door.output()
  return { code, stderr, report: JSON.parse(stdout) as Record<string, unknown> }
}
const write = (name: string, lines: readonly string[] | Buffer): string => {
  const path = join(testFolder(), name)
  writeFileSync(path, Buffer.isBuffer(lines) ? lines : `${lines.join('\r\n')}\r\n`)
  return path
}

const grid = 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,'
const execution = (action: string, price: string, time: string, id: string, position: string): string => `MNQ SEP26,${action},1,${price},${time},${id},Entry,${position},o-${id},Entry,$0.00,1,Sim101,Live,`
const fills = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'
const fill = (id: number, clock: string, side: 0 | 1, price: string): string =>
  `${String(id)},${String(id + 100)},1,2026-06-10 ${clock}.083Z,2026-06-10,${String(side)},1,${price},true,99,${String(id)},${String(id + 100)},06/10/2026 ${clock},6/10/26,DEMO1,${side === 0 ? ' Buy' : ' Sell'},1,${price},-2,0,0.25,MESM6,MES,Micro,0.5`

test('two round trips within one second are matched by the order of rows and positions, whichever way the file is sorted', { tags: ['long', 'nightly'] }, async () => {
  const rows = [execution('Buy', '21000', '7/14/2026 9:31:05 AM', 'zz', '1 L'), execution('Sell', '21005', '7/14/2026 9:31:05 AM', 'bb', '-'), execution('Buy', '20990', '7/14/2026 9:31:05 AM', 'aa', '1 L'), execution('Sell', '20993', '7/14/2026 9:31:05 AM', 'yy', '-')]
  for (const lines of [rows, rows.toReversed()]) {
    const { code, report } = await run(write('grid.csv', [grid, ...lines]))
    expect({ code, statistics: report['statistics'], gross: report['grossPnl'] }).toEqual({ code: 0, statistics: { perPair: { count: 2, winRate: 1 }, perTrip: { count: 2, winRate: 1 } }, gross: '16.00' })
  }
})

test('ambiguous dates are asked about, and --dates answers it', { tags: ['long', 'nightly'] }, async () => {
  const path = write('grid.csv', [grid, execution('Buy', '21000', '03/02/2026 9:31:05', 'a', '1 L'), execution('Sell', '21005', '03/02/2026 9:31:06', 'b', '-')])
  const asked = await run(path)
  expect(asked.code).toBe(2)
  expect(asked.stderr).toContain('"03/02/2026 9:31:05" is 2026-03-02 (--dates mdy) or 2026-02-03 (--dates dmy)')
  for (const [order, day] of [['dmy', '2026-02-03'], ['grid.csv=dmy', '2026-02-03'], ['mdy', '2026-03-02']] as const) {
    const { code, report } = await run(path, '--dates', order)
    expect([code, report['byTradingDay']]).toEqual([0, [expect.objectContaining({ tradingDay: day })]])
  }
})

test.each([
  ['a day above 12 anywhere in it', [['03/02/2026 9:31:05', '03/02/2026 9:31:07'], ['20/02/2026 9:00:00', '20/02/2026 9:00:05']], '2026-02-03'],
  ['the weekend', [['07/02/2026 15:00:00', '07/02/2026 15:00:05'], ['02/02/2026 9:00:00', '02/02/2026 9:00:05']], '2026-07-02'],
  ['the order of its rows', [['03/02/2026 9:31:05', '03/02/2026 9:31:07'], ['02/03/2026 9:31:05', '02/03/2026 9:31:07']], '2026-02-03'],
  ['the delivery of its contract', [['09/11/2026 9:31:05', '09/11/2026 9:31:07']], '2026-09-11'],
])('the file itself decides how dates are written: %s', async (_, days, first) => {
  const rows = days.flatMap(([bought = '', sold = ''], index) => [execution('Buy', '21000', bought, `b${String(index)}`, '1 L'), execution('Sell', '21001', sold, `s${String(index)}`, '-')])
  const { code, report } = await run(write('grid.csv', [grid, ...rows]))
  expect(code).toBe(0)
  expect((report['byTradingDay'] as { tradingDay: string }[]).map(({ tradingDay }) => tradingDay)).toContain(first)
})

test('everything that depends on an unreadable row is marked, until the account is known to be flat', { tags: ['long', 'nightly'] }, async () => {
  const rows = [fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00'), fill(3, '14:02:00', 0, 'dear'), fill(4, '14:03:00', 1, '6102.00'), fill(5, '14:04:00', 0, '6090.00')]
  const { code, report } = await run(write('Fills.csv', [fills, ...rows]))
  expect(code).toBe(0)
  expect(report).toMatchObject({ pairs: 2, incomplete: { pairs: 1, trips: 1 }, files: [{ rejected: [{ line: 4 }] }] })
})

const cashHeader = 'Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'
const cashRows = ['DEMO1,1,06/10/2026 10:00:00,2026-06-10,-0.50,"49,999.50",Commission,USD,MESM6', 'DEMO1,2,06/10/2026 10:01:00,2026-06-10,-0.50,"49,999.00",Commission,USD,MESM6', 'DEMO1,3,06/10/2026 10:01:00,2026-06-10,5.00,"50,004.00",Trade Paired,USD,MESM6', 'DEMO1,4,06/10/2026 10:02:00,2026-06-10,-3.00,"50,001.00",Liquidation Fee,USD,']
const twoFills = [fills, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00')]

test.each([
  ['an amount', ',-3.00,', ',x3.00,'],
  ['a balance', '"50,001.00"', 'all'],
  ['a time', '06/10/2026 10:02:00', 'later'],
  ['a date and its time', '06/10/2026 10:02:00,2026-06-10', 'later,soon'],
  ['an account', 'DEMO1,4', ',4'],
])('the day of an unreadable Cash History row never reconciles: %s', { tags: 'long' }, async (_, cell, spoilt) => {
  const cash = [cashHeader, ...cashRows].map((line) => (line.includes(',4,') ? line.replace(cell, spoilt) : line))
  const { report } = await run(write('Fills.csv', twoFills), write('Cash History.csv', cash))
  expect(report['byTradingDay']).toMatchObject([{ tradingDay: '2026-06-10', state: 'unchecked', reason: 'row-refused', difference: '0.00' }])
  // Another file may have the row whole.
  const both = await run(write('Fills.csv', twoFills), write('Cash History.csv', cash), write('Whole.csv', [cashHeader, ...cashRows]))
  expect(both.report['byTradingDay']).toMatchObject([{ state: 'differs', reason: null, difference: '3.00', terms: [{ name: 'Liquidation Fee', amount: '3.00' }] }])
})

test('a day with a refused row cannot be checked, whatever its other rows add up to', { tags: ['long', 'nightly'] }, async () => {
  const lost = [...twoFills, fill(3, '14:02:00', 0, '6101.50'), fill(4, '14:03:00', 1, 'dear')]
  const { report } = await run(write('Fills.csv', lost), write('Cash History.csv', [cashHeader, ...cashRows.slice(0, 3)]))
  expect(report).toMatchObject({ grossPnl: '5.00', byTradingDay: [{ state: 'unchecked', reason: 'row-refused' }] })
})

test('a day with a fill that differs between two files cannot be checked', { tags: ['long', 'nightly'] }, async () => {
  const other = [fills, fill(1, '14:00:00', 0, '6090.00'), fill(2, '14:01:00', 1, '6101.00')]
  for (const order of [[twoFills, other], [other, twoFills]]) {
    const { report } = await run(...order.map((lines, index) => write(`Fills ${String(index)}.csv`, lines)), write('Cash History.csv', [cashHeader, ...cashRows.slice(0, 3)]))
    expect(report).toMatchObject({ byTradingDay: [{ state: 'unchecked', reason: 'contradicting-rows' }], warnings: [{ code: 'contradicting-rows' }] })
  }
})

const messageOf = (report: Record<string, unknown>, code: string): string | undefined => (report['warnings'] as { code: string; message: string }[]).find((warning) => warning.code === code)?.message
const ordersHeader = 'orderId,Account,Order ID,B/S,Contract,avgPrice,filledQty,Fill Time,Status,_tickSize,Timestamp,Filled Qty,Avg Fill Price,decimalFillAvg'
const order = (id: number, clock: string, side: 'Buy' | 'Sell', qty: number, price: string): string => `${String(id)},DEMO1,${String(id)}, ${side},MESM6,${price},${String(qty)},06/10/2026 ${clock}, Filled,0.25,06/10/2026 ${clock},${String(qty)},${price},${price}`

test('contradicting rows of one file are named by file, line and cell', { tags: ['long', 'nightly'] }, async () => {
  const { report } = await run(write('Fills.csv', [...twoFills, fill(1, '14:00:00', 0, '6099.00'), fill(2, '14:01:30', 1, '6101.00')]))
  expect(report['byTradingDay']).toMatchObject([{ state: 'unchecked', reason: 'contradicting-rows' }])
  expect(messageOf(report, 'contradicting-rows')).toMatch(/about 2 fills.*: fill 1 has a different price in \S*Fills\.csv lines 2, 4; fill 2 has a different time in \S*Fills\.csv lines 3, 5\. Correct these rows or export the files again\.$/)
})

test('fees without a fill and orders that contradict their fills are named by their first lines', { tags: ['long', 'nightly'] }, async () => {
  const unplaced = Array.from({ length: 12 }, (_, index) => `DEMO1,${String(index + 10)},06/1${String(1 + Math.floor(index / 6))}/2026 10:00:0${String(index % 6)},2026-06-1${String(1 + Math.floor(index / 6))},-0.50,"50,000.00",Commission,USD,MESM6`)
  const { report } = await run(write('Fills.csv', twoFills), write('Cash.csv', [cashHeader, ...cashRows, ...unplaced]), write('Orders.csv', [ordersHeader, order(101, '10:00:00', 'Buy', 1, '6099.00'), order(102, '10:01:00', 'Sell', 1, '6101.00')]))
  expect(messageOf(report, 'fees-unplaced')).toMatch(/^12 fee rows in the Cash History match no fill of these files: \S*Cash\.csv lines 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 2 more\. Import the Fills or Orders of that time\.$/)
  expect(messageOf(report, 'order-contradicts')).toMatch(/: \S*Orders\.csv line 2\. .*export Orders and Fills again\.$/)
})

test('numbers cut off after their decimal sign are refused by file, line and cell', { tags: ['long', 'nightly'] }, async () => {
  const cut = await run(write('Fills.csv', [fills, fill(1, '14:00:00', 0, '6100.00').replace(',1,6100.00,-2', ',1,6100.,-2'), fill(2, '14:01:00', 1, '6101.00').replace('6101.00', '0.')]), write('Orders.csv', [ordersHeader, order(101, '10:00:00', 'Buy', 1, '6100.'), order(102, '10:01:00', 'Sell', 1, '6101.00').replace(',6101.00,6101.00', ',0.,6101.00')]))
  expect(cut.report['files']).toMatchObject([
    { rejected: [{ line: 2, reason: 'Price is not a number: "6100."' }, { line: 3, reason: '_price is not a number: "0."' }] },
    { rejected: [{ line: 2, reason: 'decimalFillAvg is not a number: "6100."' }, { line: 3, reason: 'Avg Fill Price is not a number: "0."' }] },
  ])
  expect(cut.report).toMatchObject({ fills: 0, reconciliation: { daysEqual: 0 } })
})

test('pairs of one file that disagree on a fill are named by their lines', { tags: ['long', 'nightly'] }, async () => {
  const pairs = ['symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration', 'MESM6,-2,0,0.25,1,2,1,6100.00,6101.00,$5.00,06/10/2026 10:00:00,06/10/2026 10:01:00,1min ', 'MESM6,-2,0,0.25,1,3,1,6099.00,6101.00,$10.00,06/10/2026 10:00:00,06/10/2026 10:02:00,2min ']
  const { report } = await run(write('Performance.csv', pairs))
  expect(messageOf(report, 'contradicting-rows')).toMatch(/fill 1 has a different price in \S*Performance\.csv lines 2, 3\./)
})

test('positions left open by the files are named', { tags: ['long', 'nightly'] }, async () => {
  const { report } = await run(write('Fills.csv', [fills, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 0, '6101.00'), fill(3, '14:02:00', 1, '6102.00')]))
  expect(report['open']).toEqual([{ account: 'DEMO1', contract: 'MESM6', side: 'long', quantity: 1 }])
})

test('semicolons, decimal commas and Latin-1 are read, and a missing column is named', async () => {
  const rows = [fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.25')]
  const semicolons = [fills, ...rows].map((line) => line.replaceAll(',', ';').replaceAll(/(\d)\.(\d\d;)/g, '$1,$2').replaceAll(';0.5', ';0,5').replaceAll('0.25;', '0,25;'))
  expect((await run(write('Fills.csv', semicolons))).report).toMatchObject({ pairs: 1, grossPnl: '6.25' })
  const latin = Buffer.from([fills, ...rows].join('\n').replaceAll('Micro', 'Mücro'), 'latin1')
  expect((await run(write('Fills.csv', latin))).report).toMatchObject({ pairs: 1, grossPnl: '6.25' })
  const lacking = await run(write('Fills.csv', [fills, ...rows].map((line) => line.split(',').filter((_, index) => index !== 21).join(','))))
  expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining('it looks like Fills, but this column is missing: Contract') as string })
})

test('one account under two names is reported, and its days cannot be checked', { tags: ['long', 'nightly'] }, async () => {
  const renamed = twoFills.map((line) => line.replace('DEMO1', 'DEMO1-renamed'))
  const { report } = await run(write('Before.csv', twoFills), write('After.csv', renamed), write('Cash.csv', [cashHeader, ...cashRows.slice(0, 3)]))
  expect(report['byTradingDay']).toMatchObject([{ account: 'DEMO1', state: 'unchecked', reason: 'counted-twice' }, { account: 'DEMO1-renamed', state: 'unchecked', reason: 'counted-twice' }])
  expect(report['warnings']).toMatchObject([{ code: 'accounts-one-number' }, { code: 'accounts-alike' }])
  const named = await run(write('Before.csv', twoFills), write('After.csv', twoFills))
  expect(named.report).toMatchObject({ pairs: 1, grossPnl: '5.00', warnings: [] })
})

test('fees of an opening that the broker charged neither in its session nor with the close never reconcile', { tags: ['long', 'nightly'] }, async () => {
  const held = [fills, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6110.00').replaceAll('2026-06-10', '2026-06-11').replace('06/10/2026', '06/11/2026').replace('6/10/26', '6/11/26')]
  const balances = (closing: string) => ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,DEMO1,2026-06-10,"50,000.00",0.00', `99,DEMO1,2026-06-11,"50,0${closing}",${closing}`]
  // 50.00 of gross, and 0.50 for either side.
  expect((await run(write('Fills.csv', held), write('Balances.csv', balances('49.00')))).report['byTradingDay']).toMatchObject([{ tradingDay: '2026-06-11', netPnl: '49.00', state: 'equal' }])
  expect((await run(write('Fills.csv', held), write('Balances.csv', balances('49.50')))).report['byTradingDay']).toMatchObject([{ tradingDay: '2026-06-11', netPnl: '49.00', state: 'unchecked', reason: 'fees-uncertain', difference: '-0.50' }])
})

test('fees of contracts that were opened and closed in different sessions are named beside the broker\'s own net', { tags: ['long', 'nightly'] }, async () => {
  const sold = fill(2, '14:01:00', 1, '6101.00').replaceAll('2026-06-10', '2026-06-11').replaceAll('06/10/2026', '06/11/2026').replace('6/10/26', '6/11/26')
  const cash = [cashHeader, ...cashRows.slice(0, 3).map((row, place) => (place === 0 ? row : row.replace('06/10/2026', '06/11/2026').replace('2026-06-10', '2026-06-11')))]
  const paths = [write('Fills.csv', [fills, fill(1, '14:00:00', 0, '6100.00'), sold]), write('Cash History.csv', cash)]
  expect((await run(...paths)).report['byTradingDay']).toMatchObject([{ tradingDay: '2026-06-11', netPnl: '4.00', brokerNet: '4.50', difference: '0.00', state: 'equal', terms: [{ of: 'openings', name: null, amount: '-0.50' }] }])
  const door = runDoor('fillbook', ['import', ...paths, '--timezone', 'America/New_York'], { TZ: 'America/New_York' })
  await door.ended
  expect(door.output().stdout).toContain('2026-06-11 DEMO1 reconciled; Fillbook minus the broker: fees of contracts opened and closed in different sessions -0.50.')
  expect(door.output().stdout).not.toContain('fractions of a cent')
})

test("fees with parts of a cent add up in every line, and the day shows the rest that the broker's whole cents leave", async () => {
  const double = fill(1, '14:00:00', 0, '6100.00').replace(',0,1,6100.00', ',0,2,6100.00').replace(' Buy,1,', ' Buy,2,').replace(/0\.5$/, '1.03')
  const night = (id: number, price: string) => fill(id, '14:01:00', 1, price).replaceAll('2026-06-10', '2026-06-11').replaceAll('06/10/2026', '06/11/2026').replace('6/10/26', '6/11/26')
  const balances = ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,DEMO1,2026-06-09,"50,000.00",0.00', '99,DEMO1,2026-06-10,"50,003.98",3.98', '99,DEMO1,2026-06-11,"50,007.97",3.99']
  const paths = [write('Fills.csv', [fills, double, fill(2, '14:01:00', 1, '6101.00'), night(3, '6101.00')]), write('Balances.csv', balances)]
  const { report } = await run(...paths)
  type Money = { grossPnl: string; commission: string; netPnl: string }
  const units = (text: string): number => Math.round(Number(text) * 10_000)
  const days = report['byTradingDay'] as (Money & { brokerNet: string; difference: string; state: string })[]
  expect(days.map(({ grossPnl, commission, netPnl, brokerNet, difference, state }) => [grossPnl, commission, netPnl, brokerNet, difference, state])).toEqual([['5.00', '1.015', '3.985', '3.98', '0.00', 'equal'], ['5.00', '1.015', '3.985', '3.99', '0.00', 'equal']])
  const total = report as unknown as Money
  for (const one of [...days, total]) expect(units(one.grossPnl) - units(one.commission)).toBe(units(one.netPnl))
  expect(days.reduce((sum, { netPnl }) => sum + units(netPnl), 0)).toBe(units(total.netPnl))
  const door = runDoor('fillbook', ['import', ...paths, '--timezone', 'America/New_York'], { TZ: 'America/New_York' })
  await door.ended
  expect(door.output().stdout).toContain('less than a cent of such a day remains')
})

test('a file of prices is refused with where to store it', { tags: ['long', 'nightly'] }, async () => {
  const bars = write('MNQ 12-26.Last.txt', ['20261102 143000;21500.25;21500.5;21499;21500;12', '20261102 143100;21500.25;21500.5;21499;21500;12'])
  for (const path of [bars, write('MNQ 12-26.ncd', ['\u0000\u0001'])]) {
    expect(await run(path)).toMatchObject({ code: 2, stderr: expect.stringContaining('it has prices and no trades: store it in Fillbook under Import') as string })
  }
})

test('an unknown file gets advice, and --format reads it; an invalid format file is refused by name', async () => {
  const path = write('mine.csv', ['My time,My symbol,My side,My quantity,My price,My fee', '2026-06-10 10:00:00,MESM6,in,1,6100,0.62', '2026-06-10 10:05:00,MESM6,out,1,6102,0.62'])
  const unknown = await run(path)
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('its columns match no known report: open it in Fillbook under Import to map its columns, export that format there, and pass it with --format FILE.json')
  const { code, report } = await run(path, '--format', write('mine.json', [formatFile(anyFormat)]))
  expect({ code, gross: report['grossPnl'], commission: report['commission'] }).toEqual({ code: 0, gross: '10.00', commission: '1.24' })
  for (const [text, words] of [['{}', 'is no import format of Fillbook'], [JSON.stringify({ ...anyFormat, version: 2, more: true }), 'is an import format of a newer Fillbook'], [JSON.stringify({ ...anyFormat, columns: anyFormat.columns.slice(1) }), 'leaves columns out']] as const) {
    const door = runDoor('fillbook', ['import', path, '--format', write('bad.json', [text])])
    expect([await door.ended, door.output().stderr]).toEqual([2, expect.stringContaining(words)])
  }
})
