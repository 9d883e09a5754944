import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assembleFiles } from '#shared/imports/assemble-files.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import type { DateOrder } from '#shared/imports/export-kind.ts'
import { exactMoney, amountOf } from '#shared/money/money.ts'
import { pairIdOf } from '#shared/pnl/fill-pair.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'

const zone = 'America/Chicago'
const fixture = (name: string): Uint8Array => readFileSync(new URL(`../fixtures/platforms/${name}`, import.meta.url))

type ReadingOptions = { readonly account?: string | null; readonly dates?: DateOrder; readonly zone?: string }

/** What the program makes of files, as `fillbook import` does. */
const imported = async (files: readonly (readonly [name: string, bytes: Uint8Array])[], options: ReadingOptions = {}) => {
  const read = await Promise.all(files.map(async ([name, bytes]) => {
    const file = await readBytes(bytes, options.zone ?? zone, undefined, { dates: options.dates === undefined ? null : { order: options.dates, ofThisFile: false }, latest: null })
    if (!file.ok) throw new Error(`${name} was refused: ${JSON.stringify(file.problem)}`)
    return { name, file }
  }))
  const { assembly } = assembleFiles(read.map(({ name, file: { kind, readings, missing } }) => ({ name, kind, zone: options.zone ?? zone, accountGiven: options.account ?? null, readings: [...readings, ...missing] })))
  const derived = deriveTrades(assembly, zone)
  const { days, pairsChecked, pairsEqual } = reconcile(assembly, derived.pairs, derived.incompleteDays)
  const sum = (of: 'grossPnl' | 'commission' | 'netPnl', pairs = derived.pairs): string => exactMoney(amountOf(pairs.reduce((total, pair) => total + pair[of], 0)))
  const ofAccounts = Object.fromEntries([...Map.groupBy(derived.pairs, ({ opening }) => assembly.accounts.get(opening.account) ?? '')].map(([account, pairs]) => [account, sum('netPnl', pairs)]))
  return {
    assembly, pairs: derived.pairs, trades: derived.trades, open: derived.open, ofAccounts,
    rejected: read.flatMap(({ file: { refused } }) => refused.map(({ line, problem: { code, column } }) => `${String(line)} ${column} ${code}`)),
    totals: [sum('grossPnl'), sum('commission'), sum('netPnl')],
    checked: [pairsEqual, pairsChecked],
    days: days.map(({ tradingDay, fillbook, broker, state, reason }) => [tradingDay, exactMoney(fillbook.net), broker.net === null ? null : exactMoney(broker.net), state, reason]),
  }
}
const importFixtures = (names: readonly string[], options?: ReadingOptions) => imported(names.map((name) => [name, fixture(name)]), options)

