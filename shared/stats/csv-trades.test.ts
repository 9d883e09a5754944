import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { money } from '#tests/helpers/counted-trade.ts'
import { pairCsvLine, pairsCsvHeader, tradeCsvLine, tradesCsvHeader, type CsvPair, type CsvTrade } from './csv-trades.ts'

const pair: CsvPair = {
  id: 'tradovate:demo:1/17/18',
  account: 'DEMO700101',
  accountId: 'tradovate:demo:1',
  origin: 'synced',
  symbol: 'MESM6',
  side: 'short',
  qty: 2,
  tickSize: '0.25',
  entryPrice: 27_039 as Ticks,
  exitPrice: 27_040 as Ticks,
  entryTime: Date.parse('2026-03-09T21:59:59.083Z'),
  exitTime: Date.parse('2026-03-09T22:00:01Z'),
  tradingDay: '2026-03-10',
  gross: money('-2.5'),
  commission: money('1.9'),
  net: money('-4.4'),
  currency: 'USD' as Currency,
  platform: 'Tradovate',
  tradeId: 'tradovate:demo:1/17',
  multiplierSource: 'table',
  feeSource: 'broker',
  warnings: ['partial-root', 'incomplete'],
  stop: '6764.75',
  risk: money(50),
  excursions: { mfeLeast: money('625'), mfeMost: money('800'), maeLeast: money('250.125'), maeMost: null, entryLeast: 6_098, entryMost: 7_143, exitLeast: null, exitMost: 10_000 },
  tags: ['opening', 'A+'],
  notes: '',
}

const zone = 'America/Chicago'

// A spreadsheet ends a line at any of these, unless a quoted cell is open.
const lineEnds = ['\r\n', '\n', '\r']

const readBack = (...pairs: readonly CsvPair[]): Record<string, string>[] =>
  parse(pairsCsvHeader(zone) + pairs.map((each) => pairCsvLine(each, zone)).join(''), { columns: true, record_delimiter: lineEnds })

const cell = (column: string, changes: Partial<CsvPair>): string => readBack({ ...pair, ...changes })[0]?.[column] ?? 'no such column'

describe('trades as CSV', () => {
  it('list the figures of a whole trade once, with its averages and how many pairs it has', () => {
    const { stop: _stop, tradeId, ...line } = pair
    const trade: CsvTrade = { ...line, id: tradeId ?? '', qty: 5, pairs: 3, averageEntry: '6759.8333', averageExit: '6760', notes: '=1+1' }
    expect(parse(tradesCsvHeader(zone) + tradeCsvLine(trade, zone), { columns: true, record_delimiter: lineEnds })).toEqual([
      {
        'Trading day': '2026-03-10', Account: 'DEMO700101', Symbol: 'MESM6', Side: 'short', Quantity: '5',
        'Entry time (America/Chicago)': '2026-03-09 16:59:59', 'Average entry price': '6759.8333', 'Exit time (America/Chicago)': '2026-03-09 17:00:01', 'Average exit price': '6760',
        'Seconds held': '1.917', 'Gross P&L': '-2.50', Commission: '1.90', 'Net P&L': '-4.40', Currency: 'USD', 'Fill pairs': '3', Risk: '50.00', 'R-multiple': '-0.088',
        'MFE (least)': '625.00', 'MFE (most)': '800.00', 'MAE (least)': '250.125', 'MAE (most)': '', 'Entry efficiency (least)': '0.6098', 'Entry efficiency (most)': '0.7143', 'Exit efficiency (least)': '', 'Exit efficiency (most)': '1.0000',
        Tags: 'opening; A+', Notes: "'=1+1", Origin: 'synced', 'Multiplier from': 'table', 'Fee from': 'broker', 'Fees in other currencies': '', Warnings: 'partial-root; incomplete',
        'Entry time (ISO 8601)': '2026-03-09T21:59:59.083Z', 'Exit time (ISO 8601)': '2026-03-09T22:00:01.000Z', 'Account id': 'tradovate:demo:1', 'Trade id': 'tradovate:demo:1/17',
      },
    ])
  })

  it('list a fill pair’s figures', () => {
    expect(readBack(pair)).toEqual([
      {
        'Trading day': '2026-03-10', Account: 'DEMO700101', Symbol: 'MESM6', Side: 'short', Quantity: '2',
        'Entry time (America/Chicago)': '2026-03-09 16:59:59', 'Entry price': '6759.75', 'Exit time (America/Chicago)': '2026-03-09 17:00:01', 'Exit price': '6760',
        'Seconds held': '1.917', 'Gross P&L': '-2.50', Commission: '1.90', 'Net P&L': '-4.40', Currency: 'USD', Stop: '6764.75', Risk: '50.00', 'R-multiple': '-0.088',
        'MFE (least)': '625.00', 'MFE (most)': '800.00', 'MAE (least)': '250.125', 'MAE (most)': '', 'Entry efficiency (least)': '0.6098', 'Entry efficiency (most)': '0.7143', 'Exit efficiency (least)': '', 'Exit efficiency (most)': '1.0000',
        Tags: 'opening; A+', Notes: '', Platform: 'Tradovate', Origin: 'synced', 'Multiplier from': 'table', 'Fee from': 'broker', 'Fees in other currencies': '', 'Last word on fees': '', Warnings: 'partial-root; incomplete',
        'Entry time (ISO 8601)': '2026-03-09T21:59:59.083Z', 'Exit time (ISO 8601)': '2026-03-09T22:00:01.000Z',
        'Account id': 'tradovate:demo:1', 'Trade id': 'tradovate:demo:1/17', 'Fill pair id': 'tradovate:demo:1/17/18',
      },
    ])
  })

  it('list fees in other currencies with their currency', () => {
    const otherFees = [{ currency: 'EUR' as Currency, amount: 5_150 as Amount }, { currency: '#99' as Currency, amount: 20_000 as Amount }]
    expect([cell('Fees in other currencies', { otherFees }), cell('Commission', { otherFees })]).toEqual(['0.515 EUR; 2.00 #99', '1.90'])
  })

  it('are complete lines, each with its line end', () => {
    expect(pairCsvLine(pair, zone).startsWith('2026-03-10,DEMO700101,MESM6,short,2,2026-03-09 16:59:59,')).toBe(true)
    expect(pairCsvLine(pair, zone).endsWith('tradovate:demo:1/17/18\r\n')).toBe(true)
    expect(pairsCsvHeader(zone).startsWith('Trading day,Account,')).toBe(true)
  })

  it.each(['America/Chicago', 'UTC'])('have unique column names in %s', (where) => {
    const names = pairsCsvHeader(where).trim().split(',')
    expect(new Set(names).size).toBe(names.length)
  })

  it('leave unknown cells empty', () => {
    const bare = { stop: null, risk: null, excursions: null, tradeId: null, tags: [], warnings: [] }
    expect(['Stop', 'Risk', 'R-multiple', 'MFE (least)', 'MAE (most)', 'Exit efficiency (most)', 'Trade id', 'Tags', 'Warnings'].map((column) => cell(column, bare))).toEqual(['', '', '', '', '', '', '', '', ''])
  })

  it.each([
    ['7.8125', '7.8125'],
    ['-140', '-140.00'],
    ['0.005', '0.005'],
    ['1200.10', '1200.10'],
    ['0', '0.00'],
  ])('tell a gross of %s exactly: %s', (gross, written) => expect(cell('Gross P&L', { gross: money(gross) })).toBe(written))

  it.each([
    [0, '0'],
    [60_000, '60'],
    [100_500, '100.5'],
  ])('held for %i ms says %s', (held, written) => expect(cell('Seconds held', { exitTime: pair.entryTime + held })).toBe(written))
})

