// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { at, balanceOf, cashOf, fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { assemble } from './assemble.ts'
import type { Assembly } from './assembly.ts'
import { deriveTrades } from './derive-trades.ts'
import type { Reading } from './reading.ts'

const put = (readings: readonly Reading[], account: string | null = null): Assembly => assemble(readings, { account })
const short = ({ fills }: Assembly): string[] => fills.map(({ account, id, side, qty, price }) => `${account.slice(5)} ${id} ${side} ${String(qty)} @${String(price)}`)
const codes = ({ warnings }: Assembly): string[] => warnings.map(({ code }) => code)
const gross = (assembly: Assembly): number => deriveTrades(assembly, 'UTC').pairs.reduce((sum, { grossPnl }) => sum + grossPnl, 0) / 10_000

describe('precedence', () => {
  it('prefers a fill’s own row over its order and pairs, with the minimum quantity never above it', () => {
    const known = fillOf('7', { orderId: '70', qty: 3, fee: 1.5 })
    expect(short(put([pairOf('7', '8', { account: 'A', qty: 2 }), orderOf('70', { qty: 3, priceSum: 300 }), known]))).toEqual(['A 7 buy 3 @100', 'A 8 sell 2 @104'])
  })

  it('adds the part of an order that its fills do not cover', () => {
    const assembly = put([orderOf('70', { qty: 4, priceSum: 403, filledAt: at('15:00:09') }), fillOf('7', { orderId: '70', price: 100 }), fillOf('9', { orderId: '71', price: 1 })])
    expect(short(assembly)).toEqual(['A 7 buy 1 @100', 'A 9 buy 1 @1', 'A order:70 buy 3 @101'])
    expect(assembly.fills.map(({ source }) => source)).toEqual(['fills-file', 'fills-file', 'orders-file'])
  })

  it('accepts a busted fill of an order whether the order still counts it or not', () => {
    const fills = [fillOf('7', { orderId: '70', qty: 2 }), fillOf('8', { orderId: '70', active: false, price: 103 })]
    for (const order of [orderOf('70', { qty: 3, priceSum: 303 }), orderOf('70', { qty: 2, priceSum: 200 })]) {
      expect(codes(put([order, ...fills]))).not.toContain('order-contradicts')
      expect(put([order, ...fills]).fills).toHaveLength(2)
    }
    expect(codes(put([orderOf('70', { qty: 2, priceSum: 203 }), ...fills]))).toContain('order-contradicts')
    expect(codes(put([orderOf('70', { qty: 3, priceSum: 300 }), ...fills]))).toContain('order-contradicts')
  })

  it('orders fills of one minute by the chain of their positions', () => {
    const steps = [['9', 'buy', 2, 2], ['3', 'sell', 1, 1], ['5', 'buy', 1, 2], ['1', 'sell', 2, 0], ['4', 'sell', 1, -1]] as const
    const fills = steps.map(([id, side, qty, netAfter]) => fillOf(id, { side, qty, netAfter }))
    expect(put(fills.toReversed()).fills.map(({ id, time }) => [id, time - at('15:00:00')])).toEqual([['9', 0], ['3', 1], ['5', 2], ['1', 3], ['4', 4]])
    // If one has no position, or they do not chain, only ids are left.
    const [, ...others] = fills
    for (const odd of [fillOf('9', { qty: 2 }), fillOf('9', { qty: 2, netAfter: 7 })]) expect(put([odd, ...others]).fills.map(({ id, time }) => [id, time - at('15:00:00')])).toEqual(['1', '3', '4', '5', '9'].map((id) => [id, 0]))
  })

  it('orders a fill known to the second by its id among fills known to the millisecond', () => {
    const fills = [fillOf('5', { time: at('15:00:00') + 300 }), fillOf('8', { time: at('15:00:00') + 900 }), fillOf('6_1'), fillOf('2_1')]
    expect(put(fills).fills.map(({ id, time }) => [id, time - at('15:00:00')])).toEqual([['2_1', 0], ['5', 300], ['6_1', 300], ['8', 900]])
  })

  it('says the time of a fill that a better source has a second later, unless that has it in two seconds or in part', () => {
    const early = fillOf('csv-x-1', { qty: 2 })
    const retimed = (...known: Reading[]) => put([early, ...known]).retimed
    expect(retimed(fillOf('7', { qty: 2, time: at('15:00:01') + 300 }))).toEqual([{ account: 'file:A', id: 'csv-x-1', time: at('15:00:01') + 300 }])
    expect(retimed(fillOf('7', { time: at('15:00:01') }), fillOf('8', { time: at('15:00:01') + 300 }))).toEqual([{ account: 'file:A', id: 'csv-x-1', time: at('15:00:01') }])
    for (const known of [[fillOf('7'), fillOf('8', { time: at('15:00:01') })], [fillOf('7', { time: at('15:00:01') })], [fillOf('7', { qty: 2 })]]) expect(retimed(...known)).toEqual([])
  })

  it('warns if pairs put one fill into different seconds, or if an order is one of their fills at another hour', () => {
    const pairs = [pairOf('1', '2', { account: 'A' }), pairOf('1', '3', { account: 'A', buy: [at('15:00:09'), 100] })]
    expect(put(pairs).doubtful).toContainEqual({ account: 'file:A', from: '2026-06-10', to: '2026-06-10', reason: 'contradicting-rows' })
    const astray = put([pairOf('1', '2', { account: 'A' }), orderOf('70', { placedAt: at('16:00:00'), filledAt: at('16:00:00'), qty: 1, priceSum: 100 })])
    expect(codes(astray)).toContain('zone-mismatch')
    expect(astray.missing).toEqual([{ account: 'file:A', contract: 'MESM6', time: at('15:00:00') }])
  })

  it('doubts a fill of the broker\'s that is in two accounts, whatever they say of it', () => {
    const both = put([fillOf('612400000007', { account: 'A' }), fillOf('612400000007', { account: 'B', side: 'sell', price: 90 })])
    expect(both.doubtful.map(({ account, reason }) => [account, reason])).toEqual([['file:A', 'counted-twice'], ['file:B', 'counted-twice']])
  })

  it('splits an order over two neighboring ticks if its average lies between', () => {
    expect(short(put([orderOf('70', { qty: 7, priceSum: 703 })]))).toEqual(['A order:70 buy 4 @100', 'A order:70:2 buy 3 @101'])
    expect(short(put([orderOf('70', { qty: 3, priceSum: -7 })]))).toEqual(['A order:70 buy 1 @-3', 'A order:70:2 buy 2 @-2'])
  })

  it('counts a partly filled, later canceled order in its last state', () => {
    expect(short(put([orderOf('70', { qty: 1, priceSum: 100 }), orderOf('70', { qty: 2, priceSum: 201 }), orderOf('70', { qty: 1, priceSum: 100 })]))).toEqual(['A order:70 buy 1 @100', 'A order:70:2 buy 1 @101'])
  })

  it('sums a fill from its distinct pairs, whether in one file or two', () => {
    const pairs = [pairOf('1', '2', { account: 'A', qty: 2 }), pairOf('1', '3', { account: 'A', sell: [at('15:02:00'), 90] })]
    const again = [pairOf('1', '2', { qty: 2 }), ...pairs]
    expect(short(put([...pairs, ...again]))).toEqual(['A 1 buy 3 @100', 'A 2 sell 2 @104', 'A 3 sell 1 @90'])
  })

  it('drops an order covered by pairs within its time, a second either way, but not by those of others', () => {
    const orders = [orderOf('70', { filledAt: at('15:00:01'), placedAt: at('14:59:00') }), orderOf('71', { side: 'sell', placedAt: at('15:01:01'), filledAt: at('15:01:03'), priceSum: 104 })]
    const pair = pairOf('1', '2', { account: 'A' })
    expect(short(put([...orders, pair]))).toEqual(['A 1 buy 1 @100', 'A 2 sell 1 @104'])
    const besides = [pairOf('3', '4', { account: 'B' }), pairOf('5', '6', { account: 'A', contract: 'MNQM6' }), pairOf('7', '8', { account: 'A', buy: [at('15:00:03'), 100], sell: [at('15:00:59'), 100] })]
    expect(put([...orders, ...besides]).fills).toHaveLength(8)
  })

  it('lets an order that worked for days absorb only its filled quantity, nearest to its fill time', () => {
    const waited = orderOf('70', { placedAt: at('15:00:00', '2026-06-01'), filledAt: at('15:00:00') })
    const meanwhile = [1, 2, 3].map((day) => pairOf(String(day * 2), String(day * 2 + 1), { account: 'A', buy: [at('15:00:00', `2026-06-0${String(day)}`), 100], sell: [at('15:09:00', `2026-06-0${String(day)}`), 108] }))
    const ids = put([...meanwhile, waited, pairOf('8', '9', { account: 'A' })]).fills.map(({ id }) => id)
    expect(ids).toEqual(['2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('gives orders a second apart each their own fills', () => {
    const seconds = [1, 2, 3]
    const orders = seconds.map((s) => orderOf(String(70 + s), { placedAt: at(`15:00:0${String(s)}`), filledAt: at(`15:00:0${String(s)}`) }))
    const pairs = seconds.map((s) => pairOf(String(s), String(s + 10), { account: 'A', buy: [at(`15:00:0${String(s)}`), 100] }))
    const later = pairOf('4', '14', { account: 'A', buy: [at('15:00:04'), 100] })
    expect(put([...orders, ...pairs, later]).fills.filter(({ side }) => side === 'buy').map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
  })

  it('keeps a busted fill as inactive, whichever file marks it', () => {
    const assembly = put([fillOf('1'), fillOf('1', { active: false }), fillOf('2', { side: 'sell', time: at('15:05:00') })])
    expect(assembly.fills.map(({ active }) => active)).toEqual([false, true])
    expect(codes(assembly)).not.toContain('contradicting-rows')
  })

  it('marks a fill that may precede or follow an order’s average, if the order of the two changes the trades', () => {
    const order = orderOf('9', { qty: 4, priceSum: 401, placedAt: at('14:59:59') })
    const marked = (...more: readonly Reading[]) => put([fillOf('1', { orderId: '9', qty: 3, time: at('15:00:00') + 102 }), order, ...more]).fills.map(({ id, ambiguous }) => [id, ambiguous === true])
    expect(marked()).toEqual([['order:9', false], ['1', true]])
    expect(marked(fillOf('2', { side: 'sell', time: at('15:00:01') }))).toContainEqual(['2', false])
    expect(marked(pairOf('1', '2', { account: 'A', qty: 3 }))).toContainEqual(['1', false])
  })

  it('counts a fill once if a Fills report and a grid have it under different ids', () => {
    const [own, wrong] = [fillOf('612', { file: 'Fills' }), fillOf('62_1', { file: 'Grid' })]
    const one = put([own, wrong, fillOf('613', { file: 'Fills', side: 'sell', time: at('15:01:00'), price: 104 })])
    expect(short(one)).toEqual(['A 612 buy 1 @100', 'A 613 sell 1 @104'])
    expect(one.warnings).toContainEqual({ code: 'contradicting-rows', rows: 1, conflicts: [{ what: 'fill', id: '62', differs: ['fill-id'], at: [{ file: 'Fills', line: null }, { file: 'Grid', line: null }] }] })
    // One file has both: they are two fills.
    expect(short(put([own, wrong, fillOf('62', { file: 'Fills' })]))).toHaveLength(2)
    expect(short(put([own, fillOf('62_1', { file: 'Grid', time: at('15:00:01') })]))).toHaveLength(2)
  })

  it('counts a fill once if two files have it under different ids, and marks the day as doubtful', () => {
    const fills = [fillOf('11', { file: 'Fills' }), fillOf('12', { file: 'Fills', side: 'sell', time: at('15:01:00'), price: 104 })]
    const wrong = pairOf('1', '12', { account: 'A', file: 'Performance' })
    const warning = { code: 'contradicting-rows', rows: 1, conflicts: [{ what: 'fill', id: '1', differs: ['fill-id'], at: [{ file: 'Fills', line: null }, { file: 'Performance', line: null }] }] }
    const one = put([...fills, wrong])
    expect(short(one)).toEqual(['A 11 buy 1 @100', 'A 12 sell 1 @104'])
    expect(one.warnings).toContainEqual(warning)
    expect([one.doubtful, one.missing]).toEqual([[{ account: 'file:A', from: '2026-06-10', to: '2026-06-10', reason: 'contradicting-rows' }], [{ account: 'file:A', contract: 'MESM6', time: at('15:00:00') }]])
    // Two pair files have it with one counterpart.
    const pairs = put([wrong, pairOf('11', '12', { account: 'A', file: 'Positions' })])
    expect([short(pairs).length, codes(pairs)]).toEqual([2, ['contradicting-rows', 'commission-from-table']])
    const [first, again] = [pairOf('11', '12', { account: 'A', file: 'Performance' }), (file: string, id: string) => pairOf(id, '14', { account: 'A', file, sell: [at('15:02:00'), 106] })]
    expect(short(put([first, again('Performance', '0'), { ...first, file: 'Positions' }, again('Positions', '11')]))).toHaveLength(3)
    // Two in one file are two fills, and so are two closed by different fills.
    expect(short(put([fills[0] as Reading, fillOf('13', { file: 'Fills' }), pairOf('1', '12', { account: 'A', file: 'Performance' }), pairOf('11', '14', { account: 'A', file: 'Performance' }), pairOf('13', '15', { account: 'A', file: 'Performance' })]))).toContain('A 1 buy 1 @100')
    expect(codes(put([wrong, pairOf('11', '13', { account: 'A', file: 'Later', sell: [at('15:01:00'), 104] })]))).toEqual(['commission-from-table'])
  })
})

describe('accounts', () => {
  it('attributes a pair without an account by its fills, also through shared fills', () => {
    const readings = [fillOf('1', { account: 'B' }), pairOf('1', '2'), pairOf('3', '2', { buy: [at('15:00:30'), 100] }), pairOf('3', '4', { buy: [at('15:00:30'), 100] }), pairOf('5', '6')]
    expect(short(put(readings, 'Mine')).map((row) => row.split(' buy')[0]?.split(' sell')[0])).toEqual(['B 1', 'Mine 5', 'B 3', 'B 2', 'B 4', 'Mine 6'])
    expect(codes(put(readings))).toContain('account-unnamed')
    expect(put(readings).warnings).toContainEqual({ code: 'account-unnamed', account: 'unnamed', rows: 1 })
    expect(codes(put(readings, 'Mine'))).not.toContain('account-unnamed')
  })

  it('joins the broker\'s id with its name', () => {
    const byId: Reading = { ...balanceOf('2026-06-10', 1), account: { id: '99', name: null } }
    expect([...put([byId, { ...fillOf('1'), account: { id: '99', name: 'A' } }]).accounts]).toEqual([['file:A', 'A']])
  })

  it('never matches positions across four copying accounts', () => {
    const accounts = ['A', 'B', 'C', 'D']
    const readings = accounts.flatMap((account, index) => [fillOf(`${String(index)}0`, { account }), fillOf(`${String(index)}1`, { account, side: 'sell', time: at('15:03:00'), price: 110 + index })])
    const { pairs } = deriveTrades(put(readings), 'UTC')
    expect(pairs.map(({ opening, closing, grossPnl }) => [opening.account, closing.account, grossPnl / 10_000])).toEqual(accounts.map((name, index) => [`file:${name}`, `file:${name}`, 12.5 + index * 1.25]))
  })
})

describe('contracts', () => {
  it('derives an unknown contract’s exact tick value from its pairs', () => {
    const assembly = put([pairOf('1', '2', { contract: 'QQXM6', pnl: 28.125, qty: 2, sell: [at('15:01:00'), 103] }), pairOf('3', '4', { contract: 'QQXM6', pnl: -4.6875, sell: [at('15:01:00'), 99], currency: 'EUR' as Currency })])
    expect(assembly.specs.get('QQXM6')).toMatchObject({ root: 'QQX', tickSize: '0.25', tickValue: { num: 46_875, den: 1 }, source: 'file', currency: 'EUR' })
    expect(codes(assembly)).toEqual(['account-unnamed', 'commission-unknown'])
    expect(gross(assembly)).toBe(23.4375)
  })

  it('does not guess if pairs fit no single value', () => {
    const assembly = put([pairOf('1', '2', { contract: 'QQXM6', pnl: 28 }), pairOf('3', '4', { contract: 'QQXM6', pnl: 29 })])
    expect(codes(assembly)).toEqual(expect.arrayContaining(['unknown-contract', 'value-unclear']))
    expect(assembly.specs.get('QQXM6')).toMatchObject({ source: 'unknown', tickSize: '0.25', tickValue: { num: 2500, den: 1 } })
  })

  it('prefers pairs over a table entry that matches only part of the code', () => {
    expect(put([pairOf('1', '2', { contract: 'QNGM6', pnl: 4, tickSize: '0.001' })]).specs.get('QNGM6')).toMatchObject({ source: 'file', root: 'QNG', tickValue: { num: 10_000, den: 1 } })
  })

  it('keeps prices in the table\'s ticks, or in finer ones if needed', () => {
    const coarse = put([fillOf('1', { tickSize: '0.01', price: 610_025 }), fillOf('2', { price: 24_402, time: at('15:01:00'), side: 'sell' })])
    expect(coarse.fills.map(({ price }) => price)).toEqual([24_401, 24_402])
    const fine = put([fillOf('1', { tickSize: '0.01', price: 610_010 }), fillOf('2', { price: 24_402, time: at('15:01:00'), side: 'sell' })])
    expect(fine.specs.get('MESM6')).toMatchObject({ tickSize: '0.01', tickValue: { num: 500, den: 1 } })
    expect(gross(fine)).toBe(2)
  })
})

describe('fees', () => {
  const day = [orderOf('1', { qty: 2, priceSum: 200 }), orderOf('2', { qty: 3, side: 'sell', priceSum: 300, placedAt: at('15:02:00'), filledAt: at('15:02:00') })]

  it('splits the Cash History’s fees over fills without one, with no unit lost', () => {
    const fees = [cashOf('1', 'fee', -1.04), cashOf('2', 'fee', -0.37), cashOf('3', 'other', -100), cashOf('4', 'fee', -0.01, { tradeDate: '2026-06-11', time: at('22:30:00') })]
    const assembly = put([...day, ...fees, fillOf('9', { fee: 0.4, time: at('15:03:00') })])
    expect(assembly.fills.map(({ fee }) => fee)).toEqual([4040, 6060, 4000])
    expect(assembly.warnings).toEqual([{ code: 'fees-unplaced', rows: 1, at: [{ file: '', line: null }], of: 1 }])
  })

  it('reports how many fills have different fees across files, and counts the larger', () => {
    const { fills, warnings } = put([fillOf('1', { fee: 0.5 }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00') }), fillOf('1', { fee: 0.3 }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00') })])
    expect([fills.map(({ fee }) => fee), warnings]).toEqual([[5000, 5000], [{ code: 'fees-differ', rows: 1, at: [{ file: '', line: null }], of: 1 }]])
  })

  it('reports conflicting values and their files', () => {
    const [one, other] = [fillOf('1', { fee: 0.5 }), fillOf('1', { fee: 0.5, price: 101 })]
    const conflicts = (...readings: readonly Reading[]) => put(readings).warnings.filter(({ code }) => code === 'contradicting-rows')
    expect(conflicts({ ...one, file: 'Fills.csv', line: 4 }, { ...other, file: 'Fills (1).csv', line: 9 })).toMatchObject([{ code: 'contradicting-rows', rows: 1, conflicts: [{ what: 'fill', id: '1', at: [{ file: 'Fills (1).csv', line: 9 }, { file: 'Fills.csv', line: 4 }] }] }])
  })

  it('gives the remaining units to some of the fills', () => {
    const three = ['1', '2', '3'].map((id) => fillOf(id))
    expect(put([...three, cashOf('1', 'fee', -1)]).fills.map(({ fee }) => fee)).toEqual([3333, 3333, 3334])
  })

  it('finds a fee’s contract by product or second, and warns if it cannot', () => {
    const other = orderOf('3', { contract: 'MNQM6', placedAt: at('16:00:00'), filledAt: at('16:00:00') })
    const fees = [cashOf('1', 'fee', -1, { contract: 'MES' }), cashOf('2', 'fee', -0.5, { contract: null, time: at('16:00:00') }), cashOf('3', 'fee', -7, { contract: null, time: at('17:00:00') })]
    const assembly = put([...day, other, ...fees])
    expect(assembly.fills.map(({ fee }) => fee)).toEqual([4000, 6000, 5000])
    expect(assembly.warnings).toEqual([{ code: 'fees-unplaced', rows: 1, at: [{ file: '', line: null }], of: 1 }])
  })

  it('splits fees in another currency separately and takes none from the table', () => {
    const later = { time: at('15:02:00') }
    const euros = { currency: 'EUR' as Currency }
    const paid = (...cash: readonly Reading[]) => {
      const { fills, warnings } = put([...day, ...cash])
      return [fills.map(({ fee, otherFees }) => [fee, ...(otherFees ?? []).map(({ currency, amount }) => `${currency} ${String(amount)}`)]), warnings]
    }
    expect(paid(cashOf('1', 'fee', -0.4, euros), cashOf('2', 'fee', -0.6, { ...euros, ...later }))).toEqual([[[0, 'EUR 4000'], [0, 'EUR 6000']], []])
    expect(paid(cashOf('1', 'fee', -0.4, euros), cashOf('2', 'fee', -1, later))).toEqual([[[4000, 'EUR 1600'], [6000, 'EUR 2400']], []])
    // A fee column without a currency is in dollars if the Cash History charges dollars.
    const euroFees = put([fillOf('1', { fee: 0.4 }), fillOf('2', { fee: 0.6, side: 'sell', ...later }), cashOf('1', 'fee', -0.4, euros), cashOf('2', 'fee', -0.6, { ...euros, ...later })])
    expect(euroFees.fills.map(({ fee, otherFees }) => [fee, otherFees])).toEqual([[0, [{ currency: 'EUR', amount: 4000 }]], [0, [{ currency: 'EUR', amount: 6000 }]]])
  })

  it('takes no fee from the table if a complete Cash History charges nothing, even over a session without movements', () => {
    const quiet = [orderOf('1', { placedAt: at('15:00:00', '2026-06-11'), filledAt: at('15:00:00', '2026-06-11') })]
    const rows = (gap: number, type: 'other' | 'pair' = 'other') => [
      cashOf('1', 'other', 100, { transfer: true, contract: null, amount: 1_000_000 as Amount }),
      cashOf('2', type, 1, { time: at('15:00:00', '2026-06-12'), tradeDate: '2026-06-12', amount: (1_010_000 + gap) as Amount, ...(type === 'other' ? { transfer: true as const, contract: null } : {}) }),
    ]
    const feesWith = (cash: ReturnType<typeof rows>) => put([...quiet, ...cash]).fills.map(({ fee }) => fee)
    expect(feesWith(rows(0))).toEqual([0])
    expect(feesWith(rows(0, 'pair'))).toEqual([0])
    expect(feesWith(rows(100))).toEqual([null])
  })

  const doubtsOf = ({ doubtful }: Assembly): string[] => doubtful.map(({ from, to, reason }) => `${from ?? ''} ${to ?? ''} ${reason}`)
  const bought = fillOf('7', { qty: 1 })
  const sold = fillOf('9', { side: 'sell', qty: 2, time: at('15:04:00') })
  const charged = (id: string, amount: number, time: number) => cashOf(id, 'fee', amount, { time, contract: 'MESM6' })

  it('doubts a session in which a contract costs more at one time than another, beyond a cent of rounding', () => {
    expect(doubtsOf(put([bought, sold, charged('1', -0.52, bought.time), charged('2', -1.04, sold.time)]))).toEqual([])
    expect(doubtsOf(put([bought, sold, charged('1', -0.52, bought.time), charged('2', -1.05, sold.time)]))).toEqual([])
    expect(doubtsOf(put([bought, sold, charged('1', -1.04, bought.time), charged('2', -1.04, sold.time)]))).toEqual(['2026-06-10 2026-06-10 fees-uncertain'])
  })

  it('doubts a fill known only by pairs if its fee covers more contracts than these have', () => {
    const rest = (fee: number) => put([fillOf('7', { fee: 0.52 }), pairOf('7', '9', { account: 'A', sell: [at('15:04:00'), 104] }), charged('1', -0.52, at('15:00:00')), charged('2', fee, at('15:04:00'))])
    expect(doubtsOf(rest(-0.52))).toEqual([])
    expect(doubtsOf(rest(-1.04))).toEqual(['2026-06-10 2026-06-10 fees-uncertain'])
  })

  it('doubts the session before a close that no file has, if a fill is known by pairs only', () => {
    const known = [pairOf('7', '9', { account: 'A', sell: [at('15:04:00'), 104] }), charged('1', -1.04, at('15:00:00')), charged('2', -0.52, at('15:04:00'))]
    const next = { time: at('15:00:00', '2026-06-11'), tradeDate: '2026-06-11' }
    expect(doubtsOf(put([...known, cashOf('3', 'pair', 5, next)]))).toContain('2026-06-10 2026-06-10 fees-uncertain')
    // Not for another contract, or if the fills are there.
    const even = [pairOf('7', '9', { account: 'A', sell: [at('15:04:00'), 104] }), charged('1', -0.52, at('15:00:00')), charged('2', -0.52, at('15:04:00'))]
    expect(doubtsOf(put([...even, cashOf('3', 'pair', 5, { ...next, contract: 'MNQM6' })]))).toEqual([])
    expect(doubtsOf(put([...even, cashOf('3', 'pair', 5, { time: at('15:04:00') })]))).toEqual([])
    expect(doubtsOf(put([...even, cashOf('3', 'pair', 5, next)]))).toEqual(['2026-06-10 2026-06-10 fees-uncertain'])
  })

  it('counts order-only fills in their session: fees for more contracts mean a missing fill', () => {
    const order = orderOf('9', { qty: 1, priceSum: 104, side: 'sell', placedAt: at('15:05:00'), filledAt: at('15:05:00') })
    const fees = [charged('1', -0.52, bought.time), charged('2', -1.04, sold.time), charged('3', -0.52, at('15:05:00'))]
    expect(doubtsOf(put([bought, sold, order, ...fees]))).toEqual([])
    expect(doubtsOf(put([bought, sold, order, ...fees, charged('4', -0.52, at('15:05:00'))]))).toEqual(['2026-06-10 2026-06-10 fees-uncertain'])
  })

  it('keeps a fee that only one of two files has', () => {
    expect(put([fillOf('1', { fee: 1 }), fillOf('1')]).fills).toMatchObject([{ fee: 10_000 }])
  })
})

test('a holiday’s session comes from the fill, from the pair it closes, or from cash of the same second', () => {
  const holiday = '2026-05-25'
  const readings = [
    fillOf('1', { time: at('15:00:00', holiday), tradeDate: '2026-05-26' }),
    pairOf('2', '3', { account: 'A', buy: [at('15:30:00', '2026-05-22'), 100], sell: [at('15:01:00', holiday), 104], tradeDate: '2026-05-26' }),
    orderOf('4', { placedAt: at('15:02:00', holiday), filledAt: at('15:02:00', holiday) }),
    cashOf('5', 'fee', -1, { time: at('15:02:00', holiday), tradeDate: '2026-05-26', contract: null }),
  ]
  expect(put(readings).fills.map(({ id, tradeDate }) => [id, tradeDate])).toEqual([['2', null], ['1', '2026-05-26'], ['3', '2026-05-26'], ['order:4', '2026-05-26']])
})

test('warnings about table fees and wrong zones name their rows', () => {
  const [fills, order] = [[fillOf('1', { file: 'F', line: 2 }), fillOf('2', { file: 'F', line: 3, side: 'sell', time: at('15:01:00'), price: 104, fee: 1 })], orderOf('9', { file: 'O', line: 7, priceSum: 107, placedAt: at('16:00:00'), filledAt: at('16:00:00') })]
  const apart = pairOf('1', '2', { file: 'P', line: 4, buy: [at('17:00:00'), 100], sell: [at('17:01:00'), 104] })
  const placesOf = (...readings: readonly Reading[]) => put(readings).warnings.flatMap((warning) => (warning.code === 'commission-from-table' || warning.code === 'zone-mismatch' ? [[warning.code, ...warning.at.map(({ file, line }) => `${file} ${String(line)}`)]] : []))
  expect(placesOf(...fills, order, apart)).toEqual([['zone-mismatch', 'P 4'], ['commission-from-table', 'F 2', 'O 7']])
  expect(placesOf(pairOf('1', '2', { file: 'P', line: 4 }))).toEqual([['commission-from-table', 'P 4']])
  const pairs = Array.from({ length: 25 }, (_, at) => pairOf(String(2 * at + 1), String(2 * at + 2), { file: 'P', line: at + 2 }))
  expect(put(pairs).warnings.flatMap((warning) => (warning.code === 'commission-from-table' ? [[warning.fills, warning.at.length, warning.of]] : []))).toEqual([[50, 20, 25]])
})

test('a holiday’s session that no file names is the next one if the exchange clears it so', () => {
  const thanksgiving = (contract: string) => put([fillOf('1', { contract, time: at('15:00:00', '2026-11-26') })]).fills.map(({ tradeDate }) => tradeDate)
  expect([...thanksgiving('MESZ6'), ...thanksgiving('GCZ6'), ...thanksgiving('FDAXZ6'), ...thanksgiving('QQQZ9')]).toEqual(['2026-11-27', '2026-11-27', null, null])
  expect(put([pairOf('1', '2', { buy: [at('15:00:00', '2026-07-03'), 100], sell: [at('15:01:00', '2026-07-03'), 104] })]).fills.map(({ tradeDate }) => tradeDate)).toEqual(['2026-07-06', '2026-07-06'])
  // The short Friday after it is a session of its own.
  expect(put([fillOf('1', { time: at('15:00:00', '2026-11-27') })]).fills[0]?.tradeDate).toBeNull()
})

test('a pair booked on another session is doubtful if the others show that their zone is right', () => {
  const pairsOn = (dates: readonly string[], hour = '15') => dates.map((tradeDate, index) => pairOf(`1${String(index)}`, `2${String(index)}`, { account: 'A', tradeDate, file: 'P', line: index + 2, buy: [at(`${hour}:0${String(index)}:00`), 100], sell: [at(`${hour}:0${String(index)}:30`), 104] }))
  const own = '2026-06-10'
  const doubts = (pairs: readonly Reading[]) => put(pairs).doubtful.map(({ from, to, reason }) => [from, to, reason])
  expect(doubts(pairsOn([own, own, own, '2026-06-11']))).toEqual([[own, '2026-06-11', 'contradicting-rows']])
  expect(put(pairsOn([own, own, own, '2026-06-11'])).warnings).toContainEqual({ code: 'contradicting-rows', rows: 1, conflicts: [{ what: 'pair', id: '13/23', differs: ['date'], at: [{ file: 'P', line: 5 }] }] })
  // If all are, or near the start of a session, the zone is wrong.
  expect(doubts(pairsOn([own, '2026-06-11', '2026-06-11', '2026-06-11']))).toEqual([])
  expect(doubts(pairsOn([own, own, own, '2026-06-11'], '21'))).toEqual([])
})

test('a pair hours off its fills shows a wrong zone', () => {
  const fills = [fillOf('1', { time: at('15:00:00.900') }), fillOf('2', { side: 'sell', time: at('15:01:00.100') })]
  expect(codes(put([...fills, pairOf('1', '2')]))).not.toContain('zone-mismatch')
  expect(codes(put([...fills, pairOf('1', '2', { buy: [at('17:00:00'), 100], sell: [at('17:01:00'), 104] })]))).toContain('zone-mismatch')
})

const anyReading: fc.Arbitrary<Reading> = fc
  .record({
    says: fc.constantFrom('fill', 'order', 'pair', 'cash', 'balance'),
    account: fc.constantFrom('A', 'B', null),
    contract: fc.constantFrom('MESM6', 'FDAXM6', 'QQXM6', 'QNGM6'),
    one: fc.integer({ min: 1, max: 6 }),
    other: fc.integer({ min: 1, max: 6 }),
    qty: fc.integer({ min: 1, max: 5 }),
    price: fc.integer({ min: -5, max: 40 }),
    minute: fc.integer({ min: 10, max: 59 }),
    tickSize: fc.constantFrom('0.25', '0.1'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    fee: fc.constantFrom(undefined, 1.03),
    tradeDate: fc.constantFrom(null, '2026-06-10', '2026-06-11'),
    active: fc.boolean(),
  })
  .map(({ says, account, contract, one, other, qty, price, minute, tickSize, side, fee, tradeDate, active }): Reading => {
    const time = at(`15:${String(minute)}:00`)
    if (says === 'fill') return fillOf(String(one), { account: account ?? 'A', orderId: String(other), contract, qty, price, time, tickSize, side, tradeDate, active, ...(fee === undefined ? {} : { fee }) })
    if (says === 'order') return orderOf(String(one), { account: account ?? 'A', contract, qty, priceSum: price * qty + 1, filledAt: time, placedAt: time - other * 60_000, tickSize, side })
    if (says === 'pair') return pairOf(String(one), String(other + 6), { account, contract, qty, buy: [time, price], sell: [time + 5000, price + other], tickSize, tradeDate })
    return says === 'cash' ? cashOf(String(one), one % 2 === 0 ? 'fee' : 'pair', -other, { account: account ?? 'A', contract: one === 3 ? null : contract, time }) : balanceOf('2026-06-10', other, { account: account ?? 'A' })
  })

test('neither the order of files nor their repetition changes anything', () => {
  const sorted = ({ fills, specs, pairs, cash, balances, accounts, warnings }: Assembly) => {
    const bySelf = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
    return { fills, specs: bySelf([...specs.values()]), pairs: bySelf(pairs), cash: bySelf(cash), balances: bySelf(balances), accounts: [...accounts.keys()].sort(), warnings: warnings.filter(({ code }) => code !== 'zone-mismatch' && code !== 'account-unnamed') }
  }
  fc.assert(
    fc.property(fc.array(anyReading, { maxLength: 25 }).chain((readings) => fc.tuple(fc.constant(readings), fc.shuffledSubarray([...readings, ...readings], { minLength: readings.length * 2 }))), ([readings, mixed]) => {
      expect(sorted(put(mixed))).toEqual(sorted(put(readings)))
    }),
    { numRuns: 400 },
  )
})