describe('TopstepX trades', () => {
  it('are the platform’s own pairs, and each day as written reconciles with its P&L minus fees and commissions', async () => {
    const { totals, checked, days, pairs, trades } = await importFixtures(['topstepx.csv'])
    expect(totals).toEqual(['491.00', '17.68', '473.32'])
    expect(checked).toEqual([4, 4])
    expect(days).toEqual([
      ['2026-06-10', '577.12', '577.12', 'equal', null],
      ['2026-06-11', '-103.80', '-103.80', 'equal', null],
    ])
    // Two rows share an exit, and a third one opens in that second: each closes its own opening, in trades from flat to flat.
    expect(pairs.map((pair) => pairIdOf(pair).replaceAll('topstepx-', '')).sort()).toEqual(['5101', '5102', '5103', '5104'].map((id) => `file:unnamed/${id}~in/${id}~out`))
    expect(trades.map(({ direction, qty }) => [direction, qty])).toEqual([['long', 3], ['short', 1], ['long', 2]])
  })

  it('count once across exports, with the larger costs if an older one lacks the commissions', async () => {
    const older = new TextDecoder().decode(fixture('topstepx.csv')).split(/\r?\n/).map((line) => line.split(',').slice(0, 12).join(',')).join('\r\n')
    const both = await imported([['old.csv', new TextEncoder().encode(older)], ['new.csv', fixture('topstepx.csv')]], { account: 'TOPSTEP-1' })
    expect(both.totals).toEqual(['491.00', '17.68', '473.32'])
    expect(both.ofAccounts).toEqual({ 'TOPSTEP-1': '473.32' })
    expect(both.assembly.warnings.map(({ code }) => code)).toEqual(['fees-differ'])
  })

  it('close their own openings, even last in first out, and are listed in a possible order', async () => {
    const header = 'Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay'
    const row = (id: string, entered: string, exited: string, prices: string, pnl: string, type: string): string => `${id},ESU6,06/10/2026 ${entered} -05:00,06/10/2026 ${exited} -05:00,${prices},2.80,${pnl},1,${type},06/10/2026 00:00:00 -05:00`
    const rows = [
      row('11', '09:00:00', '09:20:00', '6000.00,6002.00', '100.00', 'Long'),
      row('12', '09:05:00', '09:10:00', '6004.00,6001.00', '-150.00', 'Long'),
      // Opened in the second in which the first one closed, under a lower id.
      row('10', '09:20:00', '09:20:00', '6002.25,6002.00', '12.50', 'Short'),
    ]
    const { pairs, checked, days, trades } = await imported([['a.csv', new TextEncoder().encode([header, ...rows].join('\n'))]])
    expect(pairs.map(({ opening, closing, grossPnl }) => [opening.id, closing.id, exactMoney(grossPnl)])).toEqual([
      ['topstepx-12~in', 'topstepx-12~out', '-150.00'],
      ['topstepx-11~in', 'topstepx-11~out', '100.00'],
      ['topstepx-10~in', 'topstepx-10~out', '12.50'],
    ])
    expect([checked, days, trades.map(({ qty }) => qty)]).toEqual([[3, 3], [['2026-06-10', '-45.90', '-45.90', 'equal', null]], [2, 1]])
  })

  it('a gross P&L that does not match the prices differs, a contradictory row is rejected with its line', async () => {
    const text = new TextDecoder().decode(fixture('topstepx.csv'))
    const wrong = await imported([['a.csv', new TextEncoder().encode(text.replace(',41.000000000,', ',42.000000000,'))]])
    expect(wrong.checked).toEqual([3, 4])
    expect(wrong.days[0]).toEqual(['2026-06-10', '577.12', '578.12', 'differs', null])
    const rejected = async (from: string, to: string) => (await imported([['a.csv', new TextEncoder().encode(text.replace(from, to))]])).rejected
    expect(await rejected('00:10:59', '00:20:59')).toEqual(['2 TradeDuration contradicts'])
    expect(await rejected('15:30:00 +02:00', '15:30:00')).toEqual(['2 EnteredAt bad-time'])
    expect(await rejected('1.48000', '-1.48000')).toEqual(['2 Fees negative-fee'])
    expect(await rejected(',2,Long,', ',2,Flat,')).toEqual(['2 Type bad-side'])
    expect(await rejected('00:10:59.8812340', '1.00')).toEqual(['2 TradeDuration contradicts'])
    // Either of two days may be the row's.
    const misdated = await imported([['a.csv', new TextEncoder().encode(text.replace('Short,06/11/2026', 'Short,06/01/2026'))]])
    expect([misdated.rejected, misdated.days.map(([, , , state]) => state)]).toEqual([['5 TradeDay contradicts'], ['unchecked']])
    // Its day is not known, and the rows stand in no order of time: nothing of the account is reconciled.
    const torn = await imported([['a.csv', new TextEncoder().encode(text.replace(',41.000000000,2,Long,', ',41.000000000,'))]])
    expect([torn.rejected, torn.days.map(([, , , state]) => state)]).toEqual([['2 TradeDuration wrong-columns'], ['unchecked', 'unchecked']])
  })

  it("with another day than their exit's leave both days unchecked, in a one-row file too", async () => {
    const onDay = (day: string): string => oneTrade.topstepx.replace('03/05/2026 00:00:00', `${day} 00:00:00`)
    // The next session, a Saturday, and the day before.
    for (const day of ['03/06/2026', '03/07/2026', '03/04/2026']) {
      const { days, assembly } = await imported([namedFile('topstepx', onDay(day))])
      expect(days.map(([, , , state, reason]) => [state, reason])).toEqual([['unchecked', 'contradicting-rows']])
      expect(assembly.warnings.map(({ code }) => code)).toContain('contradicting-rows')
    }
    // The session of Monday begins on Sunday evening.
    const onSunday = (day: string): string => onDay(day).replace('03/05/2026 09:31:00 -06:00', '03/08/2026 18:31:00 -05:00').replace('03/05/2026 09:45:00 -06:00', '03/08/2026 18:45:00 -05:00')
    expect((await imported([namedFile('topstepx', onSunday('03/09/2026'))])).days.map(([, , , state]) => state)).toEqual(['equal'])
    expect((await imported([namedFile('topstepx', onSunday('03/08/2026'))])).days.map(([, , , state]) => state)).toEqual(['unchecked'])
  })

  it('have unknown costs if the fees are empty, whatever the commissions', async () => {
    for (const [cells, known] of [[['', '0.5'], false], [['', ''], false], [['0.74', ''], true]] as const) {
      const { assembly } = await imported([namedFile('topstepx', oneTrade.topstepx.replace(',0.74,', `,${cells[0]},`).replace(/0\.5$/, cells[1]))])
      expect(assembly.fills.every(({ fee }) => (fee !== null) === known)).toBe(true)
    }
  })

  it('a file without offsets is in local time, and none of its days counts as reconciled', async () => {
    const { totals, days } = await importFixtures(['topstepx-local.csv'], { zone: 'America/New_York' })
    expect(totals).toEqual(['51.00', '1.34', '49.66'])
    expect(days).toEqual([['2026-01-28', '49.66', null, 'unchecked', 'no-broker-figures']])
  })
})

