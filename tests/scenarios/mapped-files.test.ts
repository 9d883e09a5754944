import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inspectFile } from '#backend/imports/imports.ts'
import { assembleFiles } from '#shared/imports/assemble-files.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import { guessFormat } from '#shared/imports/guess-format.ts'
import { formatProblems, type FormatField, type ImportFormat } from '#shared/imports/mapped-format.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { inPieces, readBytes, type ReadFile } from '#tests/helpers/exports/read.ts'
import { fill, monday, openStore, other, take, user } from '#tests/helpers/store.ts'

const zone = 'America/Chicago'
const fixture = (name: string): string => readFileSync(new URL(`../fixtures/platforms/${name}`, import.meta.url), 'utf8')

/** A file of an unknown report: each header says the same in other words. */
const renamed = (text: string, names: Readonly<Record<string, string>>): string => {
  const end = text.search(/\r?\n/)
  const separator = text.slice(0, end).includes('\t') ? '\t' : text.slice(0, end).includes(';') ? ';' : ','
  return text.slice(0, end).split(separator).map((name) => names[name] ?? name).join(separator) + text.slice(end)
}

const guessed = async (text: string): Promise<ImportFormat> => {
  const facts = await inspectFile(inPieces(Buffer.from(text)))
  if (!facts.ok) throw new Error(facts.error.code)
  return guessFormat(facts.value, 'My broker')
}
const fieldsIn = ({ columns }: ImportFormat): Record<string, FormatField> => Object.fromEntries(columns.flatMap(({ header, field }) => (field === null ? [] : [[header, field]])))
const withFields = (format: ImportFormat, fields: Readonly<Record<string, FormatField | null>>, more: Partial<ImportFormat> = {}): ImportFormat => ({ ...format, columns: format.columns.map((column) => ({ ...column, field: fields[column.header] === undefined ? column.field : (fields[column.header] ?? null) })), ...more })

const readBy = async (format: ImportFormat, text: string, dates: 'mdy' | 'dmy' | null = null): Promise<Extract<ReadFile, { ok: true }>> => {
  expect(formatProblems(format)).toEqual([])
  const file = await readBytes(Buffer.from(text), zone, undefined, { dates: dates === null ? null : { order: dates, ofThisFile: true }, latest: null, formats: [format] })
  if (!file.ok) throw new Error(JSON.stringify(file.problem))
  return file
}

/** What fills and trades say, without the ids that differ by who gives them. */
const rowsOf = (readings: readonly Reading[]): readonly unknown[] =>
  readings.flatMap((reading) => {
    if (reading.says === 'fill') return [[reading.account.name, reading.contract, reading.time, reading.side, reading.qty, reading.price, reading.tickSize, reading.fee]]
    return reading.says === 'pair' ? [[reading.account.name, reading.contract, reading.buy.time, reading.buy.price, reading.sell.time, reading.sell.price, reading.qty, reading.pnl, reading.fees ?? null, reading.closing, reading.tradeDate]] : []
  }).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

