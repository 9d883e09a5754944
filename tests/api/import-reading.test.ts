import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { startApp } from '#tests/helpers/app.ts'
import { anyFormat } from '#tests/helpers/exports/any-format.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { previewImport, addImport, undoImport, inspectFile, tryFormat, importFormats, saveImportFormat, removeImportFormat } = importRoutes

const grid = (positions: boolean, rows: readonly (readonly [action: string, price: string, time: string, id: string, position: string])[]): string =>
  ['Instrument,Action,Quantity,Price,Time,ID,Position,Order ID,Commission,Account,', ...rows.map(([action, price, time, id, position]) => `MNQ SEP26,${action},1,${price},${time},${id},${positions ? position : ''},o-${id},$0.00,Sim101,`)].join('\r\n')
const fillsHeader = '_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Account,B/S,Quantity,Price,_tickSize,Contract,commission'
const fill = (id: number, clock: string, side: 0 | 1, price: string): string => `${String(id)},${String(id + 100)},2026-06-10 ${clock}.083Z,2026-06-10,${String(side)},1,${price},true,99,DEMO1,${side === 0 ? ' Buy' : ' Sell'},1,${price},0.25,MESM6,0.5`

const start = async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  return { browser, trades: async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades }
}

test('a file with ambiguous dates is asked about, and read in the order that the user picks', async () => {
  const { browser, trades } = await start()
  const uploads = await uploadAll(browser, { 'grid.csv': grid(true, [['Buy', '21000', '03/02/2026 9:31:05', 'a', '1 L'], ['Sell', '21005', '03/02/2026 9:31:06', 'b', '-']]) })
  const asked = await browser.call(previewImport, { body: importRequest(uploads) })
  expect(asked).toMatchObject({ files: [{ problem: 'open-dates', openDate: { text: '03/02/2026 9:31:05', mdy: '2026-03-02', dmy: '2026-02-03' } }], without: 'nothing-read' })
  const answered = { ...importRequest(uploads), uploads: uploads.map((upload) => ({ ...upload, dates: 'dmy' as const })) }
  expect((await browser.call(previewImport, { body: { ...answered, work: randomUUID() } })).files).toMatchObject([{ problem: null, accepted: 2 }])
  await browser.call(addImport, { body: { ...answered, work: randomUUID() } })
  expect(await trades()).toMatchObject([{ date: '2026-02-03' }])
})