describe('NinjaTrader’s Trade Performance', () => {
  it('is net of every cost shown, in several accounts, with equal rows and blank ones', async () => {
    const { ofAccounts, checked, rejected, totals } = await importFixtures(['ninjatrader.csv'])
    expect(ofAccounts).toEqual({ Sim101: '9.85', APEX1: '43.00' })
    expect(totals).toEqual(['60.75', '7.90', '52.85'])
    expect([checked[0], rejected]).toEqual([checked[1], []])
  })

  it('overlapping exports count once, even if exits of one second are paired differently', async () => {
    for (const files of [['ninjatrader.csv', 'ninjatrader-later.csv'], ['ninjatrader-later.csv', 'ninjatrader.csv']]) {
      const { ofAccounts, checked, days } = await importFixtures(files)
      expect(ofAccounts).toEqual({ Sim101: '9.85', APEX1: '22.00' })
      expect(checked[0]).toBe(checked[1])
      expect(days.filter(([, , , state]) => state !== 'unchecked')).toEqual([])
    }
  })

  it('with hidden fee columns differs by the hidden fees', async () => {
    const header = 'Instrument,Account,Market pos.,Qty,Entry time,Exit time,Entry price,Exit price,Profit,Commission'
    const row = 'MNQ SEP26,DEMO1,Long,1,6/15/2026 9:12,6/15/2026 9:13,30220,30245,$48.10 ,$0.78 '
    const { totals, checked, days } = await imported([['cut.csv', new TextEncoder().encode(`${header}\n${row}\n,,,,,,,,,\n`)]])
    expect([totals, checked]).toEqual([['50.00', '0.78', '49.22'], [0, 1]])
    expect(days.map(([, , , state]) => state)).toEqual(['differs'])
  })

  it('a running total that does not follow rejects the row, and a gap in the numbers leaves its days unchecked', async () => {
    const text = new TextDecoder().decode(fixture('ninjatrader.csv'))
    const spoiled = await imported([['a.csv', new TextEncoder().encode(text.replace('($12.55)', '($12.50)'))]])
    expect(spoiled.rejected).toEqual(['3 Cum. net profit contradicts'])
    const without = await imported([['a.csv', new TextEncoder().encode(text.split('\n').toSpliced(2, 1).join('\n'))]])
    expect(without.rejected).toEqual(['3 Trade number rows-missing'])
    expect(without.days.map(([, , , state, reason]) => [state, reason])).toEqual([['unchecked', 'row-refused'], ['unchecked', 'row-refused']])
    const twice = await imported([['a.csv', new TextEncoder().encode(text.split('\n').toSpliced(2, 0, text.split('\n')[1] ?? '').join('\n'))]])
    expect(twice.totals).toEqual(['60.75', '7.90', '52.85'])
  })

  it('of an unknown contract reconcile nothing: its point value comes from their own P&L', async () => {
    const unknown = oneTrade.ninjatrader.replace('MNQ 03-26', 'ABC 03-26')
    const { totals, checked, days, assembly } = await imported([namedFile('ninjatrader', unknown)], inOneAccount)
    expect([totals, checked, days.map(([, , , state]) => state)]).toEqual([['20.00', '1.24', '18.76'], [0, 0], ['unchecked']])
    expect(assembly.warnings).toEqual([{ code: 'value-from-trades', contracts: ['ABCH6'] }])
  })

  it('in French: decimal commas, the day first, whatever apostrophe', async () => {
    const { totals } = await importFixtures(['ninjatrader-french.csv'])
    expect(totals).toEqual(['1257.50', '6.22', '1251.28'])
    const straight = new TextDecoder().decode(fixture('ninjatrader-french.csv')).replaceAll('’', "'")
    expect((await imported([['fr.csv', new TextEncoder().encode(straight)]])).totals).toEqual(totals)
  })

  it.each(['$285.00', '-$200.00', '90.00 $', '($98.50)'])('reads money as %s', async (money) => {
    const file = `Instrument,Account,Market pos.,Qty,Entry time,Exit time,Entry price,Exit price,Profit\nMNQ SEP26,A,Long,1,15-06-2026 09:12:00,15-06-2026 09:13:00,100,200,${money}\n`
    const { assembly: { pairs } } = await imported([['a.csv', new TextEncoder().encode(file)]])
    expect(exactMoney(pairs[0]?.pnl ?? amountOf(0))).toBe({ '$285.00': '285.00', '-$200.00': '-200.00', '90.00 $': '90.00', '($98.50)': '-98.50' }[money])
  })

  it('rejects a fee whose sign names another currency than the trade’s money, which it cannot be taken off', async () => {
    const topstepx = (fee: string, pnl: string) => `Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay,TradeDuration,Commissions\n9000000007,MESH6,03/05/2026 09:31:10 -05:00,03/05/2026 09:40:20 -05:00,6000,6002.5,${fee},${pnl},2,Long,03/05/2026 00:00:00 -06:00,00:09:10.0000000,\n`
    const ninjatrader = (fee: string, profit: string) => `Instrument,Account,Market pos.,Qty,Entry time,Exit time,Entry price,Exit price,Profit,Commission\nMNQ SEP26,A,Long,1,15-06-2026 09:12:00,15-06-2026 09:13:00,100,200,${profit},${fee}\n`
    const rejected = async (text: string) => (await imported([['a.csv', new TextEncoder().encode(text)]])).rejected
    expect([await rejected(topstepx('€2.00', '25.00')), await rejected(topstepx('$2.00', '25.00')), await rejected(topstepx('€2.00', '€25.00')), await rejected(topstepx('$2.00', '€25.00'))]).toEqual([['2 Fees contradicts'], [], [], ['2 Fees contradicts']])
    expect([await rejected(ninjatrader('€2.00', '$198.00')), await rejected(ninjatrader('$2.00', '$198.00')), await rejected(ninjatrader('$2.00', '€198.00'))]).toEqual([['2 Commission contradicts'], [], ['2 Commission contradicts']])
  })

  it('asks for a date order that the file does not show', async () => {
    const file = new TextEncoder().encode('Instrument,Account,Market pos.,Qty,Entry time,Exit time,Entry price,Exit price,Profit\nMNQ SEP26,A,Long,1,7/2/2026 9:12,7/2/2026 9:13,100,200,$200.00\n')
    expect(await readBytes(file, zone)).toMatchObject({ ok: false, problem: { code: 'open-dates', date: { mdy: '2026-07-02', dmy: '2026-02-07' } } })
  })
})

