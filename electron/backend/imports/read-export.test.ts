// @module-tag slow
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reading, RefusedReading } from '#shared/imports/reading.ts'
import { readExport, type RefusedRow } from './read-export.ts'

const zone = 'America/Chicago'
const header = 'Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'
const row = (id: number | string): string => `ACC1,${String(id)},09/15/2026 08:54:45,2026-09-15,-2.76,"49,997.24", Exchange Fee,USD,NQU6`
const ids = (readings: readonly Reading[]): readonly string[] => readings.map((reading) => (reading.says === 'cash' ? reading.transactionId : reading.says === 'fill' ? reading.fillId : '?'))

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

const read = async (source: AsyncIterable<Uint8Array>) => {
  const readings: Reading[] = []
  const refused: RefusedRow[] = []
  const missing: RefusedReading[] = []
  const outcome = await readExport(source, zone, (batch) => {
    readings.push(...batch.readings)
    missing.push(...batch.missing)
    refused.push(...batch.refused)
  })
  return { outcome, readings, refused, missing, ids: ids(readings), lines: refused.map(({ line, problem }) => `${String(line)} ${problem.code}`) }
}
const readText = (text: string | Uint8Array, size = 64 * 1024) => read(inPieces(typeof text === 'string' ? new TextEncoder().encode(text) : text, size))
const accepted = (count: number, refused = 0) => ({ ok: true, value: { kind: 'cash-history', rows: count + refused, accepted: count, refused } })

const utf16 = (text: string, order: 'little' | 'big'): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'little' ? bytes : bytes.swap16()
}

describe('a file in any shape', () => {
  const lines = [header, row(1), row(2), row(3)]

  it.each([
    ['LF', lines.join('\n')],
    ['LF at the end', `${lines.join('\n')}\n`],
    ['CRLF', `${lines.join('\r\n')}\r\n`],
    ['CR', lines.join('\r')],
    ['a mark', `\ufeff${lines.join('\r\n')}`],
    ['blank lines', `\n \n${lines.join('\n\n')}\n,,,,,,,,\n`],
    ['UTF-16, little end first', utf16(lines.join('\r\n'), 'little')],
    ['UTF-16, big end first', utf16(lines.join('\r\n'), 'big')],
    ['each row in quotes once more', [header, ...lines.slice(1).map((line) => `"${line.replaceAll('"', '""')}"`)].join('\n')],
  ])('%s', async (_, text) => {
    for (const size of [1, 2, 7, 64 * 1024]) {
      const result = await readText(text, size)
      expect(result.outcome).toEqual(accepted(3))
      expect(result.ids).toEqual(['1', '2', '3'])
      expect(result.readings[2]).toMatchObject({ delta: -27_600, amount: 499_972_400 })
    }
  })

  it('only the header', async () => {
    expect((await readText(header)).outcome).toEqual(accepted(0))
  })

  it('characters of several bytes, cut anywhere', async () => {
    const text = `${header}\n${row(1).replace('ACC1', 'Konto Zürich €')}`
    for (const size of [1, 3]) expect((await readText(text, size)).readings[0]?.account.name).toBe('Konto Zürich €')
  })

  it('a character cut off by the end of the file costs its row, not the file', async () => {
    const bytes = new TextEncoder().encode(`${header}\n${row(1)}\nKonto Zü`)
    const result = await readText(bytes.subarray(0, -1))
    expect(result.outcome).toEqual(accepted(1, 1))
    expect(result.lines).toEqual(['3 wrong-columns'])
  })

  it('comes in batches, each taken before the next is read', async () => {
    const text = [header, ...Array.from({ length: 20_000 }, (_, index) => row(index))].join('\n')
    const seen: number[] = []
    let busy = 0
    const outcome = await readExport(inPieces(new TextEncoder().encode(text), 1 << 30), zone, async ({ readings }) => {
      busy += 1
      expect(busy).toBe(1)
      await Promise.resolve()
      seen.push(readings.length)
      busy -= 1
    })
    expect(outcome).toEqual(accepted(20_000))
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.reduce((sum, count) => sum + count, 0)).toBe(20_000)
  })

  it("NinjaTrader's grid with semicolons, decimal commas and the day first", async () => {
    const grid = [
      'Instrument;Action;Quantity;Price;Time;ID;E/X;Position;Order ID;Name;Commission;Rate;Account display name;Connection;',
      'MES JUN26;Sell;1;7200,75;05/03/2026 6:05:02;a1;Entry;1 S;o1;Entry;0,62 $;1;Playback101;Playback;',
    ]
    const expected = { contract: 'MESM6', price: 28_803, fee: 6_200, time: Date.parse('2026-03-05T12:05:02Z') }
    expect((await readText(grid.join('\n'))).readings).toMatchObject([expected])
    // The same with commas: the second row shows which number is the day, and the first is read by it.
    const british = [...grid, grid[1]?.replace('05/03', '27/04').replace('a1', 'a2') ?? ''].join('\n').replaceAll(',', '.').replaceAll(';', ',')
    expect((await readText(british)).readings).toMatchObject([expected, { fillId: 'a2', time: Date.parse('2026-04-27T11:05:02Z') }])
  })
})