test('trades that depend on a refused row are marked incomplete until the row arrives', async () => {
  const { browser, trades } = await start()
  const rows = [fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00'), fill(3, '14:02:00', 0, '6101.50'), fill(4, '14:03:00', 1, '6102.00'), fill(5, '14:04:00', 0, '6090.00')]
  const broken = [fillsHeader, ...rows].join('\r\n').replace('1,6101.50,true', '1,dear,true')
  const uploads = await uploadAll(browser, { 'Fills.csv': broken })
  const { files, outcome } = await browser.call(previewImport, { body: importRequest(uploads) })
  expect({ lines: files[0]?.refusedLines, incomplete: outcome?.incomplete }).toMatchObject({ lines: [{ line: 4, column: '_price' }], incomplete: 1 })
  const { imported } = await browser.call(addImport, { body: importRequest(uploads) })
  const warned = async () => (await trades()).map(({ warnings }) => warnings.includes('incomplete'))
  expect((await warned()).sort()).toEqual([false, true])
  const whole = await uploadAll(browser, { 'Fills.csv': [fillsHeader, ...rows].join('\r\n') })
  const preview = await browser.call(previewImport, { body: importRequest(whole) })
  expect(preview.outcome).toMatchObject({ incomplete: 0, open: [{ account: 'DEMO1', contract: 'MESM6', side: 'long', quantity: 1 }] })
  const second = await browser.call(addImport, { body: importRequest(whole) })
  expect(await warned()).toEqual([false, false])
  await browser.call(undoImport, { body: { id: second.imported?.id ?? '' } })
  expect((await warned()).sort()).toEqual([false, true])
  await browser.call(undoImport, { body: { id: imported?.id ?? '' } })
  expect(await trades()).toEqual([])
})

test('numbers cut off after their decimal sign are refused by line and cell', async () => {
  const { browser } = await start()
  const order = (id: number, average: string): string => `${String(id)},DEMO1,${String(id)}, Buy,MESM6,${average},1,06/10/2026 10:00:00, Filled,0.25,06/10/2026 10:00:00`
  const orders = ['orderId,Account,Order ID,B/S,Contract,avgPrice,filledQty,Fill Time,Status,_tickSize,Timestamp', order(101, '6100.'), order(102, '0.')].join('\r\n')
  const { files } = await browser.call(previewImport, { body: importRequest(await uploadAll(browser, { 'Orders.csv': orders, 'Fills.csv': [fillsHeader, fill(1, '14:00:00', 0, '6100.00').replace(',1,6100.00,0.25', ',1,0.,0.25')].join('\r\n') })) })
  expect(files.map(({ refusedLines }) => refusedLines)).toEqual([
    [{ line: 2, code: 'bad-number', column: 'avgPrice', value: '6100.' }, { line: 3, code: 'bad-number', column: 'avgPrice', value: '0.' }],
    [{ line: 2, code: 'bad-number', column: 'Price', value: '0.' }],
  ])
})

test('the preview names the lines of contradicting rows and of fees without a fill, and counts what is uncertain', async () => {
  const { browser } = await start()
  const cash = ['Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract', 'DEMO1,1,06/11/2026 10:01:00,2026-06-11,-1.00,"49,999.00",Commission,USD,MESM6'].join('\r\n')
  const orders = ['orderId,Account,Order ID,B/S,Contract,avgPrice,filledQty,Fill Time,Status,_tickSize,Timestamp', '101,DEMO1,101, Buy,MESM6,6100.25,1,06/10/2026 10:00:00, Filled,0.25,06/10/2026 10:00:00', '103,DEMO1,103, Buy,MESM6,6100.00,1,06/10/2026 10:05:00, Filled,0.25,06/10/2026 10:05:00', '104,DEMO1,104, Sell,MESM6,6102.00,1,06/10/2026 10:06:00, Filled,0.25,06/10/2026 10:06:00'].join('\r\n')
  const rows = [fillsHeader, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00'), fill(2, '14:01:00', 1, '6102.00')].join('\r\n')
  const seconds = [['Buy', '21000', '7/14/2026 9:31:05 AM', 'zz', ''], ['Sell', '21005', '7/14/2026 9:31:05 AM', 'bb', ''], ['Buy', '20990', '7/14/2026 9:31:05 AM', 'aa', ''], ['Sell', '20993', '7/14/2026 9:31:05 AM', 'yy', '']] as const
  const uploads = await uploadAll(browser, { 'Fills.csv': rows, 'Cash.csv': cash, 'Orders.csv': orders, 'grid.csv': grid(false, seconds) })
  const { outcome } = await browser.call(previewImport, { body: importRequest(uploads) })
  const named = [
    { code: 'contradicting-rows', rows: 1, conflicts: [{ what: 'fill', id: '2', differs: ['price'], at: [{ file: 'Fills.csv', line: 3 }, { file: 'Fills.csv', line: 4 }] }] },
    { code: 'fees-unplaced', rows: 1, at: [{ file: 'Cash.csv', line: 2 }], of: 1 },
    { code: 'order-contradicts', rows: 1, at: [{ file: 'Orders.csv', line: 2 }], of: 1 },
  ]
  expect(outcome?.warnings).toEqual(expect.arrayContaining(named))
  expect({ incomplete: outcome?.incomplete, approximate: outcome?.approximate, ambiguous: outcome?.ambiguous }).toEqual({ incomplete: 0, approximate: 1, ambiguous: 2 })
  await browser.call(addImport, { body: importRequest(uploads) })
  // Lines are kept: a later file is held against them.
  const later = await uploadAll(browser, { 'Later.csv': [fillsHeader, fill(1, '14:00:00', 0, '6099.75')].join('\r\n') })
  const again = await browser.call(previewImport, { body: importRequest(later) })
  expect(again.outcome?.warnings.flatMap((warning) => (warning.code === 'contradicting-rows' ? warning.conflicts.map(({ id, at }) => [id, at]) : []))).toEqual([['1', [{ file: 'Fills.csv', line: 2 }, { file: 'Later.csv', line: 2 }]], ['2', named[0]?.conflicts?.[0]?.at]])
})

test('the day of an unreadable cash row is not checked until the row arrives', async () => {
  const { browser } = await start()
  const cash = (liquidation: string): string => ['Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract', 'DEMO1,1,06/10/2026 10:01:00,2026-06-10,-1.00,"49,999.00",Commission,USD,MESM6', 'DEMO1,2,06/10/2026 10:01:00,2026-06-10,5.00,"50,004.00",Trade Paired,USD,MESM6', `DEMO1,3,06/10/2026 10:02:00,2026-06-10,${liquidation},"50,001.00",Liquidation Fee,USD,`].join('\r\n')
  const trade = [fillsHeader, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00')].join('\r\n')
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': trade, 'Cash.csv': cash('x3.00') })) })
  const days = async () => (await browser.call(reconciliationRoutes.reconciliation, { query: {} })).days.map(({ state, reason, difference }) => [state, reason, difference])
  expect(await days()).toEqual([['unchecked', 'row-refused', '0.00']])
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'Cash.csv': cash('-3.00') })) })
  expect(await days()).toEqual([['differs', null, '3.00']])
})