describe('orders and fills of other platforms', () => {
  it('Rithmic: the filled part of completed orders, in the zone of the header, at an average off the tick', async () => {
    const { totals, days, open } = await importFixtures(['rithmic.csv'])
    expect([totals, open]).toEqual([['32.00', '2.04', '29.96'], []])
    expect(days).toEqual([['2026-06-15', '29.96', null, 'unchecked', 'approximate']])
  })

  it('Rithmic: the filled part of a working order, and a header without fills that hides nothing', async () => {
    const [, header = '', sold = '', bought = ''] = oneTrade.rithmic.split('\n')
    const working = bought.replace('"Filled","B","1"', '"Open","B","3"')
    const both = await imported([['both.csv', bytesOf(['Working Orders', header, working, '', '', 'Completed Orders', header, sold].join('\n'))]])
    expect([both.totals, both.rejected, both.open]).toEqual([['20.00', '1.24', '18.76'], [], []])
    const alone = await imported([['working.csv', bytesOf(['Working Orders', header, working, '', '', 'Completed Orders', header].join('\n'))]])
    expect(alone.assembly.fills.map(({ side, qty }) => [side, qty])).toEqual([['buy', 1]])
    // The order is completed in a later export.
    expect((await imported([['before.csv', bytesOf(['Working Orders', header, working].join('\n'))], namedFile('rithmic')])).totals[0]).toBe('20.00')
    const withoutFills = ['Working Orders', '"Account","Status"', '"ACC1","Open"', ...oneTrade.rithmic.split('\n')].join('\n')
    expect((await imported([['rithmic.csv', bytesOf(withoutFills)]])).totals[0]).toBe('20.00')
    expect(await readBytes(bytesOf(['Working Orders', header, 'Completed Orders', '"Account","Status"'].join('\n')), zone)).toMatchObject({ ok: false })
  })

  it('Rithmic: days between others without a file are named, weekends are not', async () => {
    const on = (day: string, id: string): string => oneTrade.rithmic.replaceAll('2026-03-05', day).replaceAll('"7"', `"${id}7"`).replaceAll('"5"', `"${id}5"`)
    const warnedOf = async (...days: string[]) => (await imported(days.map((day, index) => [`${day}.csv`, bytesOf(on(day, String(index + 1)))]))).assembly.warnings.filter(({ code }) => code === 'days-without-file')
    expect(await warnedOf('2026-03-05')).toEqual([])
    // A Thursday, a Friday, and the Monday behind them; then a Wednesday.
    expect(await warnedOf('2026-03-05', '2026-03-06', '2026-03-09')).toEqual([])
    expect(await warnedOf('2026-03-05', '2026-03-06', '2026-03-11')).toEqual([{ code: 'days-without-file', account: 'ACC1', days: ['2026-03-09', '2026-03-10'], of: 2 }])
    const [long] = await warnedOf('2026-03-05', '2026-04-15')
    expect(long).toMatchObject({ of: 28, days: { length: 10 } })
  })

  it('Rithmic: two days with identical times stay two days, even in an unknown zone', async () => {
    const on = (day: string, id: string): string => oneTrade.rithmic.replaceAll('(CST)', '(RDT)').replaceAll('2026-03-05', day).replaceAll('"7"', `"${id}7"`).replaceAll('"5"', `"${id}5"`)
    const { assembly } = await imported([['one.csv', bytesOf(on('2026-03-05', '1'))], ['two.csv', bytesOf(on('2026-03-06', '2'))]])
    expect(assembly.fills.map(({ time }) => new Date(time).toISOString().slice(0, 10))).toEqual(['2026-03-05', '2026-03-05', '2026-03-06', '2026-03-06'])
  })

  it('Rithmic: a time without its day is named as such', async () => {
    const { rejected } = await imported([['both.csv', bytesOf(`${oneTrade.rithmic}\n${oneTrade.rithmic.split('\n')[3]?.replaceAll('2026-03-05 ', '').replace('"5"', '"6"') ?? ''}`)]])
    expect(rejected).toEqual(['5 Update Time with zone no-day'])
  })

  it('Sierra Chart: fills only, in UTC, prices times 100 and with noise; an unknown scale is rejected', async () => {
    const { pairs, rejected } = await importFixtures(['sierra.txt'])
    expect(pairs.map(({ grossPnl, opening: { contract } }) => [contract, exactMoney(grossPnl)])).toEqual([['MNQU6', '40.00'], ['MNQU6', '-10.00'], ['CLQ6', '300.00']])
    expect(rejected).toEqual(['8 FillPrice unknown-scale'])
    const unquoted = new TextDecoder().decode(fixture('sierra.txt')).replaceAll(/Bid: [\d.]+/g, 'Bid: 0.00')
    expect(unquoted).toContain('Bid: 0.00')
    expect((await imported([['s.txt', bytesOf(unquoted)]])).rejected).toEqual(rejected)
  })

  it('Sierra Chart: a fill is the same whichever columns its file shows, and equal rows of one file are several fills', async () => {
    const { sierra } = oneTrade
    const cells = sierra.split('\n').map((line) => line.split('\t'))
    const without = cells.map((row) => row.slice(0, -1).join('\t')).join('\n')
    const withOthers = cells.map((row, index) => [...row.slice(0, -1), index === 0 ? 'PositionQuantity' : index === 1 ? '1' : '', index === 0 ? 'TransDateTime' : (row[1] ?? '').replace('.200', '.199')].join('\t')).join('\n')
    for (const files of [[sierra, without], [without, withOthers], [withOthers, sierra]]) {
      const { totals, open } = await imported(files.map((text, index) => [`${String(index)}.txt`, bytesOf(text)]))
      expect([totals[0], open]).toEqual(['20.00', []])
    }
    const [header = '', bought = '', sold = ''] = without.split('\n')
    const parts = [header, bought, bought, sold.replace('\t1\tACC1', '\t2\tACC1')].join('\n')
    for (const files of [[parts], [parts, parts]]) {
      const { totals, open, assembly } = await imported(files.map((text, index) => [`${String(index)}.txt`, bytesOf(text)]))
      expect([totals[0], open, assembly.fills.length]).toEqual(['40.00', [], 3])
    }
    // A row that the log has twice names its execution twice.
    expect((await imported([['twice.txt', bytesOf([...sierra.split('\n').slice(0, 2), ...sierra.split('\n').slice(1)].join('\n'))]])).totals[0]).toBe('20.00')
  })

  it('TradingView: filled orders, a continuous symbol by its product, but not next to a dated contract', async () => {
    const { pairs, totals } = await importFixtures(['tradingview.csv'])
    expect(pairs.map(({ grossPnl, opening: { contract } }) => [contract, exactMoney(grossPnl)])).toEqual([['ES1!', '625.00'], ['NQU6', '200.00']])
    expect(totals[1]).toBe('24.50')
  })

  it('Quantower: fills with signed quantities, a reversal, and the P&L of closing fills compared with ours', async () => {
    const { totals, checked } = await importFixtures(['quantower.csv'])
    expect([totals, checked]).toEqual([['28.75', '3.72', '25.03'], [2, 2]])
    const wrong = new TextDecoder().decode(fixture('quantower.csv')).replace(',40,1.86,38.14,', ',45,1.86,43.14,')
    expect((await imported([['q.csv', new TextEncoder().encode(wrong)]])).checked).toEqual([1, 2])
  })

  it('ATAS: closed trades with signed volumes', async () => {
    const { totals, checked } = await importFixtures(['atas.csv'])
    expect([totals[0], checked]).toEqual(['5.00', [2, 2]])
  })
})