describe('a file of an unknown program', () => {
  it.each<[name: string, headers: Record<string, string>, open: Record<string, FormatField | null>, dates?: 'mdy' | 'dmy']>([
    ['topstepx.csv', { Id: 'Deal number', ContractName: 'Instrument', EnteredAt: 'Einstiegszeit', ExitedAt: 'Ausstiegszeit', EntryPrice: 'Einstiegspreis', ExitPrice: 'Ausstiegspreis', Fees: 'Gebühren', PnL: 'Gewinn', Size: 'Menge', Type: 'Richtung' }, { Gewinn: 'grossPnl' }],
    ['quantower.csv', { 'Date/Time': 'Heure', Symbol: 'Contrat', Side: 'Sens', Quantity: 'Quantité', Price: 'Prix', Fee: 'Frais', 'Trade ID': 'Execution ID', 'Gross P/L': 'Points', 'Net P/L': 'More points' }, {}],
    ['atas.csv', { 'Open time': '开仓时间', 'Open price': '开仓价格', 'Open volume': '开仓数量', 'Close time': '平仓时间', 'Close price': '平仓价格', 'Close volume': '平仓数量', PnL: '毛盈亏' }, {}],
  ])('%s: its columns are guessed by name and content, and its rows say what the platform’s reader says', async (name, headers, open, dates) => {
    const own = fixture(name)
    const text = renamed(own, headers)
    const read = await readBytes(Buffer.from(own), zone, undefined, { dates: dates === undefined ? null : { order: dates, ofThisFile: true }, latest: null })
    if (!read.ok) throw new Error(read.problem.code)
    expect(await readBytes(Buffer.from(text), zone)).toMatchObject({ ok: false })
    const format = withFields(await guessed(text), open)
    const mapped = await readBy(format, text, dates ?? null)
    expect(mapped.refused).toEqual([])
    expect(mapped.summary.format?.name).toBe('My broker')
    expect(rowsOf(mapped.readings)).toEqual(rowsOf(read.readings))
  })

  it('Fillbook’s own CSV of fill pairs is read back by the guessed format, with the same sums', async () => {
    const store = openStore()
    const nq = { contract: 'NQH6', account: other, feeText: '2.14' }
    const dax = { contract: 'FDAXH6', feeText: '1.00' }
    await take(store,
      fill(1, 'buy', 2, 6750, { feeText: '1.04', time: monday + 83 }), fill(2, 'buy', 1, 6750.25, { feeText: '0.52' }), fill(3, 'sell', 3, 6752, { feeText: '1.56' }),
      fill(4, 'sell', 1, 21_000, nq), fill(5, 'buy', 1, 20_990.25, nq), fill(6, 'sell', 1, 21_000, nq), fill(7, 'buy', 1, 21_003, nq),
      fill(8, 'buy', 1, 24_000, dax), fill(9, 'sell', 1, 23_860, dax),
    )
    const textOf = (unit: 'pairs' | 'trades') => new TextDecoder().decode(store.read.tradesCsv({ ...user, unit, filter: everyTrade, zone: null, after: null }).lines)
    const [text, format, ofTrades] = [textOf('pairs'), await guessed(textOf('pairs')), await guessed(textOf('trades'))]
    for (const { columns } of [format, ofTrades]) {
      const fields = columns.map(({ field }) => field)
      expect([fields, fields.includes('tradeId')]).toEqual([expect.arrayContaining(['entryTime', 'exitTime', 'entryPrice', 'exitPrice', 'grossPnl', 'fee', 'netPnl', 'currency', 'account', 'tradingDay']), false])
    }
    const file = await readBy(format, text)
    expect(file.refused).toEqual([])
    const { assembly } = assembleFiles([{ name: 'a', kind: file.kind, zone, accountGiven: null, readings: file.readings }])
    const { pairs } = deriveTrades(assembly, zone)
    const sums = Map.groupBy(pairs, ({ opening, spec }) => `${opening.account} ${spec.currency}`)
    const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)
    // 2 × 2 points and 1.75 of 5 dollars each; 9.75 and −3 points of 20; −140 of 25 euros.
    expect([...sums].map(([, own]) => [sum(own.map(({ grossPnl }) => grossPnl)), sum(own.map(({ commission }) => commission))]).sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0)))
      .toEqual([[-35_000_000, 20_000], [287_500, 31_200], [1_350_000, 85_600]])
  })

  it('Fillbook’s own CSV of trades has averages by which the ticks are exact, and those between ticks are rejected by name', async () => {
    const store = openStore()
    await take(store, fill(1, 'buy', 7, 6750), fill(2, 'buy', 1, 6750.25), fill(3, 'sell', 7, 6752), fill(4, 'sell', 1, 6752.25), fill(5, 'buy', 2, 6750), fill(6, 'sell', 2, 6751))
    const text = new TextDecoder().decode(store.read.tradesCsv({ ...user, unit: 'trades', filter: everyTrade, zone: null, after: null }).lines)
    expect(text).toMatch(/,6750\.03125,.*,6752\.03125,/)
    const file = await readBy(await guessed(text), text)
    expect(file.refused.map(({ line, problem }) => [line, problem.code, problem.column])).toEqual([[2, 'off-tick', 'Average entry price']])
    expect(file.readings).toHaveLength(1)
  })

  it('leaves ambiguous columns open: a P&L, two times of one order, a letter without its counterpart', async () => {
    const trades = await guessed('Symbol,Entry time,Exit time,Entry price,Exit price,Qty,Side,P&L\nMESU6,2026-06-15 09:31,2026-06-15 09:40,6000,6002.5,1,Long,12.50\n')
    expect(formatProblems(trades)).toEqual([{ code: 'missing', oneOf: ['grossPnl', 'netPnl'] }])
    const orders = await guessed('Symbol,Side,Qty,Price,Created time,Updated time\nMESU6,C,1,6000,2026-06-15 09:31,2026-06-15 09:40\n')
    expect(orders.sides).toEqual([])
    expect(fieldsIn(orders)).toEqual({ Symbol: 'symbol', Side: 'side', Qty: 'quantity', Price: 'price' })
  })

  it('rejects a fee whose sign names another currency than the trade’s money', async () => {
    const text = (fee: string, gross: string) => `Symbol,Entry time,Exit time,Entry price,Exit price,Qty,Side,Gross P&L,Fee\nMESU6,2026-06-15 09:31,2026-06-15 09:40,6000,6002.5,1,Long,${gross},${fee}\n`
    const problems = async (fee: string, gross: string) => (await readBy(await guessed(text('1.00', '12.50')), text(fee, gross))).refused.map(({ problem: { code, column } }) => [code, column])
    expect([await problems('€1.00', '12.50'), await problems('€1.00', '€12.50'), await problems('1.00', '$12.50')]).toEqual([[['contradicts', 'Fee']], [], []])
    // In euros of a contract in euros, too: the sign of a dollar may stand for any currency, but not beside another sign.
    const euros = async (fee: string, gross: string) => (await readBy(await guessed(text('1.00', '12.50')), text(fee, gross).replace('MESU6', 'FDAXU6').replace('6002.5', '6004'))).refused.map(({ problem: { code, column } }) => [code, column])
    expect([await euros('$2.00', '€100.00'), await euros('€2.00', '€100.00'), await euros('$2.00', '$100.00'), await euros('2.00', '€100.00')]).toEqual([[['contradicts', 'Fee']], [], [], []])
  })

  it.each([
    ['No.,Symbol,Side,Qty,Entry time,Entry price,Exit time,Exit price,Net PnL', 'MESH6,Long,1,2026-03-04 09:31:10,6000,2026-03-04 09:40:20,6010,49.00', 'tradeId'],
    ['Trade Number,Symbol,Side,Qty,Time,Price', 'MESH6,Buy,1,2026-03-04 09:31:10,6000', 'fillId'],
    ['Order No,Symbol,Side,Qty,Time,Price', 'MESH6,Buy,1,2026-03-04 09:31:10,6000', 'orderId'],
  ] as const)('takes a column that counts the rows for no id, since the next file begins at 1 again: %s', async (header, row, field) => {
    const idFor = async (numbers: readonly number[]) => (await guessed(`${[header, ...numbers.map((number) => `${String(number)},${row}`)].join('\n')}\n`)).columns[0]?.field
    expect([await idFor([1, 2, 3]), await idFor([3, 2, 1]), await idFor([0, 1, 2])]).toEqual([null, null, null])
    expect([await idFor([501, 502, 503]), await idFor([1, 2, 4]), await idFor([7_303, 12, 5_020])]).toEqual([field, field, field])
  })

  const plain = 'When;What;Way;Lots;At;Cost\n15.06.2026 09:31:00;MESU6;K;1;6.000,25;-0,62\n15.06.2026 09:40:00;MESU6;V;1;6.002,50;-0,62\n'
  const german = async (): Promise<ImportFormat> => withFields(await guessed(plain), { When: 'time', What: 'symbol', Way: 'side', Lots: 'quantity', At: 'price', Cost: 'negativeFee' })

  it('reads decimal commas, dotted dates, side letters, and negative costs', async () => {
    const format = await german()
    expect(format.sides).toEqual([{ word: 'k', side: 'buy' }, { word: 'v', side: 'sell' }])
    const file = await readBy(format, plain)
    expect(rowsOf(file.readings)).toEqual([[null, 'MESU6', Date.UTC(2026, 5, 15, 14, 31), 'buy', 1, 24_001, '0.25', 6_200], [null, 'MESU6', Date.UTC(2026, 5, 15, 14, 40), 'sell', 1, 24_010, '0.25', 6_200]])
    // A cost above zero in such a file is money that came in.
    expect((await readBy(format, plain.replace('-0,62', '0,62'))).refused).toMatchObject([{ line: 2, problem: { code: 'negative-fee', column: 'Cost' } }])
  })

  it('reads no ambiguous number unless the user says what it means', async () => {
    const text = 'When;What;Way;Lots;At;Cost\n2026-06-15 09:31:00;MESU6;K;1;6,250;\n2026-06-15 09:40:00;MESU6;V;1;6,500;\n'
    const format = await german()
    expect((await readBy(format, text)).refused.map(({ problem }) => [problem.code, problem.column])).toEqual([['unclear-number', 'At'], ['unclear-number', 'At']])
    for (const [decimals, ticks] of [['comma', [25, 26]], ['point', [25_000, 26_000]]] as const) expect((await readBy({ ...format, decimals }, text)).readings.map((reading) => reading.says === 'fill' && reading.price)).toEqual(ticks)
    const commas = 'When,What,Way,Lots,At,Cost\n2026-06-15 09:31:00,MESU6,K,1,"6,000",\n'
    expect((await readBy(format, commas)).refused.map(({ problem }) => problem.code)).toEqual(['unclear-number'])
  })

  it('asks whether 5/6 starts with the day or the month, and a format may say it', async () => {
    const text = 'When;What;Way;Lots;At;Cost\n05/06/2026 09:31:00;MESU6;K;1;6000,25;0\n05/06/2026 09:40:00;MESU6;V;1;6002,50;0\n'.replaceAll(',', '.')
    const format = await german()
    const read = (one: ImportFormat) => readBytes(Buffer.from(text), zone, undefined, { dates: null, latest: null, formats: [one] })
    expect(await read(format)).toMatchObject({ ok: false, problem: { code: 'open-dates', kind: 'mapped-fills' } })
    const file = await readBy({ ...format, dates: 'dmy' }, text)
    expect(file.readings).toMatchObject([{ time: Date.UTC(2026, 5, 5, 14, 31) }, { time: Date.UTC(2026, 5, 5, 14, 40) }])
  })

  it('asks about a symbol that names no certain contract, and reads it as the user names it', async () => {
    const format = await german()
    for (const [symbol, contract] of [['ES', null], ['US TECH 100', null], ['CME_MINI:NQU2026', 'NQU6'], ['/MESU26', 'MESU6'], ['ES1!', 'ES1!'], ['MES 09-26', 'MESU6']] as const) {
      const text = plain.replaceAll('MESU6', symbol)
      const file = await readBy(format, text)
      if (contract !== null) expect(file.readings.map((reading) => reading.says === 'fill' && reading.contract)).toEqual([contract, contract])
      else expect(file.refused.map(({ problem }) => [problem.code, problem.column])).toEqual([['unknown-symbol', 'What'], ['unknown-symbol', 'What']])
      if (contract === 'NQU6' || contract === 'ES1!') continue
      const named = await readBy({ ...format, symbols: [{ symbol, contract: 'MESU6' }] }, text)
      expect(named.readings.map((reading) => reading.says === 'fill' && reading.contract)).toEqual(['MESU6', 'MESU6'])
    }
  })

  it('a format cannot change the product of an unambiguous symbol', async () => {
    const format = { ...(await german()), symbols: [{ symbol: 'MESU6', contract: 'ESU6' }] }
    expect((await readBy(format, plain)).refused.map(({ problem }) => [problem.code, problem.column])).toEqual([['contradicts', 'What'], ['contradicts', 'What']])
  })

  it('keeps equal fills of one second, recognizes them in a later file, and uses no id that two rows share', async () => {
    const format = await german()
    const twice = plain.replace(/(15\.06\.2026 09:31.*\n)/, '$1$1')
    const [one, other] = [await readBy(format, twice), await readBy({ ...format, name: 'Another name' }, twice)]
    const ids = one.readings.map((reading) => (reading.says === 'fill' ? reading.fillId : ''))
    expect(new Set(ids).size).toBe(3)
    expect(other.readings.map((reading) => (reading.says === 'fill' ? reading.fillId : ''))).toEqual(ids)
    const files = [{ name: 'a', file: one }, { name: 'b', file: await readBy(format, plain) }].map(({ name, file }) => ({ name, kind: file.kind, zone, accountGiven: 'Mine', readings: file.readings }))
    expect(assembleFiles(files).assembly.fills.map(({ side }) => side)).toEqual(['buy', 'buy', 'sell'])
    const withId = withFields(format, { Cost: 'fillId' })
    const repeated = await readBy(withId, plain)
    expect(repeated.refused).toMatchObject([{ line: 3, problem: { code: 'repeated-id', column: 'Cost' } }])
  })

  it('is recognized by its headers in any order, but not with an extra one', async () => {
    const format = await german()
    const mixed = plain.split('\n').map((line) => line.split(';').reverse().join(';')).join('\n')
    expect(rowsOf((await readBy(format, mixed)).readings)).toEqual(rowsOf((await readBy(format, plain)).readings))
    expect(await readBytes(Buffer.from(plain.replaceAll(/(.)\n/g, '$1;x\n')), zone, undefined, { dates: null, latest: null, formats: [format] })).toMatchObject({ ok: false, problem: { code: 'unknown-kind' } })
  })
})

