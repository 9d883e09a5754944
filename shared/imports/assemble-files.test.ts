// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { timeOfWall, zoneClock } from '#shared/market/zone-clock.ts'
import { at, balanceOf, cashOf, fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import { assembleFiles, type AssembledFiles } from './assemble-files.ts'
import { deriveTrades } from './derive-trades.ts'
import type { FileRows } from './file-rows.ts'
import type { FillReading, PairReading, Reading } from './reading.ts'

const zone = 'America/New_York'
const file = (name: string, kind: FileRows['kind'], readings: readonly Reading[], account: string | null = null): FileRows => ({ name, kind, zone, accountGiven: account, readings })

const minutes = [0, 7, 16, 23]
const timeOf = (minute: number, shift = 0): number => at('15:00:00') + minute * 60_000 + shift

/** Fill pairs at some minutes as in a Performance report, with ids from `from` on. */
const pairsFrom = (from: number, { shift = 0, account = null as string | null, of = minutes } = {}): readonly PairReading[] =>
  of.map((minute, index) => pairOf(String(from + 2 * index), String(from + 2 * index + 1), { account, buy: [timeOf(minute, shift), 100 + index], sell: [timeOf(minute + 2, shift), 104 + 2 * index] }))
const ordersOf = (account: string, shift = 0): readonly Reading[] =>
  minutes.flatMap((minute, index) => [
    orderOf(`9${String(2 * index)}`, { account, placedAt: timeOf(minute, shift), filledAt: timeOf(minute, shift), priceSum: 100 + index }),
    orderOf(`9${String(2 * index + 1)}`, { account, side: 'sell', placedAt: timeOf(minute + 2, shift), filledAt: timeOf(minute + 2, shift), priceSum: 104 + 2 * index }),
  ])
const performance = (readings: readonly Reading[], account: string | null = null, name = 'Performance.csv'): FileRows => file(name, 'performance', readings, account)
const orders = (readings: readonly Reading[], name = 'Orders.csv'): FileRows => file(name, 'orders', readings)

/** Pairs by account, and gross in dollars. */
const come = ({ assembly, open }: AssembledFiles) => {
  const { pairs } = deriveTrades(assembly, 'UTC')
  const byAccount = Object.fromEntries([...Map.groupBy(pairs, ({ opening }) => opening.account.slice(5))].map(([name, own]) => [name, own.length]).sort())
  return { byAccount, gross: pairs.reduce((sum, { grossPnl }) => sum + grossPnl, 0) / 10_000, open: [...open].sort(), approximate: pairs.filter(({ warnings }) => warnings.includes('approximate')).length }
}
const shiftsOf = ({ assembly }: AssembledFiles) => assembly.warnings.flatMap((warning) => (warning.code === 'zone-mismatch' ? [warning.shift] : []))
const codesOf = ({ assembly }: AssembledFiles) => assembly.warnings.map(({ code }) => code)

const gross = 1.25 * (4 + 5 + 6 + 7)
const once = { byAccount: { A: 4 }, gross, open: [], approximate: 0 }

describe('a file without an account', () => {
  it('joins the account whose orders match in contract, side, price, and time, and counts each fill once', () => {
    const found = assembleFiles([orders(ordersOf('A')), performance(pairsFrom(1))])
    expect(come(found)).toEqual(once)
    expect(found.assembly.warnings).toContainEqual({ code: 'account-by-rows', account: 'A', files: ['Performance.csv'] })
  })

  it('joins the account whose Cash History books its pairs', () => {
    const cash = pairsFrom(1).map(({ pnl, sell }, index) => cashOf(String(index), 'pair', pnl / 10_000, { time: sell.time }))
    expect(come(assembleFiles([file('Cash.csv', 'cash-history', cash), performance(pairsFrom(1))]))).toEqual(once)
  })

  it('joins the account whose executions grid has its fills, under the broker’s or its own ids', () => {
    for (const idOf of [(id: string) => `${id}_1`, (id: string) => `f00d${id}`]) {
      const grid = pairsFrom(1).flatMap(({ buy, sell }) => [fillOf(idOf(buy.fillId), { time: buy.time, price: buy.price, orderId: 'x' }), fillOf(idOf(sell.fillId), { time: sell.time, price: sell.price, side: 'sell', orderId: 'y' })])
      expect(come(assembleFiles([file('Grid.csv', 'ninjatrader-executions', grid), performance(pairsFrom(1))]))).toEqual(once)
    }
  })

  it('needs the user’s choice if two copying accounts fit, and follows it', () => {
    const both = [orders(ordersOf('A')), orders(ordersOf('B').map((order) => ({ ...order, orderId: '1' + (order.says === 'order' ? order.orderId : '') }) as Reading), 'B.csv')]
    expect(assembleFiles([...both, performance(pairsFrom(1))]).open).toEqual(['Performance.csv'])
    expect(come(assembleFiles([...both, performance(pairsFrom(1), 'B')]))).toEqual({ byAccount: { A: 4, B: 4 }, gross: 2 * gross, open: [], approximate: 4 })
  })

  it('needs the user’s choice if two files fit one account, or if that account has other fills at the time', () => {
    expect(assembleFiles([orders(ordersOf('A')), performance(pairsFrom(1)), performance(pairsFrom(101), null, 'Other.csv')]).open).toEqual(['Performance.csv', 'Other.csv'])
    expect(assembleFiles([orders(ordersOf('A')), performance(pairsFrom(1)), file('Fills.csv', 'fills', [fillOf('55', { time: timeOf(8) }), fillOf('56', { side: 'sell', time: timeOf(9) })])]).open).toEqual(['Performance.csv'])
  })

  it('shares an account with files that follow in time or share fills, and is kept apart from overlapping ones', () => {
    const later = pairsFrom(201, { shift: 86_400_000 })
    expect(come(assembleFiles([performance(pairsFrom(1)), performance(later, null, 'Later.csv'), performance(pairsFrom(1).slice(1), null, 'Again.csv')]))).toEqual({ byAccount: { unnamed: 8 }, gross: 2 * gross, open: [], approximate: 0 })
    const apart = assembleFiles([performance(pairsFrom(1)), performance(pairsFrom(101, { shift: 60_000 }), null, 'Other.csv'), performance(later, null, 'Later.csv')])
    expect(come(apart)).toEqual({ byAccount: { unnamed: 8, 'unnamed 2': 4 }, gross: 3 * gross, open: ['Later.csv', 'Other.csv', 'Performance.csv'], approximate: 0 })
    expect(codesOf(apart)).toContain('accounts-apart')
    expect(codesOf(assembleFiles([performance(pairsFrom(1), 'A'), performance(pairsFrom(101, { shift: 60_000 }), 'A', 'Other.csv')]))).toContain('accounts-mixed')
  })
})

test('a file with fills known in two accounts is split between them, with a warning', () => {
  const [one, other] = [pairsFrom(1, { account: 'A', of: [0, 7] }), pairsFrom(5, { account: '-A', of: [16, 23] })]
  const whole = [...one, ...other].map((pair) => ({ ...pair, account: { id: null, name: null } }))
  const found = assembleFiles([file('History.csv', 'position-history', [...one, ...other]), performance(whole)])
  expect(found.assembly.warnings).toEqual(expect.arrayContaining(['-A', 'A'].map((account) => ({ code: 'account-by-rows', account, files: ['Performance.csv'] }))))
})

test('a file that shares fills with files of two accounts is split: each account has its own fills, once', () => {
  const [one, other] = [pairsFrom(1), pairsFrom(101, { shift: 86_400_000 })]
  expect(come(assembleFiles([performance(one, 'A', 'A.csv'), performance(other, 'B', 'B.csv'), performance([...one, ...other], null, 'Both.csv')])).byAccount).toEqual({ A: 4, B: 4 })
})

test('an account number in the name column is that account once another row links number and name', () => {
  const fills = [fillOf('1', { account: '71', time: timeOf(0) }), fillOf('2', { account: '71', side: 'sell', time: timeOf(1) })]
  const balances = file('Balances.csv', 'account-balance-history', [{ ...balanceOf('2026-06-10', 0), account: { id: '71', name: 'A' } }])
  expect(come(assembleFiles([file('Fills.csv', 'fills', fills), balances])).byAccount).toEqual({ A: 1 })
  expect(come(assembleFiles([file('Fills.csv', 'fills', fills)])).byAccount).toEqual({ 71: 1 })
})

test('one number under two names is a warning', () => {
  const named = (name: string, ids: readonly [string, string]) => [fillOf(ids[0], { time: timeOf(0) }), fillOf(ids[1], { side: 'sell', time: timeOf(1) })].map((fill) => ({ ...fill, account: { id: '71', name } }))
  expect(assembleFiles([file('One.csv', 'fills', named('A', ['1', '2'])), file('Two.csv', 'fills', named('B', ['3', '4']))]).assembly.warnings).toContainEqual({ code: 'accounts-one-number', number: '71', accounts: ['A', 'B'] })
  expect(codesOf(assembleFiles([file('One.csv', 'fills', named('A', ['1', '2'])), file('Two.csv', 'fills', named('71', ['3', '4']))]))).not.toContain('accounts-one-number')
})

test('a rejected row with a known number belongs to that account, whatever its name column holds', () => {
  const fills = [fillOf('1', { time: timeOf(0) }), fillOf('2', { side: 'sell', time: timeOf(1) })].map((fill) => ({ ...fill, account: { id: '71', name: 'A' } }))
  const refused: Reading = { says: 'refused', kind: 'account-balance-history', line: 2, account: { id: '71', name: '181.27' }, contract: null, time: null, fillIds: [], orderId: null, beside: [], days: { from: '2026-06-10', to: '2026-06-10' } }
  expect(assembleFiles([file('Fills.csv', 'fills', fills), file('Balances.csv', 'account-balance-history', [refused])]).assembly.doubtful).toEqual([{ account: 'file:A', from: '2026-06-10', to: '2026-06-10', reason: 'row-refused' }])
})

test('trades without an account need the user’s choice if only the broker\'s figures name one', () => {
  const balances = file('Balances.csv', 'account-balance-history', [balanceOf('2026-06-10', 0)])
  expect(assembleFiles([performance(pairsFrom(1)), balances]).open).toEqual(['Performance.csv'])
  expect(assembleFiles([performance(pairsFrom(1), 'A'), balances]).open).toEqual([])
})

test('the same ids with other prices are other fills: two brokers may both count from one', () => {
  const other = pairsFrom(1).map((pair) => ({ ...pair, buy: { ...pair.buy, price: (pair.buy.price + 400) as typeof pair.buy.price }, sell: { ...pair.sell, price: (pair.sell.price + 400) as typeof pair.buy.price } }))
  const named = file('History.csv', 'position-history', pairsFrom(1, { account: 'A' }))
  expect(come(assembleFiles([named, performance(pairsFrom(1))]))).toEqual(once)
  expect(assembleFiles([named, performance(other)]).open).toEqual(['Performance.csv'])
  expect(come(assembleFiles([performance(pairsFrom(1)), performance(other, null, 'Other.csv')])).byAccount).toEqual({ unnamed: 4, 'unnamed 2': 4 })
})

test('times farther apart than any two zones are not shifted: their dates are wrong, and their days contradict each other', () => {
  const found = assembleFiles([performance(pairsFrom(1), 'A', 'One.csv'), performance(pairsFrom(1, { shift: 722.5 * 3_600_000 }), 'A', 'Two.csv')])
  expect(shiftsOf(found)).toEqual([])
  expect(codesOf(found)).toContain('contradicting-rows')
})

test('local times in a wrong zone are shifted to the UTC times of rejected rows of the Fills report', () => {
  const longIds = pairsFrom(123_456_789)
  const refused = longIds.flatMap(({ buy, sell }) => [buy, sell]).map(({ fillId, time }, index): Reading => ({ says: 'refused', kind: 'fills', line: index + 2, account: { id: '71', name: null }, contract: 'MESM6', time, fillIds: [fillId], orderId: null, beside: [] }))
  const shifted = pairsFrom(123_456_789, { shift: 10.5 * 3_600_000 })
  const found = assembleFiles([file('Fills.csv', 'fills', refused), performance(shifted, 'A')])
  expect(found.assembly.fills.map(({ time }) => time).sort()).toEqual(longIds.flatMap(({ buy, sell }) => [buy.time, sell.time]).sort())
  expect(shiftsOf(found)).toMatchObject([{ files: ['Performance.csv'], minutes: -630 }])
  // A single one may be wrong itself.
  expect(shiftsOf(assembleFiles([file('Fills.csv', 'fills', refused.slice(0, 1)), performance(shifted, 'A')]))).toEqual([])
})

describe('an order', () => {
  it('is matched with the fills that add up to it if they name no order', () => {
    const fills = pairsFrom(1).flatMap(({ buy, sell }) => [fillOf(buy.fillId, { time: buy.time + 300, price: buy.price }), fillOf(sell.fillId, { time: sell.time + 300, price: sell.price, side: 'sell' })])
    expect(come(assembleFiles([orders(ordersOf('A')), file('Fills.csv', 'fills', fills)]))).toEqual(once)
  })

  it('prefers fills that add up to its price over nearer ones', () => {
    const bought = [[10, 100], [20, 102], [15, 104], [20, 101]] as const
    const filled = bought.map(([second, tick], index) => pairOf(String(index + 1), String(index + 11), { account: 'A', buy: [timeOf(0, second * 1000), tick], sell: [timeOf(30), 110] }))
    const [until, sold] = [timeOf(0, 20_000), orderOf('72', { side: 'sell', qty: 4, priceSum: 440, placedAt: timeOf(30), filledAt: timeOf(30) })]
    const two = [orderOf('70', { qty: 2, priceSum: 202, placedAt: timeOf(0), filledAt: until }), orderOf('71', { qty: 2, priceSum: 205, placedAt: timeOf(0, 1000), filledAt: until })]
    const found = assembleFiles([file('p.csv', 'position-history', filled), orders([...two, sold])])
    expect(come(found)).toMatchObject({ byAccount: { A: 4 }, approximate: 0 })
    expect(codesOf(found)).not.toContain('order-contradicts')
  })

  it('adds only what no fill accounts for, marked as an average', () => {
    const late = orderOf('99', { side: 'sell', qty: 2, priceSum: 241, placedAt: timeOf(40), filledAt: timeOf(41) })
    const open = orderOf('98', { qty: 2, priceSum: 200, placedAt: timeOf(39), filledAt: timeOf(39) })
    expect(come(assembleFiles([orders([...ordersOf('A'), open, late]), performance(pairsFrom(1), 'A')]))).toMatchObject({ byAccount: { A: 6 }, approximate: 2 })
  })
})

describe('times of a wrong zone', () => {
  it.each([[60, 'America/Halifax'], [-60, 'America/Chicago'], [-240, 'Pacific/Honolulu'], [570, 'Asia/Kolkata']])('are a warning if Orders are %d minutes off the pairs, and count once', (shift, fits) => {
    // New York is 4 hours behind UTC in June, Honolulu 10 and Kolkata 5:30 before it.
    const minutesOff = shift === -240 ? -360 : shift
    const off = orders(ordersOf('A', minutesOff * 60_000))
    for (const account of [null, 'A']) {
      const found = assembleFiles([off, performance(pairsFrom(1), account)])
      expect(come(found)).toEqual(once)
      expect(shiftsOf(found)).toEqual([{ files: ['Orders.csv'], minutes: -minutesOff, fits }])
    }
  })

  it('are those of pairs if Orders that name their zone have the same fills at other times, and count once', () => {
    for (const account of [null, 'A']) {
      const found = assembleFiles([file('Orders.csv', 'rithmic-orders', ordersOf('A')), performance(pairsFrom(1, { shift: 300 * 60_000 }), account)])
      expect([come(found), shiftsOf(found)]).toEqual([once, [{ files: ['Performance.csv'], minutes: -300, fits: 'Europe/London' }]])
    }
  })

  it('are corrected by exact times across a clock change, also for fills that no other file has', () => {
    const wrong = (time: number): number => timeOfWall(time + zoneClock('Europe/Berlin').offsetAt(time), zone)
    const days = ['2026-02-10', '2026-03-16', '2026-04-06'].map((date) => at('15:00:00', date))
    const pairs = days.map((time, index) => pairOf(String(2 * index + 1), String(2 * index + 2), { buy: [wrong(time), 100], sell: [wrong(time + 60_000), 104] }))
    const lone = pairOf('51', '52', { buy: [wrong(at('15:10:00', '2026-03-16')), 100], sell: [wrong(at('15:11:00', '2026-03-16')), 104] })
    const fills = days.flatMap((time, index) => [fillOf(String(2 * index + 1), { time }), fillOf(String(2 * index + 2), { time: time + 60_000, side: 'sell', price: 104 })])
    const found = assembleFiles([performance([...pairs, lone]), file('Fills.csv', 'fills', fills)])
    expect(shiftsOf(found)).toMatchObject([{ files: ['Performance.csv'], fits: 'Europe/Berlin' }])
    expect(found.assembly.fills.find(({ id }) => id === '51')?.time).toBe(at('15:10:00', '2026-03-16'))
  })

  it('are corrected in a Cash History by the fills of its rows, also across a clock change', () => {
    const days = ['2026-02-10', '2026-03-16', '2026-04-06']
    const moments = days.flatMap((date, index) => [0, 7, 16].flatMap((minute, place) => [{ id: 20 * index + 2 * place + 1, time: at('15:00:00', date) + minute * 60_000, side: 'buy' as const }, { id: 20 * index + 2 * place + 2, time: at('15:01:40', date) + minute * 60_000, side: 'sell' as const }]))
    const fills = file('Fills.csv', 'fills', moments.map(({ id, time, side }) => fillOf(String(id), { time, side, fee: 0.5 })))
    const cashIn = (given: string, contract: string, lone: number) => file('Cash.csv', 'cash-history', [...moments, { id: 90, time: lone, side: 'buy' }].map(({ id, time }) => cashOf(String(id), 'fee', -0.5, { contract, time: timeOfWall(time + zoneClock(given).offsetAt(time), zone) })))
    const lone = at('16:00:00', '2026-03-16')
    for (const contract of ['MESM6', 'MES']) {
      const found = assembleFiles([cashIn('Europe/Berlin', contract, lone), fills])
      expect(shiftsOf(found)).toEqual([{ files: ['Cash.csv'], minutes: -360, fits: 'Europe/Berlin' }])
      expect(found.assembly.cash.map(({ time }) => time).sort()).toEqual([...moments.map(({ time }) => time), lone].sort())
    }
    expect(shiftsOf(assembleFiles([cashIn(zone, 'MESM6', lone), fills]))).toEqual([])
    // Cash booked when nothing filled does not show another zone.
    const elsewhere = moments.map(({ id, time }) => cashOf(String(id), 'fee', -0.5, { time: time + 97_000 * (id + 1) }))
    expect(shiftsOf(assembleFiles([file('Cash.csv', 'cash-history', elsewhere), fills]))).toEqual([])
  })

  it('are left alone if a single row is an hour off or nothing matches', () => {
    const fills = pairsFrom(1).flatMap(({ buy, sell }) => [fillOf(buy.fillId, { time: buy.time, price: buy.price }), fillOf(sell.fillId, { time: sell.time, price: sell.price, side: 'sell' })])
    const [first, ...rest] = pairsFrom(1)
    const [odd] = pairsFrom(1, { shift: 3_600_000 })
    for (const pairs of [[odd ?? pairOf('1', '2'), ...rest], [first ?? pairOf('1', '2'), ...pairsFrom(61, { shift: 90_000 })]]) expect(shiftsOf(assembleFiles([file('Fills.csv', 'fills', fills), performance(pairs, 'A')])).filter((shift) => shift !== null)).toEqual([])
  })
})

describe('fills of a mapped file by another clock', () => {
  const legs = (of: readonly PairReading[]) => of.flatMap(({ buy, sell }) => [{ ...buy, side: 'buy' as const }, { ...sell, side: 'sell' as const }])
  const mapped = (name: string, minutesOff: number, more: Pick<FillReading, 'hasOffset'> = {}, idOf = (index: number) => `csv-x-${String(index)}`) =>
    file(name, 'mapped-fills', legs(pairsFrom(1)).map(({ time, price, side }, index) => fillOf(idOf(index), { time: time + minutesOff * 60_000, price, side, ...more })))
  const broker = file('Fills.csv', 'fills', legs(pairsFrom(1)).map(({ fillId, time, price, side }) => fillOf(fillId, { time, price, side })))

  it('go where the broker’s own fills are, and count once', () => {
    const found = assembleFiles([mapped('Mine.csv', -60), broker])
    expect([come(found), shiftsOf(found)]).toEqual([once, [{ files: ['Mine.csv'], minutes: 60, fits: 'America/Chicago' }]])
    expect(found.assembly.fills.map(({ id }) => id)).toEqual(broker.readings.map((reading) => (reading.says === 'fill' ? reading.fillId : '')))
  })

  it('go there across a clock change of one of the two zones, also those that no other file has', () => {
    const days = ['2026-02-10', '2026-02-11', '2026-03-16', '2026-04-06']
    const fills = days.flatMap((date, index) => [
      { id: String(2 * index + 1), time: at('15:00:00', date), side: 'buy' as const, price: 100 + index },
      { id: String(2 * index + 2), time: at('15:01:00', date), side: 'sell' as const, price: 104 + index },
    ])
    const lone = { id: '90', time: at('16:00:00', '2026-03-17'), side: 'buy' as const, price: 150 }
    const wrong = (time: number): number => timeOfWall(time + zoneClock('Europe/Berlin').offsetAt(time), zone)
    const found = assembleFiles([file('Mine.csv', 'mapped-fills', [...fills, lone].map(({ id, time, ...rest }) => fillOf(`csv-x-${id}`, { ...rest, time: wrong(time) }))), file('Fills.csv', 'fills', fills.map(({ id, ...rest }) => fillOf(id, rest)))])
    expect(shiftsOf(found)).toEqual([{ files: ['Mine.csv'], minutes: -360, fits: 'Europe/Berlin' }])
    expect(found.assembly.fills.map(({ time }) => time).sort()).toEqual([...fills, lone].map(({ time }) => time).sort())
  })

  it('move no pairs of the broker, unless each row has its offset from UTC', () => {
    expect(shiftsOf(assembleFiles([mapped('Mine.csv', 60), performance(pairsFrom(1), 'A')]))).toMatchObject([{ files: ['Mine.csv'] }])
    expect(shiftsOf(assembleFiles([mapped('Mine.csv', 60, { hasOffset: true }), performance(pairsFrom(1), 'A')]))).toMatchObject([{ files: ['Performance.csv'] }])
  })

  it('stay where the file that was imported first has them', () => {
    for (const minutesOff of [60, -60]) expect(shiftsOf(assembleFiles([{ ...mapped('Late.csv', minutesOff), at: 2 }, { ...mapped('First.csv', 0), at: 1 }]))).toMatchObject([{ files: ['Late.csv'] }])
  })

  it('are no others because one of them has the same local time', () => {
    const found = assembleFiles([{ ...mapped('Mine.csv', 0), at: 1 }, { ...mapped('Other.csv', 60, {}, (index) => `csv-x-${String(index === 3 ? 3 : 100 + index)}`), at: 2 }])
    expect(shiftsOf(found)).toEqual([])
    expect(codesOf(found)).toContain('contradicting-rows')
  })
})

test('names that differ in case, spaces, and dashes alone are said to be alike, and no others', () => {
  const alike = (...names: string[]) => assembleFiles(names.map((account, index) => file(account, 'fills', [fillOf(String(index), { account })]))).assembly.warnings.filter(({ code }) => code === 'accounts-spelled')
  expect(alike('TS150K-01', 'ts 150k 01', 'TS-150K-01', 'TS-150K-02')).toEqual([{ code: 'accounts-spelled', accounts: ['TS-150K-01', 'TS150K-01', 'ts 150k 01'] }])
  expect([alike('A', 'A'), alike('A', 'B'), alike('--', '-')]).toEqual([[], [], []])
})

test('neither file order nor duplicates matter', () => {
  const files: readonly FileRows[] = [
    orders(ordersOf('A')),
    orders(ordersOf('B', 3_600_000), 'Late.csv'),
    performance(pairsFrom(1)),
    performance(pairsFrom(101, { shift: 60_000 }), null, 'Other.csv'),
    performance(pairsFrom(1, { shift: -3_600_000 }), null, 'Off.csv'),
    performance(pairsFrom(301, { shift: 86_400_000 }), 'B', 'Said.csv'),
    file('Fills.csv', 'fills', pairsFrom(1).slice(0, 2).flatMap(({ buy, sell }) => [fillOf(buy.fillId, { time: buy.time + 83, price: buy.price }), fillOf(sell.fillId, { time: sell.time + 83, price: sell.price, side: 'sell' })])),
    file('Grid.csv', 'ninjatrader-executions', pairsFrom(1).map(({ buy }) => fillOf(`f00d${buy.fillId}`, { account: 'B', time: buy.time, price: buy.price }))),
  ]
  fc.assert(
    fc.property(fc.subarray([...files], { minLength: 1 }).chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: some.length }).filter((mixed) => some.every((one) => mixed.includes(one))))), ([some, mixed]) => {
      const [one, other] = [assembleFiles(some), assembleFiles(mixed)]
      expect(come(other)).toEqual(come(one))
      expect(other.assembly.fills).toEqual(one.assembly.fills)
    }),
    { numRuns: 150 },
  )
})

test('thousands of fills of one second and price are scanned once, whatever reports and pairs contain them', { tags: 'long' }, () => {
  const places = Array.from({ length: 10_000 }, (_, place) => place)
  const moment = at('15:00:00')
  const chained = places.map((place) => pairOf(String(1e9 + place), String(1e9 + place + 1), { account: 'A', buy: [moment, 100], sell: [moment, 104] }))
  const reportOf = (name: string, from: number) => file(name, 'fills', places.map((place) => fillOf(String(from + place), { account: 'A', time: moment })))
  expect(assembleFiles([performance(chained)]).assembly.fills).toHaveLength(20_000)
  // No file shows which are the same: each fill of the first report takes the next twin.
  const { fills, warnings } = assembleFiles([reportOf('one.csv', 1e9), reportOf('other.csv', 2e9), performance(chained)]).assembly
  expect(fills.filter(({ side }) => side === 'buy')).toHaveLength(10_000)
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'contradicting-rows' }))
})