/** One trade of MNQH6, bought at 21000 at 9:31:00 and sold at 21010 at 9:45:00 in Chicago: 20.00 before fees, 1.24 of fees where they are stated. */
const oneTrade = {
  topstepx: 'Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay,TradeDuration,Commissions\n1,MNQH6,03/05/2026 09:31:00 -06:00,03/05/2026 09:45:00 -06:00,21000.00,21010.00,0.74,20.00,1,Long,03/05/2026 00:00:00 -06:00,00:14:00.0,0.5',
  ninjatrader: 'Instrument,Account,Market pos.,Qty,Entry price,Exit price,Entry time,Exit time,Profit,Commission\nMNQ 03-26,ACC1,Long,1,21000.00,21010.00,3/5/2026 9:31:00 AM,3/5/2026 9:45:00 AM,$18.76,$1.24',
  atas: 'Account,Instrument,Open time,Open price,Open volume,Close time,Close price,Close volume,PnL,Comment\nACC1,MNQH6@CME,2026-03-05 09:31:00,21000,1,2026-03-05 09:45:00,21010,-1,20,',
  executions: 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,\nMNQ 03-26,Buy,1,21000,3/5/2026 9:31:00 AM,300000001,Entry,1 L,1000000005,Entry,$0.62,1,ACC1,Rithmic,\nMNQ 03-26,Sell,1,21010,3/5/2026 9:45:00 AM,300000002,Exit,-,1000000007,Exit,$0.62,1,ACC1,Rithmic,',
  ownIds: 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,\nMNQ 03-26,Buy,1,21000,3/5/2026 9:31:00 AM,abc1,Entry,1 L,o1,Entry,$0.62,1,ACC1,Live,\nMNQ 03-26,Sell,1,21010,3/5/2026 9:45:00 AM,abc2,Exit,-,o2,Exit,$0.62,1,ACC1,Live,',
  rithmic: 'Completed Orders\n"Account","Status","Buy/Sell","Qty To Fill","Symbol","Price Type","Avg Fill Price","Order Number","Update Time (CST)","Qty Filled","Create Time (CST)","Commission Fill Rate"\n"ACC1","Filled","S","1","MNQH6","M","21010.0000","7","2026-03-05 09:45:00","1","2026-03-05 09:45:00","0.62"\n"ACC1","Filled","B","1","MNQH6","M","21000.0000","5","2026-03-05 09:31:00","1","2026-03-05 09:31:00","0.62"',
  tradingview: 'Symbol,Side,Type,Qty,Limit Price,Stop Price,Fill Price,Status,Commission,Placing Time,Closing Time,Order ID\nCME_MINI:MNQH2026,Sell,Market,1,,,21010,Filled,,2026-03-05 09:45:00,2026-03-05 09:45:00,2\nCME_MINI:MNQH2026,Buy,Market,1,,,21000,Filled,,2026-03-05 09:31:00,2026-03-05 09:31:00,1',
  quantower: 'Account,Date/Time,Symbol,Side,Quantity,Price,Fee,Trade ID,Order ID\nACC1,3/5/2026 9:45:00 AM,MNQH26,Sell,-1,21010,0.62,t2,o2\nACC1,3/5/2026 9:31:00 AM,MNQH26,Buy,1,21000,0.62,t1,o1',
  sierra: 'ActivityType\tDateTime\tSymbol\tInternalOrderID\tBuySell\tFillPrice\tFilledQuantity\tTradeAccount\tFillExecutionServiceID\nFills\t2026-03-05  15:31:00.200\tMNQH26\t1\tBuy\t21000\t1\tACC1\t1.1\nFills\t2026-03-05  15:45:00.200\tMNQH26\t2\tSell\t21010\t1\tACC1\t2.1',
}
type Named = keyof typeof oneTrade
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const namedFile = (name: Named, text: string = oneTrade[name]): readonly [string, Uint8Array] => [name, bytesOf(text)]
const inOneAccount: ReadingOptions = { account: 'ACC1', dates: 'mdy' }
const names = Object.keys(oneTrade) as Named[]

