import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#tests/helpers/app.ts'
import { runDoor } from '#tests/helpers/run-door.ts'

const real = join(process.env['FILLBOOK_REAL_EXPORTS'] ?? '/nowhere', 'Performance.csv')

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
const run = async (...args: readonly string[]): Promise<Outcome> => {
  const door = runDoor('fillbook', args, { TZ: 'America/New_York' })
  const code = await door.ended
  return { code, ...door.output() }
}
const runJson = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await run('import', ...args, '--json')
  return { code, stderr, report: JSON.parse(stdout) as Record<string, unknown> }
}

const folder = testFolder
const write = (dir: string, name: string, lines: readonly string[]): string => {
  writeFileSync(join(dir, name), `${lines.join('\r\n')}\r\n`)
  return join(dir, name)
}

const fillsHeader = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'
const fillRow = (id: number, clock: string, side: 0 | 1, price: string, contract = 'MESM6', tick = '0.25', account = 'DEMO1'): string =>
  `${String(id)},${String(id + 100)},${String(contract.length)},2026-06-10 ${clock}.083Z,2026-06-10,${String(side)},1,${price},true,99,${String(id)},${String(id + 100)},06/10/2026 10:00:00,6/10/26,${account},${side === 0 ? ' Buy' : ' Sell'},1,${price},-2,0,${tick},${contract},${contract.slice(0, -2)},Micro,0.5`
const fills = [fillsHeader, fillRow(1, '14:00:00', 0, '6100.00'), fillRow(2, '14:01:00', 1, '6101.00')]
const performance = ['symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration', 'MESM6,-2,0,0.25,1,2,1,6100.00,6101.00,$5.00,06/10/2026 10:00:00,06/10/2026 10:01:00,1min ']
const balances = ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,DEMO1,2026-06-10,"50,004.00",4.00']