describe('a broken row is refused with its line, and the rest goes on', () => {
  it('a quote that is never closed costs its own row', async () => {
    const result = await readText([header, row(1), row(2).replace('.24"', '.24'), row(3), row(4), row(5)].join('\n'))
    expect(result.ids).toEqual(['1', '3', '4', '5'])
    expect(result.lines).toEqual(['3 broken-quotes'])
    expect(result.outcome).toEqual(accepted(4, 1))
    const last = await readText(`${[header, row(1), row(2).replace('.24"', '.24')].join('\r\n')}\r\n`)
    expect(last.outcome).toEqual(accepted(1, 1))
  })

  it('a quote inside a cell, at every place and cut anywhere', async () => {
    const broken = row(2).replace('NQU6', 'N"QU"6')
    for (const size of [5, 64 * 1024]) {
      const result = await readText([header, row(1), broken, row(3), row(4).replace('"49,997.24"', '"49,997.24"x'), row(5), row(6).replace(' Exch', '" Exch')].join('\r\n'), size)
      expect(result.ids).toEqual(['1', '3', '5'])
      expect(result.lines).toEqual(['3 broken-quotes', '5 broken-quotes', '7 broken-quotes'])
    }
  })

  it('a text in quotes may have line breaks', async () => {
    const orders = [
      'orderId,Account,B/S,Contract,avgPrice,filledQty,Fill Time,Text,Status',
      '1,ACC1, Buy,MESU6,7594.75,1,06/17/2026 09:29:32,"my ""own""\ntext, in\r\n\r\nlines", Filled',
      '2,ACC1, Sell,MESU6,7594.75,1,06/17/2026 09:29:33,Exit, Filled',
      '3,ACC1, Sell,MESU6,x,1,06/17/2026 09:29:33,Exit, Filled',
    ].join('\n')
    for (const size of [3, 64 * 1024]) {
      const result = await readText(orders, size)
      expect(result.outcome).toMatchObject({ ok: true, value: { accepted: 2, refused: 1 } })
      expect(result.lines).toEqual(['7 bad-number'])
    }
  })

  it('cells that are missing or too many', async () => {
    const result = await readText([header, row(1), 'ACC1,2,09/15/2026 08:54:45', `${row(3)},`, `${row(4)},,x`, row(5)].join('\n'))
    expect(result.ids).toEqual(['1', '3', '5'])
    expect(result.refused).toEqual([
      { line: 3, problem: { code: 'wrong-columns', column: 'Date', value: '' } },
      { line: 5, problem: { code: 'wrong-columns', column: '', value: 'x' } },
    ])
  })

  it('a repeated column must have equal cells', async () => {
    const result = await readText([`${header},amount`, `${row(1)},"49,997.24"`, `${row(2)},"49,997.25"`].join('\n'))
    expect(result.ids).toEqual(['1'])
    expect(result.refused).toEqual([{ line: 3, problem: { code: 'contradicts', column: 'Amount', value: '49,997.25' } }])
  })

  it('a line without an end costs its row and no memory', async () => {
    for (const ends of ['\n', '\r\n', '\r']) {
      const text = [header, row(1), `${row(2)}${'x'.repeat(3_000_000)}`, row(3), row('x'), `${row(4)}${'x'.repeat(70_000)}`, row(5)].join(ends)
      const result = await readText(text, 63 * 1024 + 1)
      expect(result.ids).toEqual(['1', '3', 'x', '5'])
      expect(result.refused).toEqual([3, 6].map((line) => ({ line, problem: { code: 'too-large', column: '', value: row(line === 3 ? 2 : 4).slice(0, 40) } })))
    }
  })

  it('a line without an end, its break being the last that was read', async () => {
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (const part of [`${header}\r${row(1)}${'x'.repeat(70_000)}`, 'x\r', row(2)]) yield await Promise.resolve(new TextEncoder().encode(part))
    }
    const result = await read(parts())
    expect(result.ids).toEqual(['2'])
    expect(result.lines).toEqual(['2 too-large'])
  })

  it('a header in the middle, where files were put together', async () => {
    expect((await readText([header, row(1), header, row(2)].join('\n'))).lines).toEqual(['3 bad-time'])
  })

  it('formulas are texts like others', async () => {
    const result = await readText([header, row(1).replace('ACC1', '=cmd|calc'), row(2).replace('-2.76', '=1+1')].join('\n'))
    expect(result.readings[0]?.account.name).toBe('=cmd|calc')
    expect(result.lines).toEqual(['3 bad-number'])
  })
})