describe('files of two platforms of one account', () => {
  it.each(names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const)))('%s and %s have one trade, which counts once, with the fees that either states', async (one, other) => {
    const isCharged = [one, other].some((name) => !['atas', 'tradingview', 'sierra'].includes(name))
    for (const files of [[one, other], [other, one]] as const) {
      const { totals, open, pairs, assembly, days, checked } = await imported(files.map((name) => namedFile(name)), inOneAccount)
      expect([totals[0], pairs.length, open]).toEqual(['20.00', 1, []])
      if (isCharged) expect(totals).toEqual(['20.00', '1.24', '18.76'])
      expect(assembly.warnings.filter(({ code }) => code !== 'commission-from-table')).toEqual([])
      expect([checked[0], days.map(([, , , state]) => state).includes('differs')]).toEqual([checked[1], false])
    }
  })

  it('each state the P&L of one close, which is compared with each of them', async () => {
    const stated = (gross: string): string => oneTrade.quantower.replace('Fee,', 'Gross P/L,Fee,').replace('21010,', `21010,${gross},`).replace('21000,', '21000,0,')
    for (const other of ['topstepx', 'ninjatrader', 'atas'] as const) {
      expect((await imported([namedFile('quantower', stated('20')), namedFile(other)], inOneAccount)).checked).toEqual([1, 1])
      for (const files of [[namedFile('quantower', stated('30')), namedFile(other)], [namedFile('quantower', stated('20')), namedFile(other, oneTrade[other].replace('20.00,1,Long', '30.00,1,Long').replace('$18.76', '$28.76').replace('-1,20,', '-1,30,'))]]) expect((await imported(files, inOneAccount)).checked).toEqual([0, 1])
    }
    expect((await imported([namedFile('ownIds'), namedFile('topstepx'), namedFile('ninjatrader')], inOneAccount)).checked).toEqual([1, 1])
    // Beside trades that are compared by their fills.
    const other = await imported([namedFile('topstepx'), namedFile('atas', oneTrade.atas.replace('-1,20,', '-1,30,'))], inOneAccount)
    expect([other.checked, other.days.map(([, , , state]) => state)]).toEqual([[1, 2], ['differs']])
  })

  it('all of them together are one trade', async () => {
    expect((await imported(names.map((name) => namedFile(name)), inOneAccount)).totals).toEqual(['20.00', '1.24', '18.76'])
  })

  it('fees that differ between two files are reported, and the larger ones count', async () => {
    for (const name of ['quantower', 'ownIds', 'executions'] as const) {
      const { totals, assembly } = await imported([namedFile('topstepx'), namedFile(name, oneTrade[name].replaceAll('0.62', '0.10'))], inOneAccount)
      expect([totals, assembly.warnings.map(({ code }) => code)]).toEqual([['20.00', '1.24', '18.76'], ['fees-differ']])
    }
    // Each leg has other fees, together they are those of the trade.
    const uneven = await imported([namedFile('topstepx'), namedFile('quantower', oneTrade.quantower.replace('0.62', '0.24').replace('0.62', '1.00'))], inOneAccount)
    expect([uneven.totals[1], uneven.assembly.warnings]).toEqual(['1.24', []])
  })

  it('a fill that one of them splits counts once', async () => {
    const two = oneTrade.quantower.replace('-1,', '-2,').replace('Buy,1,', 'Buy,2,')
    const halves = [...oneTrade.sierra.split('\n'), ...oneTrade.sierra.split('\n').slice(1).map((line) => line.replace('.200', '.300').replace(/\.1$/, '.2'))].join('\n')
    const { totals, assembly } = await imported([namedFile('quantower', two), namedFile('sierra', halves)], inOneAccount)
    expect([totals, assembly.warnings]).toEqual([['40.00', '1.24', '38.76'], []])
  })

  it('a trade in only one of them counts too', async () => {
    const another = '\nACC1,3/5/2026 11:45:00 AM,MNQH26,Sell,-1,21020,0.62,t4,o4\nACC1,3/5/2026 11:31:00 AM,MNQH26,Buy,1,21000,0.62,t3,o3'
    const { totals, assembly } = await imported([namedFile('quantower', oneTrade.quantower + another), namedFile('topstepx')], inOneAccount)
    expect([totals, assembly.warnings]).toEqual([['60.00', '2.48', '57.52'], []])
  })

  it.each<readonly [Named, string, string]>([
    ['topstepx', '09:31:00 -06:00', '09:31:02 -06:00'],
    ['sierra', '15:31:00.200', '15:31:02.200'],
    ['ninjatrader', '9:31:00 AM', '9:31:02 AM'],
    ['rithmic', '2026-03-05 09:31:00","1","2026-03-05 09:31:00', '2026-03-05 09:31:02","1","2026-03-05 09:31:02'],
  ])('%s, seconds apart from another file, marks the day as doubtful with a warning', async (name, from, to) => {
    expect(oneTrade[name]).toContain(from)
    const { assembly, days } = await imported([namedFile('quantower'), namedFile(name, oneTrade[name].replace(from, to).replace('00:14:00.0', ''))], inOneAccount)
    expect(assembly.warnings.map(({ code }) => code)).toContain('contradicting-rows')
    expect(days.map(([, , , state, reason]) => [state, reason])).toEqual([['unchecked', 'contradicting-rows']])
  })

  it.each(['topstepx', 'ninjatrader', 'executions', 'ownIds'] as const)('%s, a second apart from another file, counts once, and the day is marked as doubtful', async (name) => {
    const { totals, open, assembly, days } = await imported([namedFile('quantower'), namedFile(name, oneTrade[name].replace(/9:31:00/, '9:31:01'))], inOneAccount)
    expect([totals, open, assembly.warnings.map(({ code }) => code)]).toEqual([['20.00', '1.24', '18.76'], [], ['contradicting-rows']])
    expect(days.map(([, , , state, reason]) => [state, reason])).toEqual([['unchecked', 'contradicting-rows']])
  })

  it('two fills a second apart stay two, even if another file has only one', async () => {
    const more = '\nACC1,3/5/2026 9:45:01 AM,MNQH26,Sell,-1,21010,0.62,t4,o4\nACC1,3/5/2026 9:31:01 AM,MNQH26,Buy,1,21000,0.62,t3,o3'
    for (const name of ['topstepx', 'ninjatrader', 'atas', 'sierra'] as const) {
      const { totals, assembly } = await imported([namedFile('quantower', oneTrade.quantower + more), namedFile(name)], inOneAccount)
      expect([totals[0], assembly.warnings]).toEqual(['40.00', []])
    }
  })

  it('a second fill of the same second and price counts, whichever file lacks it', async () => {
    const more = '\nACC1,3/5/2026 9:45:00 AM,MNQH26,Sell,-1,21010,0.62,t4,o4\nACC1,3/5/2026 9:31:00 AM,MNQH26,Buy,1,21000,0.62,t3,o3'
    for (const name of ['executions', 'ownIds', 'topstepx', 'sierra', 'rithmic'] as const) {
      const { totals, open } = await imported([namedFile('quantower', oneTrade.quantower + more), namedFile(name, oneTrade[name].replace(',1 L,', ',,').replace(',-,', ',,'))], inOneAccount)
      expect([totals[0], open]).toEqual(['40.00', []])
    }
  })

  it('an export that shows the costs wins over one that hides them, and the day is marked as doubtful', async () => {
    const hidden = oneTrade.ninjatrader.split('\n').map((line) => line.split(',').slice(0, -1).join(',')).join('\n')
    const { totals, assembly, days } = await imported([namedFile('ninjatrader', hidden), ['shown.csv', bytesOf(oneTrade.ninjatrader)]], inOneAccount)
    expect([totals, assembly.warnings.map(({ code }) => code)]).toEqual([['20.00', '1.24', '18.76'], ['contradicting-rows']])
    expect(days.map(([, , , state]) => state)).toEqual(['unchecked'])
  })
})