test('fills of the same second are matched in the order of rows and positions, and marked as ambiguous without such evidence', { tags: 'long' }, async () => {
  const rows = [['Buy', '21000', '7/14/2026 9:31:05 AM', 'zz', '1 L'], ['Sell', '21005', '7/14/2026 9:31:05 AM', 'bb', '-'], ['Buy', '20990', '7/14/2026 9:31:05 AM', 'aa', '1 L'], ['Sell', '20993', '7/14/2026 9:31:05 AM', 'yy', '-']] as const
  const { browser, trades } = await start()
  const { imported } = await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'grid.csv': grid(true, rows) })) })
  expect((await trades()).map(({ pnl, warnings }) => [Number(pnl), warnings.includes('ambiguous-order')]).sort()).toEqual([[10, false], [6, false]])
  await browser.call(undoImport, { body: { id: imported?.id ?? '' } })
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'grid.csv': grid(false, rows) })) })
  expect((await trades()).every(({ warnings }) => warnings.includes('ambiguous-order'))).toBe(true)
})

test('the commission of a trade entered by hand is reconciled with the broker, too', { tags: 'long' }, async () => {
  const { browser } = await start()
  const { currentUser } = await browser.call(sessionRoutes.session)
  const userId = currentUser?.uid ?? ''
  const balances = ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,DEMO1,2026-06-09,"50,000.00",0.00', '99,DEMO1,2026-06-10,"50,004.00",4.00'].join('\r\n')
  const trade = [fillsHeader, fill(1, '14:00:00', 0, '6100.00'), fill(2, '14:01:00', 1, '6101.00')].join('\r\n')
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': trade, 'Balances.csv': balances })) })
  const day = async () => (await browser.call(reconciliationRoutes.reconciliation, { query: {} })).days.filter(({ tradingDay }) => tradingDay === '2026-06-10').map(({ state, difference, fillbook }) => [state, difference, fillbook.netPnl])
  expect(await day()).toEqual([['equal', '0.00', '4.00']])
  const [known] = (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades
  const entered = { id: 'mine', symbol: 'MESM6', account: 'DEMO1', accountId: known?.accountId ?? '', qty: 1, entryPrice: 6100, exitPrice: 6100, commission: '5.00', entryTime: '2026-06-10T15:00:00Z', exitTime: '2026-06-10T15:05:00Z' }
  await browser.call(recordRoutes.addTrade, { body: { userId, trade: entered } })
  expect(await day()).toEqual([['differs', '-5.00', '-1.00']])
})

test('fees with parts of a cent add up in fill pairs, trades, statistics, the preview, and days alike', { tags: 'long' }, async () => {
  const { browser, trades: pairs } = await start()
  const double = fill(1, '14:00:00', 0, '6100.00').replace(',0,1,6100.00', ',0,2,6100.00').replace(' Buy,1,', ' Buy,2,').replace(/0\.5$/, '1.03')
  const uploads = await uploadAll(browser, { 'Fills.csv': [fillsHeader, double, fill(2, '14:01:00', 1, '6101.00'), fill(3, '14:02:00', 1, '6101.00'), fill(4, '14:03:00', 0, '6100.00').replace(/0\.5$/, '0.505'), fill(5, '14:04:00', 1, '6101.00')].join('\r\n') })
  const { outcome } = await browser.call(previewImport, { body: importRequest(uploads) })
  await browser.call(addImport, { body: importRequest(uploads) })
  type Money = { readonly grossPnl: string; readonly commission: string; readonly netPnl: string }
  const units = (text: string): number => Math.round(Number(text) * 10_000)
  const netOf = (rows: readonly Money[]): number => rows.reduce((sum, { netPnl }) => sum + units(netPnl), 0)
  const all = await pairs()
  const { rows: trades } = await browser.call(journalRoutes.tradePage, { query: {} })
  const { all: { money } } = await browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs' } })
  const { days } = await browser.call(reconciliationRoutes.reconciliation, { query: {} })
  for (const one of [...all, ...trades, ...money, ...days.map(({ fillbook }) => fillbook), ...(outcome?.money ?? [])]) expect(units(one.grossPnl) - units(one.commission)).toBe(units(one.netPnl))
  expect(all.map(({ commission }) => commission).sort()).toEqual(['1.005', '1.015', '1.015'])
  expect(all.map(({ pnl }) => pnl).sort()).toEqual([3.985, 3.985, 3.995])
  expect([netOf(trades), netOf(money), netOf(days.map(({ fillbook }) => fillbook)), netOf(outcome?.money ?? [])]).toEqual([netOf(all), netOf(all), netOf(all), netOf(all)])
})

const mine = 'My time,My symbol,My side,My quantity,My price,My fee\n'
const mapped = `${mine}2026-06-10 10:00:00,MESM6,in,1,6100,0.62\n2026-06-10 10:05:00,MESM6,out,1,6102,0.62\n2026-06-10 10:06:00,US 500,in,1,6102,0.62\n`

test('a file of an unknown program is inspected, tried, saved as a named format, and recognized by it; imported rows stay when the format is removed', async () => {
  const { browser, trades } = await start()
  const [upload] = await uploadAll(browser, { 'My broker.csv': mapped })
  const file = { upload: upload?.id ?? '', name: 'My broker.csv' }
  const refusal = await browser.call(previewImport, { body: importRequest(upload === undefined ? [] : [upload]) })
  expect(refusal.files).toMatchObject([{ problem: 'unknown-kind', format: null }])
  const seen = await browser.call(inspectFile, { body: file })
  expect(seen).toMatchObject({ saved: false, format: { name: 'My broker', rows: 'fills' }, columns: [{ header: 'My time', cells: ['2026-06-10 10:00:00', '2026-06-10 10:05:00', '2026-06-10 10:06:00'] }, {}, { values: ['in', 'out'] }, {}, {}, {}] })
  expect(await browser.call(tryFormat, { body: { ...file, zone: 'America/New_York', format: anyFormat } })).toEqual({
    file: expect.objectContaining({ kind: 'mapped-fills', format: 'Mine', accepted: 2, refused: 1, refusedLines: [{ line: 4, code: 'unknown-symbol', column: 'My symbol', value: 'US 500' }] }) as unknown,
    rows: [
      { line: 2, account: null, contract: 'MESM6', side: 'buy', quantity: 1, time: '2026-06-10T14:00:00.000Z', price: '6100', exit: null, grossPnl: null, fees: '0.62', tradingDay: null },
      { line: 3, account: null, contract: 'MESM6', side: 'sell', quantity: 1, time: '2026-06-10T14:05:00.000Z', price: '6102', exit: null, grossPnl: null, fees: '0.62', tradingDay: null },
    ],
    symbols: ['US 500'],
  })
  expect(await browser.fail(saveImportFormat, { body: { format: { ...anyFormat, columns: anyFormat.columns.slice(1) } } })).toMatchObject({ status: 400 })
  expect((await browser.call(importFormats)).formats).toEqual([])
  await browser.call(saveImportFormat, { body: { format: anyFormat } })
  await browser.call(saveImportFormat, { body: { format: { ...anyFormat, name: 'Renamed' } } })
  const [kept, ...others] = (await browser.call(importFormats)).formats
  expect([kept?.format.name, others]).toEqual(['Renamed', []])
  expect(await browser.call(inspectFile, { body: file })).toMatchObject({ saved: true, format: { name: 'Renamed' } })
  const request = importRequest(upload === undefined ? [] : [upload])
  expect(await browser.call(previewImport, { body: { ...request, work: randomUUID() } })).toMatchObject({ files: [{ kind: 'mapped-fills', format: 'Renamed', problem: null, accepted: 2, needsZone: true }], outcome: { pairs: { added: 1 }, checks: { pairsChecked: 0, daysEqual: 0 } } })
  await browser.call(addImport, { body: { ...request, work: randomUUID() } })
  const before = await trades()
  expect(before).toMatchObject([{ pnl: 8.76, commission: '1.24' }])
  await browser.call(removeImportFormat, { body: { id: kept?.id ?? '' } })
  expect([(await browser.call(importFormats)).formats, await trades()]).toEqual([[], before])
})