describe('a file that is none of these is refused whole', () => {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

  it.each([
    ['nothing', '', 'empty'],
    ['a mark alone', '\ufeff', 'empty'],
    ['one byte', 'x', 'unknown-kind'],
    ['blank lines', '\n\n  \r\n', 'empty'],
    ['what a failed export leaves', 'undefined', 'failed-export'],
    ['another header', 'Date,Symbol,Side\n1,2,3', 'unknown-kind'],
    ['a page', '<!DOCTYPE html>\n<html>', 'unknown-kind'],
    ['a header with a broken quote', `"${header}\n${row(1)}`, 'unknown-kind'],
    ['bytes of zero', `${header}\n${row(1)}\0`, 'not-text'],
    ['UTF-16 without a mark', utf16(header, 'little').subarray(2), 'not-text'],
    ['half a mark', bytes(0xff), 'unknown-kind'],
    ['a character that is broken behind whole ones', Buffer.concat([Buffer.from(`${header}\n${row(1).replace('ACC1', 'Zürich')}\n${row(2)}`), bytes(0xfc), Buffer.from('x\n')]), 'not-text'],
    ['a zip', bytes(0x50, 0x4b, 3, 4, 0x14, 0, 8, 0), 'not-text'],
  ] as const)('%s', async (_, content, problem) => {
    for (const size of [1, 64 * 1024]) expect((await readText(content, size)).outcome).toEqual({ ok: false, error: { code: problem } })
  })

  it('a picture', async () => {
    const picture = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    expect((await readText(picture)).outcome).toEqual({ ok: false, error: { code: 'not-text' } })
    expect((await readText(picture, 1)).outcome.ok).toBe(false)
  })

  it('rows that are hardly ever right', async () => {
    const text = `${header}\n${row(1)}\n${'x\n'.repeat(10_100)}`
    expect((await readText(text)).outcome).toEqual({ ok: false, error: { code: 'mostly-refused', kind: 'cash-history' } })
  })

  it('more accounts than anyone has', async () => {
    const of = (count: number): string => [header, ...Array.from({ length: count }, (_, id) => row(id).replace('ACC1', `ACC${String(id)}`))].join('\n')
    expect((await readText(of(500))).outcome).toEqual(accepted(500))
    expect((await readText(of(501))).outcome).toEqual({ ok: false, error: { code: 'too-many-accounts', kind: 'cash-history' } })
  })

  it('a source that breaks off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(`${header}\n${row(1)}\n`)
      await Promise.reject(new Error('EIO'))
    }
    expect((await read(broken())).outcome).toEqual({ ok: false, error: { code: 'unreadable' } })
    expect((await read(createReadStream('/no/such/file'))).outcome).toEqual({ ok: false, error: { code: 'unreadable' } })
  })

  it('but a failure while its rows are saved is no fault of the file', async () => {
    await expect(readExport(inPieces(new TextEncoder().encode(`${header}\n${row(1)}`), 100), zone, () => Promise.reject(new Error('full')))).rejects.toThrow('full')
  })
})