it.each([
  ['Period,#,Cum. net profit,Net profit,% Win', 'NinjaTrader period summary'],
  ['Instrument,Action,Order type,Quantity,Limit,Stop,State,Filled,Avg. price,Time,ID,Strategy,Account,', 'NinjaTrader orders'],
  ['Trade #,Type,Date and time,Signal,Price USD,Position size (qty),Net P&L USD', 'TradingView list of trades, a back-test'],
  ['Time,Balance before,Balance after,Realized PnL (value),Realized PnL (currency),Action', 'TradingView balance history'],
])('%s is refused by its name', async (header, report) => {
  expect(await readBytes(new TextEncoder().encode(`${header}\n1,2,3\n`), zone)).toEqual({ ok: false, problem: { code: 'other-report', report } })
})

const samples = join(process.env['FILLBOOK_REAL_EXPORTS'] ?? '/nowhere', 'brokers')
describe.skipIf(!existsSync(samples))('samples of other platforms reproduce their own totals', () => {
  const sample = (name: string): readonly [string, Uint8Array] => [name, readFileSync(join(samples, name))]
  it.each<readonly [readonly string[], readonly string[], ReadingOptions]>([
    [['topstepx/synthetic-13-columns.csv'], ['553.00', '21.08', '531.92'], {}],
    [['topstepx/synthetic-11-columns.csv'], ['-90.00', '11.20', '-101.20'], {}],
    [['ninjatrader-trades/topstep-2025-05-13.csv'], ['4836.00', '0.00', '4836.00'], {}],
    [['ninjatrader-trades/synthetic-french.csv'], ['1257.50', '6.22', '1251.28'], {}],
    [['rithmic/synthetic-completed-2026-05-04.csv', 'rithmic/synthetic-completed-2026-05-05.csv'], ['43.25', '3.06', '40.19'], {}],
    [['quantower/synthetic-trades.csv'], ['28.75', '3.72', '25.03'], { dates: 'mdy' }],
  ])('%s', async (names, totals, options) => {
    const result = await imported(names.map(sample), options)
    expect([result.totals, result.rejected]).toEqual([totals, []])
    expect(result.checked[0]).toBe(result.checked[1])
  })

  it.each<readonly [string, string, ReadingOptions]>([
    ['sierra-activity/synthetic-scaled.txt', '30.00', {}],
    ['sierra-activity/synthetic-plain.txt', '300.00', {}],
    ['tradingview/paper-orders-es-100.csv', '-3900.00', {}],
    ['tradingview/paper-orders-short-dates.csv', '1500.00', { dates: 'mdy' }],
    ['atas/synthetic-journal.csv', '5.00', {}],
  ])('%s, whose rows have no costs', async (name, gross, options) => {
    expect((await imported([sample(name)], options)).totals[0]).toBe(gross)
  })

  it('the real export gives each account’s net P&L, and names the wrong rows of others', async () => {
    const real = await imported([sample('ninjatrader-trades/topstep-2025-05-13.csv')])
    expect(Object.values(real.ofAccounts).sort()).toEqual(['1058.00', '1071.50', '2279.50', '427.00'])
    expect((await imported([sample('ninjatrader-trades/synthetic-fee-columns.csv')], { dates: 'mdy' })).checked).toEqual([2, 3])
    const hidden = await imported([sample('ninjatrader-trades/ten-columns-blank-tail.csv')], { dates: 'mdy' })
    expect([hidden.totals[0], hidden.checked]).toEqual(['72.50', [0, 6]])
    expect((await imported([sample('topstepx/ten-columns-no-zone.csv')])).checked).toEqual([1, 2])
  })
})