describe('text in CSV', () => {
  it.each([
    ['=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'],
    ['+1+1', "'+1+1"],
    ['-cmd', "'-cmd"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['＝1', "'＝1"],
    ['-12.50', '-12.50'],
    ['+3', '+3'],
    ['-1-1', "'-1-1"],
    ['a=1', 'a=1'],
    ['waited, then "sold"\nagain', 'waited, then "sold"\nagain'],
    ['മലയാളം', 'മലയാളം'],
  ])('%j reads back as %j', (notes, expected) => expect(cell('Notes', { notes })).toBe(expected))

  it('is escaped in every column with text from outside', () => {
    const evil = '=1+1'
    const texts = { account: evil, accountId: evil, symbol: evil, tags: [evil], notes: evil, platform: evil, tradeId: evil, id: evil, stop: evil }
    for (const column of ['Account', 'Account id', 'Symbol', 'Tags', 'Notes', 'Platform', 'Trade id', 'Trade id', 'Stop']) expect(cell(column, texts)).toBe("'=1+1")
  })

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; =1+1', "a;' =1+1"],
    ['a;\u00a0=1+1', "a;'\u00a0=1+1"],
    [' =1+1', "' =1+1"],
    ['\u00a0@SUM(A1)', "'\u00a0@SUM(A1)"],
    ['\ufeff=1+1', "'\ufeff=1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['"=1+1', "'\"=1+1"],
    ['a;""=1+1', "a;'\"\"=1+1"],
    ['a\n=1+1', "a\n'=1+1"],
    ['a\t=1+1', "a\t'=1+1"],
    ['a;-5;+2.25;b', 'a;-5;+2.25;b'],
    ['a; b=c', 'a; b=c'],
  ])('%j reads back as %j, wherever lists are separated by semicolons too', (notes, expected) => expect(cell('Notes', { notes })).toBe(expected))

  it('is always one cell, and no part that a spreadsheet may split off is a formula', { tags: 'long' }, () => {
    const word = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', '1', 'a', '.', ' ', '\u00a0', '\ufeff', '\u200b'), { maxLength: 8 }).map((parts) => parts.join('')))
    fc.assert(
      fc.property(word, word, (notes, account) => {
        const rows = readBack({ ...pair, notes, account }, pair)
        expect(rows).toHaveLength(2)
        for (const [written, meant] of [[rows[0]?.['Notes'] ?? '', notes], [rows[0]?.['Account'] ?? '', account]] as const) expect(written.replaceAll("'", '')).toBe(meant.replaceAll("'", ''))
        // As where semicolons separate and quotes within a line mean nothing.
        for (const part of pairCsvLine({ ...pair, notes, account }, zone).split(/[;\t\r\n]/)) {
          const begins = part.replace(/^[\s\p{C}\p{Z}"]*/u, '')
          if (/^[=+\-@]/.test(begins)) expect(Number.isFinite(Number(/^[^,"]*/.exec(begins)?.[0]))).toBe(true)
        }
      }),
    )
  })
})