describe('a large file from the disk', () => {
  let folder = ''
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'fillbook-exports-'))))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('without a line break is refused before much of it is read', async () => {
    const file = join(folder, 'line.csv')
    writeFileSync(file, 'x'.repeat(8_000_000))
    const stream = createReadStream(file)
    expect((await read(stream)).outcome).toEqual({ ok: false, error: { code: 'unknown-kind' } })
    expect(stream.bytesRead).toBeLessThan(1_000_000)
    expect(stream.destroyed).toBe(true)
  })

  it('is read once, whole', async () => {
    const file = join(folder, 'cash.csv')
    writeFileSync(file, [header, ...Array.from({ length: 30_000 }, (_, index) => row(index))].join('\r\n'))
    const result = await read(createReadStream(file))
    expect(result.outcome).toEqual(accepted(30_000))
    expect(new Set(result.ids).size).toBe(30_000)
  })
})

const real = process.env['FILLBOOK_REAL_EXPORTS']
it.skipIf(real === undefined)('a real Performance report, every row of it', async () => {
  const result = await read(createReadStream(join(real ?? '', 'Performance.csv')))
  expect(result.outcome).toEqual({ ok: true, value: { kind: 'performance', rows: 221, accepted: 221, refused: 0 } })
  expect(result.readings.reduce((sum, reading) => sum + (reading.says === 'pair' ? reading.pnl : 0), 0)).toBe(-1_400_000)
})

describe('a row whose account name and account number belong to two accounts', () => {
  const balances = (...rows: readonly (readonly [number: string, name: string])[]) => readText(['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', ...rows.map(([number, name], day) => `${number},${name},2026-06-${String(day + 10)},"1,000.00",0.00`)].join('\n'))
  const problem = { code: 'not-together', column: 'Account Name, Account ID', value: 'A-1, 72' }

  it('is refused if the other rows differ, wherever it is', async () => {
    const odd = ['72', 'A-1'] as const
    for (const rows of [[odd, ['71', 'A-1'], ['71', 'A-1'], ['72', 'B-2'], ['72', 'B-2']], [['71', 'A-1'], ['72', 'B-2'], ['71', 'A-1'], ['72', 'B-2'], odd]] as const) {
      const { outcome, refused, readings } = await balances(...rows)
      expect(outcome).toMatchObject({ ok: true, value: { rows: 5, accepted: 4, refused: 1 } })
      expect(refused).toEqual([{ line: (rows as readonly unknown[]).indexOf(odd) + 2, problem }])
      expect(new Set(readings.map(({ account }) => `${account.name ?? ''} ${account.id ?? ''}`))).toEqual(new Set(['A-1 71', 'B-2 72']))
    }
  })

  it('is refused with its rival if as many rows support either', async () => {
    expect((await balances(['71', 'A-1'], ['72', 'A-1'], ['73', 'C-3'])).lines).toEqual(['2 not-together', '3 not-together'])
  })

  it('is refused in a row behind those that show which number goes with which name', async () => {
    const many = Array.from({ length: 6_000 }, () => ['71', 'A-1'] as const)
    const { lines } = await readText(['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', ...[...many, ['71', 'B-2'] as const].map(([number, name]) => `${number},${name},2026-06-10,1.00,0.00`)].join('\n'), 4096)
    expect(lines).toEqual(['6002 not-together'])
  })
})