test('control characters in files and their names never reach the terminal', async () => {
  const dir = folder()
  const hostile = 'AC\u001B[2KC\u001B]52;c;cHduZWQ=\u0007'
  const rows = [fillsHeader, fillRow(1, '14:00:00', 0, '6100.00', 'MESM6', '0.25', hostile), fillRow(2, '14:01:00', 1, '6101.00', 'MESM6', '0.25', hostile)]
  const file = write(dir, 'Fills\u001B[8m.csv', rows)
  const missing = join(dir, 'none\u001B[2J.csv')
  const { code, stdout, stderr } = await run('import', file, missing)
  expect(code).toBe(2)
  expect(stdout).toContain('AC\uFFFD[2KC')
  expect(stderr).toContain('none\uFFFD[2J.csv was refused')
  expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test.skipIf(!existsSync(real))("the real export: every pair matches the broker's own", async () => {
  const { code, stderr, report } = await runJson(real, '--account', 'Mine')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(report).toMatchObject({
    files: [{ kind: 'performance', rows: 221, accepted: 221, rejected: [] }],
    fills: 439, pairs: 221, trips: 218, currency: 'USD', grossPnl: '-140.00',
    statistics: { perPair: { count: 221 }, perTrip: { count: 218 } },
    reconciliation: { pairsChecked: 221, pairsEqual: 221, daysEqual: 0, daysDiffer: 0 },
  })
  expect((report['warnings'] as { code: string }[]).map(({ code: warning }) => warning)).toEqual(['zone-assumed', 'commission-from-table'])
  // The same twice, and once more under another zone of the terminal's, changes nothing.
  const again = await runJson(real, real, '--account', 'Mine')
  expect({ ...again.report, files: [], warnings: [] }).toEqual({ ...report, files: [], warnings: [] })
})

test('fills, pairs and balances reconcile with each other, in the documented JSON', async () => {
  const dir = folder()
  const files = [write(dir, 'Fills.csv', fills), write(dir, 'Performance.csv', performance), write(dir, 'Balances.csv', balances)]
  const { code, stderr, report } = await runJson(...files)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const money = { grossPnl: '5.00', commission: '1.00', netPnl: '4.00' }
  expect(report).toEqual({
    files: [
      { path: files[0], kind: 'fills', rows: 2, accepted: 2, rejected: [] },
      { path: files[1], kind: 'performance', rows: 1, accepted: 1, rejected: [] },
      { path: files[2], kind: 'account-balance-history', rows: 1, accepted: 1, rejected: [] },
    ],
    fills: 2, pairs: 1, trips: 1, currency: 'USD', ...money,
    byAccount: [{ account: 'DEMO1', fills: 2, pairs: 1, trips: 1, ...money }],
    byTradingDay: [{ account: 'DEMO1', tradingDay: '2026-06-10', ...money, brokerNet: '4.00', difference: '0.00', state: 'equal', reason: null, balance: null, movements: [], terms: [], brokenAt: null, unexplained: null }],
    statistics: { perPair: { count: 1, winRate: 1 }, perTrip: { count: 1, winRate: 1 } },
    reconciliation: { pairsChecked: 1, pairsEqual: 1, daysEqual: 1, daysDiffer: 0, daysUnchecked: 0 },
    warnings: [{ code: 'zone-assumed', message: 'Some files have local times only; they were read as America/New_York. Set --timezone to change it.' }],
  })
  expect(Object.keys(report)).toEqual(['files', 'fills', 'pairs', 'trips', 'currency', 'grossPnl', 'commission', 'netPnl', 'byAccount', 'byTradingDay', 'statistics', 'reconciliation', 'warnings'])
  const zoned = await runJson(...files.toReversed(), '--timezone', 'America/New_York')
  expect(zoned.report).toEqual({ ...report, files: (report['files'] as object[]).toReversed(), warnings: [] })
  expect(((await runJson(...files, '--timezone', 'Asia/Tokyo')).report['warnings'] as { code: string }[]).map(({ code: warning }) => warning)).toEqual(['zone-mismatch'])
})

test('several currencies are shown side by side', { tags: ['long', 'nightly'] }, async () => {
  const file = write(folder(), 'Fills.csv', [...fills, fillRow(3, '14:00:00', 0, '18000', 'FDAXM6', '1'), fillRow(4, '14:01:00', 1, '17999', 'FDAXM6', '1')])
  const { report } = await runJson(file)
  const [euros, dollars] = [{ grossPnl: '-25.00', commission: '1.00', netPnl: '-26.00' }, { grossPnl: '5.00', commission: '1.00', netPnl: '4.00' }]
  expect(report).toMatchObject({
    currency: null, grossPnl: null, commission: null, netPnl: null,
    byCurrency: [{ currency: 'EUR', ...euros }, { currency: 'USD', ...dollars }],
    byAccount: [{ account: 'DEMO1', currency: 'EUR', fills: 2, ...euros }, { account: 'DEMO1', currency: 'USD', fills: 2, ...dollars }],
    byTradingDay: [{ currency: 'EUR', ...euros, brokerNet: null, difference: null }, { currency: 'USD', ...dollars }],
  })
})

test("fees in another currency than the contract's reconcile with the cash in that currency, and are in no sum", { tags: ['long', 'nightly'] }, async () => {
  const dir = folder()
  const cash = ['Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract', ...[
    'DEMO1,2,06/10/2026 10:00:00,2026-06-10,-2.10,97.90,Commission,USD,FDAXM6', 'DEMO1,3,06/10/2026 10:01:00,2026-06-10,-2.10,95.80,Commission,USD,FDAXM6', 'DEMO1,4,06/10/2026 10:01:00,2026-06-10,25.00,1025.00,Trade Paired,EUR,FDAXM6',
  ]]
  const dax = ['symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration', 'FDAXM6,0,0,1,1,2,1,18000,18001,$25.00,06/10/2026 10:00:00,06/10/2026 10:01:00,1min ']
  const { report } = await runJson(write(dir, 'Cash.csv', cash), write(dir, 'Performance.csv', dax), '--account', 'DEMO1', '--timezone', 'America/New_York')
  expect(report).toMatchObject({
    currency: 'EUR', grossPnl: '25.00', commission: '0.00', netPnl: '25.00', otherFees: [{ currency: 'USD', amount: '4.20' }], warnings: [],
    byTradingDay: [{ currency: 'EUR', netPnl: '25.00', brokerNet: '25.00', state: 'equal' }, { currency: 'USD', commission: '4.20', netPnl: '-4.20', brokerNet: '-4.20', movements: [{ of: 'fee', name: 'Commission', amount: '-4.20', rows: 2 }], state: 'equal' }],
  })
})

test('unreadable files are refused by name, the rest is read, and JSON is printed all the same', async () => {
  const dir = folder()
  const [good, bad] = [write(dir, 'Fills.csv', [...fills, fillRow(3, '14:02:00', 0, 'dear')]), write(dir, 'Other.csv', ['a,b', '1,2'])]
  const missing = join(dir, 'Gone.csv')
  const { code, stderr, report } = await runJson(good, bad, missing, dir)
  expect(code).toBe(2)
  expect(stderr.trimEnd().split('\n').map((line) => line.replace(dir, ''))).toEqual([expect.stringMatching(/^\/Other\.csv was refused: .*known reports are Performance, /), '/Gone.csv was refused: there is no such file.', ' was refused: it is a folder, not a file.'])
  expect(report).toMatchObject({ pairs: 1, files: [{ kind: 'fills', rows: 3, accepted: 2, rejected: [{ line: 4, reason: expect.stringMatching(/[Pp]rice .*dear/) as string }] }, { path: bad, kind: null, rows: 0, accepted: 0, rejected: [] }, { path: missing, kind: null }, { path: dir, kind: null }] })
})

test('a file without a readable row counts as refused, and its first row is named', { tags: ['long', 'nightly'] }, async () => {
  const file = write(folder(), 'Fills.csv', [fills[0] ?? '', fillRow(1, '14:01:00', 0, 'dear'), fillRow(2, '14:02:00', 1, 'dear')])
  const { code, stderr, report } = await runJson(file)
  expect(code).toBe(2)
  expect(report).toMatchObject({ files: [{ accepted: 0 }] })
  expect(stderr.replace(file, 'FILE')).toMatch(/^FILE: none of its rows can be read\. The first is line 2: .*[Pp]rice .*dear.*\.\n$/)
})

test('pipes and other non-files are refused with a reason', { tags: 'long' }, async () => {
  const { code, stderr } = await run('import', '/dev/null', '--data-dir', join(folder(), 'data'))
  expect({ code, stderr }).toEqual({ code: 2, stderr: '/dev/null was refused: it is a pipe or a device, which can be read only once: save it as a file first.\n' })
})

test.each([
  [[], /^usage: /],
  [['export'], /^usage: /],
  [['import'], /^usage: /],
  [['import', '--color', 'x'], /^usage: /],
  [['import', 'x.csv', '--timezone', 'Mars/Olympus'], /^There is no time zone "Mars\/Olympus"/],
])('%j ends with one line and code 2', async (args, line) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 })
  expect(stderr).toMatch(line)
})

test('an unwritable data folder is named, and the result is printed all the same', { tags: ['long', 'nightly'] }, async () => {
  const dir = folder()
  const fill = write(dir, 'Fills.csv', fills)
  const { code, stderr, report } = await runJson(fill, '--data-dir', fill)
  expect({ code, pairs: report['pairs'] }).toEqual({ code: 1, pairs: 1 })
  expect(stderr).toMatch(/^Nothing was imported\.\n\n.*Fills\.csv\n.*must be a folder/)
})

test('without --json it prints a table', async () => {
  const dir = folder()
  const { stdout } = await run('import', write(dir, 'Fills.csv', fills), write(dir, 'Balances.csv', balances))
  expect(stdout).toMatch(/2026-06-10 +DEMO1 +5\.00 +1\.00 +4\.00 +4\.00 +0\.00/)
  expect(stdout).toContain('no fill pairs of the broker in these files; 1 of 1 day reconciled, 0 differ, 0 not checked')
})