describe('closed trades of a mapped file', () => {
  const header = 'Id;In;Out;What;Way;Lots;Bought;Sold;Net;Costs;Day'
  const row = '1;2026-06-15 09:31:00;2026-06-15 09:40:00;MESU6;Long;2;6000;6002.5;22.52;2.48;2026-06-15'
  const fields: Record<string, FormatField> = { Id: 'tradeId', In: 'entryTime', Out: 'exitTime', What: 'symbol', Way: 'side', Lots: 'quantity', Bought: 'entryPrice', Sold: 'exitPrice', Net: 'netPnl', Costs: 'fee', Day: 'tradingDay' }
  const daysOf = async (changed: Record<string, FormatField | null>) => {
    const text = `${header}\n${row}\n`
    const format = withFields(await guessed(text), { ...fields, ...changed }, { rows: 'trades' })
    const file = await readBy(format, text)
    const { assembly } = assembleFiles([{ name: 'a', kind: file.kind, zone, accountGiven: 'Mine', readings: file.readings }])
    const trades = deriveTrades(assembly, zone)
    return reconcile(assembly, trades.pairs, trades.incompleteDays).days.map(({ state, fillbook: { gross, fees } }) => [state, gross, fees])
  }

  it('a day is reconciled only if the file states its P&L, its fees and its trading day', async () => {
    expect(await daysOf({})).toEqual([['equal', 250_000, 24_800]])
    expect((await daysOf({ Day: null })).map(([state]) => state)).not.toContain('equal')
    expect((await daysOf({ Net: 'grossPnl', Costs: null })).map(([state]) => state)).not.toContain('equal')
  })

  it('a gross P&L with fees reconciles no day: nothing shows whether these are all the fees', async () => {
    const [text, gross] = [`${header}\n${row.replace('22.52', '25')}\n`, { ...fields, Net: 'grossPnl' as const }]
    const file = await readBy(withFields(await guessed(text), gross, { rows: 'trades' }), text)
    const { assembly } = assembleFiles([{ name: 'a', kind: file.kind, zone, accountGiven: 'Mine', readings: file.readings }])
    const trades = deriveTrades(assembly, zone)
    const { days } = reconcile(assembly, trades.pairs, trades.incompleteDays)
    expect(days.map(({ state, fillbook: { gross: own, fees } }) => [state, own, fees])).toEqual([['unchecked', 250_000, 24_800]])
  })

  it('rows imported as fills count once when they are imported as trades later', async () => {
    const text = `${header}\n${row}\n`
    const asTrades = withFields(await guessed(text), { ...fields, Id: null }, { rows: 'trades' })
    const asFills = withFields(asTrades, { Id: null, In: 'time', Out: null, Bought: 'price', Sold: null, Net: null, Day: null }, { rows: 'fills' })
    const files = [await readBy(asFills, text), await readBy(asTrades, text)].map((file, index) => ({ name: String(index), kind: file.kind, zone, accountGiven: 'Mine', readings: file.readings }))
    for (const order of [files, files.toReversed()]) expect(assembleFiles(order).assembly.fills.map(({ side, qty }) => [side, qty])).toEqual([['buy', 2], ['sell', 2]])
  })

  it('keeps the MFE and MAE of its columns, whatever their signs, and guesses the columns', async () => {
    const text = 'Symbol,Entry time,Exit time,Entry price,Exit price,Qty,Side,Gross P&L,Max open profit,Max open loss,MAE %\nMESU6,2026-06-15 09:31,2026-06-15 09:40,6000,6002.5,2,Long,25.00,31.50,-7.00,0.1\n'
    const format = await guessed(text)
    expect(fieldsIn(format)).toMatchObject({ 'Gross P&L': 'grossPnl', 'Max open profit': 'mfe', 'Max open loss': 'mae' })
    expect(fieldsIn(format)).not.toHaveProperty('MAE %')
    const file = await readBy(format, text)
    expect(file.readings).toMatchObject([{ pnl: 250_000, excursions: { by: 'file', mfe: 315_000, mae: 70_000 } }])
  })

  it('a net P&L mapped as gross shows as a difference', async () => {
    expect((await daysOf({ Net: 'grossPnl' })).map(([state]) => state)).toEqual(['differs'])
  })

  it('refuses contradictions: an exit before its entry, a net that is not gross minus fees', async () => {
    const format = withFields(await guessed(`${header}\n${row}\n`), { ...fields, Id: 'grossPnl' }, { rows: 'trades' })
    const bad = await readBy(format, `${header}\n${row.replace('1;', '25;')}\n${row.replace('1;', '24;')}\n${row.replace('1;', '25;').replace('09:40', '09:30')}\n`)
    expect(bad.refused.map(({ line, problem }) => [line, problem.code, problem.column])).toEqual([[3, 'contradicts', 'Net'], [4, 'contradicts', 'Out']])
  })

  it('needs fees with a net P&L, and each field once', async () => {
    const format = withFields(await guessed(`${header}\n${row}\n`), { ...fields, Costs: null, Id: 'exitPrice' }, { rows: 'trades' })
    expect(formatProblems(format)).toEqual([{ code: 'missing', oneOf: ['fee', 'grossPnl'] }, { code: 'twice', field: 'exitPrice' }])
  })
})