describe('a Fills row that contradicts the others of its file', () => {
  const header = '_timestamp,_action,_qty,_price,_active,_accountId,_contractId,Fill ID,Order ID,Timestamp,Account,Quantity,Price,_tickSize,Contract,Product,commission'
  const row = (number: number, changed: Partial<Record<string, string>> = {}): string => {
    const cells = { _timestamp: `2026-06-10 12:0${String(number)}:00.000Z`, _action: '0', _qty: '1', _price: '6000.25', _active: 'true', _accountId: '71', _contractId: '4', 'Fill ID': `10${String(number)}`, 'Order ID': `9${String(number)}`, Timestamp: `06/10/2026 14:0${String(number)}:00`, Account: 'A-1', Quantity: '1', Price: '6000.25', _tickSize: '0.25', Contract: 'MESM6', Product: 'MES', commission: '0.62', ...changed }
    return Object.values(cells).join(',')
  }
  const linesOf = async (changed: Partial<Record<string, string>>) => (await readText([header, row(1), row(2), row(3, changed)].join('\n'))).lines
  it.each([
    ['its contract has the number of another', { Contract: '-MESM6', Product: '' }, '4 not-together'],
    ['its contract is none of its product', { Contract: 'MNQM6', _contractId: '5' }, '4 contradicts'],
    ['its local time is in another zone', { Timestamp: '06/10/2026 18:03:00' }, '4 contradicts'],
    ['its commission would be earned', { commission: '-0.62' }, '4 negative-fee'],
    ['its account number is a name', { _accountId: 'A-1' }, '4 bad-number'],
  ])('%s: refused', async (_what, changed, line) => {
    expect(await linesOf(changed)).toEqual([line])
  })

  it('clocks set an hour ahead in summer are no contradiction', async () => {
    expect(await linesOf({ _timestamp: '2026-12-10 12:03:00.000Z', Timestamp: '12/10/2026 13:03:00' })).toEqual([])
  })

  it('it is booked on a day of its own, but for a holiday, whose rows are all on the next', async () => {
    const dated = [`${header},_tradeDate`, ...['10', '10', '11'].map((day, index) => `${row(index + 1)},2026-06-${day}`)]
    const { lines, missing } = await readText(dated.join('\n'))
    expect(lines).toEqual(['4 contradicts'])
    // Either of its columns may be wrong.
    expect(missing).toMatchObject([{ time: Date.parse('2026-06-10T12:03:00Z'), days: { from: '2026-06-10', to: '2026-06-11' } }])
    expect((await readText(dated.map((text) => text.replace(/-10$/, '-11')).join('\n'))).lines).toEqual([])
    const earlier = await readText([...dated.slice(0, 3), `${row(3)},2026-06-09`].join('\n'))
    expect(earlier.missing).toMatchObject([{ time: Date.parse('2026-06-08T22:00:00Z'), days: { from: '2026-06-09', to: '2026-06-10' } }])
  })

  it('its two ids differ: what is missing may be either', async () => {
    const { lines, missing } = await readText([`_id,${header}`, `101,${row(1)}`, `102,${row(2)}`, `103,${row(3, { 'Fill ID': '101' })}`].join('\n'))
    expect([lines, missing.map(({ fillIds }) => fillIds)]).toEqual([['4 contradicts'], [[]]])
  })

  it('its contract is none of its product: what is missing may be of any contract', async () => {
    const { missing } = await readText([header, row(1), row(2), row(3, { Contract: 'MNQM6', _contractId: '5' })].join('\n'))
    expect(missing).toMatchObject([{ contract: null, fillIds: ['103'] }])
  })

  it('its account is a contract: two columns stand under each other\'s names', async () => {
    expect(await linesOf({ Account: 'MESM6', _accountId: '' })).toEqual(['4 contradicts'])
  })

  it('a row whose account nobody else names may be of any of them', async () => {
    const { missing } = await readText([header, row(1), row(2, { Account: 'B-2', _accountId: '72' }), row(3, { Account: '6/22/26', _accountId: '', _price: 'x' })].join('\n'))
    expect(new Set(missing.map(({ account }) => account.name))).toEqual(new Set(['6/22/26', 'A-1', 'B-2']))
  })
})

it('a row of the Position History is refused whose position has another session, account or contract in its other rows', async () => {
  const header = 'Position ID,Trade Date,Account,Contract,_tickSize,Pair ID,Buy Fill ID,Sell Fill ID,Paired Qty,Buy Price,Sell Price,P/L,Bought Timestamp,Sold Timestamp'
  const row = (number: number, date = '2026-06-10', account = 'A-1', contract = 'MESM6', position = '41') => `${position},${date},${account},${contract},0.25,7${String(number)},1${String(number)},2${String(number)},1,6000.00,6001.00,5.00,06/10/2026 10:0${String(number)}:00,06/10/2026 10:0${String(number)}:30`
  const read = (odd: string) => readText([header, row(1), row(2), odd, row(4, '2026-06-10', 'B-2', 'MNQM6', '42')].join('\n'))
  expect((await read(row(3))).lines).toEqual([])
  const dated = await read(row(3, '2026-06-12'))
  expect(dated.lines).toEqual(['4 not-together'])
  expect(dated.missing).toMatchObject([{ days: { from: '2026-06-10', to: '2026-06-12' } }])
  expect((await read(row(3, '2026-06-10', 'B-2'))).lines).toEqual(['4 not-together'])
  expect((await read(row(3, '2026-06-10', 'A-1', 'MNQM6'))).lines).toEqual(['4 not-together'])
})

it('a duration beside two times says which way dates are written, whatever weekend they then lie in', async () => {
  const header = 'symbol,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'
  const row = (sold: string, duration: string) => `MESM6,0.25,11,12,1,6000.00,6001.00,$5.00,02/01/2026 10:32:41,${sold},${duration}`
  const boughtOn = async (text: string) => (await readText(`${header}\n${text}`)).readings.map((reading) => (reading.says === 'pair' ? new Date(reading.buy.time).toISOString().slice(0, 10) : ''))
  // A Sunday before the opening by the first order, and a Friday by the second.
  expect(await boughtOn(row('02/02/2026 20:55:01', '34h 22min 20sec'))).toEqual(['2026-02-01'])
  expect(await boughtOn(row('02/01/2026 10:33:41', '1min '))).toEqual(['2026-01-02'])
})

it.each([['sep=;\r\n', ';'], ['', '\t'], ['\uFEFFsep=,\n', ',']])('a file that begins with %j and is separated by %j is read, its lines counted as they are', async (first, separator) => {
  const { outcome, lines } = await readText(`${first}Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL\r\n71,A-1,2026-06-10,"1000.00",0.00\r\n71,A-1,x,"1000.00",0.00\r\n`.replaceAll(',', separator))
  expect(outcome).toMatchObject({ ok: true, value: { rows: 2, accepted: 1 } })
  expect(lines).toEqual([`${first === '' ? '3' : '4'} bad-date`])
})

it('equal closed trades on both sides of a part of a long file are all there, under ids of their own, and prove no day', async () => {
  const count = 70_000
  const rows = Array.from({ length: count }, (_, index) => {
    const moment = new Date(Date.UTC(2026, 0, 5, 15) + Math.floor(index / 9) * 1000).toISOString().slice(0, 19).replace('T', ' ')
    return `${String(index + 1)},MES 03-26,A,Long,1,6000,6001,${moment},${moment},$5.00,$${String((index + 1) * 5)}.00`
  })
  const { outcome, readings } = await readText(['Trade number,Instrument,Account,Market pos.,Qty,Entry price,Exit price,Entry time,Exit time,Profit,Cum. net profit', ...rows].join('\n'))
  expect(outcome).toMatchObject({ ok: true, value: { accepted: count, refused: 0 } })
  const trades = readings.flatMap((reading) => (reading.says === 'pair' ? [reading] : []))
  expect(trades.reduce((sum, { qty }) => sum + qty, 0)).toBe(count)
  expect(new Set(trades.map(({ buy }) => buy.fillId)).size).toBe(trades.length)
  expect(trades.length).toBeGreaterThan(Math.ceil(count / 9))
})
