import { describe, expect, it, test } from 'vitest'
import { at, balanceOf, cashOf, chained, fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import { assemble } from '#shared/imports/assemble.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import type { Reading } from '#shared/imports/reading.ts'
import type { Currency } from '#shared/money/money.ts'
import { reconcileSources, reconcile, type Reconciliation } from './reconcile.ts'

/** Of readings whose cash and balances follow each other without a break. */
const check = (...readings: readonly Reading[]): Reconciliation => checkRaw(...chained(readings))
const checkRaw = (...readings: readonly Reading[]): Reconciliation => {
  const assembly = assemble(readings, { account: null })
  const { pairs, incompleteDays } = deriveTrades(assembly, 'UTC')
  return reconcile(assembly, pairs, incompleteDays)
}
const counts = ({ pairsChecked, pairsEqual, daysEqual, daysDiffer }: Reconciliation): number[] => [pairsChecked, pairsEqual, daysEqual + daysDiffer, daysEqual]
const days = (result: Reconciliation) => result.days.map(({ tradingDay, broker, difference, state, reason }) => [tradingDay, broker.net === null ? null : broker.net / 10_000, difference === null ? null : difference / 10_000, reason ?? state])

// Bought at tick 100, sold at 104: 5.00 of gross, 1.00 of fees.
const trade = [fillOf('1', { fee: 0.5 }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00'), price: 104 })]

test('a session with a fill after a missing one is in doubt, even if no trade is left of it', () => {
  // Two buys, and the platform says flat: two sales are in no file.
  expect(days(check(fillOf('1', { netAfter: 1 }), fillOf('3', { time: at('15:02:00'), netAfter: 0 })))).toEqual([['2026-06-10', null, null, 'incomplete']])
})

describe('pairs by their fills', () => {
  it('compare quantity, prices, and P&L', () => {
    expect(counts(check(...trade, pairOf('1', '2')))).toEqual([1, 1, 0, 0])
    const wrong = [pairOf('1', '2', { pnl: 5.01 }), pairOf('1', '2', { qty: 2, pnl: 5 }), pairOf('1', '2', { buy: [at('15:00:00'), 99], pnl: 5 }), pairOf('1', '2', { sell: [at('15:01:00'), 105], pnl: 5 }), pairOf('1', '2', { currency: 'EUR' as Currency })]
    // Without the broker's net, an unequal pair is still a term of its day.
    for (const pair of wrong) expect(counts(check(...trade, pair))).toEqual([1, 0, 1, 0])
  })

  it('differ if Fillbook has both fills and pairs them differently', () => {
    const more = [...trade, fillOf('3', { fee: 0.5, time: at('15:00:30') })]
    const [one] = check(...more, pairOf('3', '2')).pairs
    expect(one).toMatchObject({ by: 'fills', equal: false, fillbook: null, broker: { gross: 50_000 } })
  })

  it('make no difference if the day’s sums agree, though each side pairs its fills differently', () => {
    const fills = [fillOf('1'), fillOf('2', { side: 'sell', time: at('15:02:00'), price: 104 }), fillOf('3', { time: at('15:01:00'), price: 102 }), fillOf('4', { side: 'sell', time: at('15:03:00'), price: 106 })]
    const crossed = [pairOf('1', '4', { account: 'A', sell: [at('15:03:00'), 106] }), pairOf('3', '2', { account: 'A', buy: [at('15:01:00'), 102], sell: [at('15:02:00'), 104] })]
    expect(days(check(...fills, ...crossed))).toEqual([['2026-06-10', null, 0, 'differs']])
  })

  it('may be rounded to cents if a tick is worth less', () => {
    const bonds = (pnl: number) => check(pairOf('1', '2', { account: 'A', contract: 'ZNM6', tickSize: '0.015625', sell: [at('15:01:00'), 101], pnl }))
    expect(counts(bonds(15.63))).toEqual([1, 1, 0, 0])
    expect(counts(bonds(15.62))).toEqual([1, 1, 0, 0])
    expect(counts(bonds(15.64))).toEqual([1, 0, 1, 0])
  })
})

describe('pairs by closing second', () => {
  const orders = [orderOf('1', { qty: 2, priceSum: 200 }), orderOf('2', { side: 'sell', qty: 2, priceSum: 208, placedAt: at('15:01:00'), filledAt: at('15:02:00') })]

  it('sum up to the Cash History, even if the order filled in parts', () => {
    const cash = [cashOf('1', 'pair', 5, { time: at('15:01:20') }), cashOf('2', 'pair', 5, { time: at('15:02:00') }), cashOf('3', 'fee', -2)]
    const result = check(...orders, ...cash)
    expect(counts(result)).toEqual([2, 2, 0, 0])
    // Order averages are not fills: equal sums do not make their day equal.
    expect(days(result)).toEqual([['2026-06-10', 8, 0, 'approximate']])
  })

  it('are averages, reported if the broker has no figures at all', () => {
    expect(days(check(...orders))).toEqual([['2026-06-10', null, null, 'approximate']])
  })

  it('differ by bookings that are different, missing, or the broker’s alone', () => {
    const more = [...orders, orderOf('3', { placedAt: at('16:00:00'), filledAt: at('16:00:00') }), orderOf('4', { side: 'sell', priceSum: 101, placedAt: at('16:01:00'), filledAt: at('16:01:00') })]
    const result = check(...more, cashOf('1', 'pair', 9, { time: at('15:02:00') }), cashOf('2', 'pair', 3, { time: at('16:30:00') }))
    expect(result.pairs.map(({ fillbook, broker, equal }) => [fillbook?.gross ?? null, broker?.gross ?? null, equal])).toEqual([[null, 30_000, false], [100_000, 90_000, false], [12_500, null, false]])
    expect(counts(result)).toEqual([2, 0, 0, 0])
    expect(result.days[0]?.pairs).toHaveLength(3)
  })

  it('replace pairs whose fills are known only by order', () => {
    expect(counts(check(...orders, pairOf('8', '9', { account: 'A', qty: 2, sell: [at('15:02:00'), 104] })))).toEqual([1, 1, 0, 0])
  })

  it('are not counted again if compared by fill', () => {
    expect(counts(check(...trade, pairOf('1', '2'), cashOf('1', 'pair', 5, { time: at('15:01:00') }), cashOf('2', 'fee', -1)))).toEqual([1, 1, 1, 1])
  })
})

describe('days', () => {
  it('are equal to the balance, to the cent', () => {
    expect(days(check(...trade, balanceOf('2026-06-10', 4)))).toEqual([['2026-06-10', 4, 0, 'equal']])
    expect(days(check(...trade, balanceOf('2026-06-10', 4.01)))).toEqual([['2026-06-10', 4.01, -0.01, 'differs']])
  })

  it('count an overnight position’s fees with its close, whatever their source', () => {
    const overnight = [trade[0] as Reading, fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    expect(days(check(...overnight, balanceOf('2026-06-11', 4), balanceOf('2026-06-10', 0)))).toEqual([['2026-06-11', 4, 0, 'equal']])
    const cash = [cashOf('1', 'fee', -0.5), cashOf('2', 'fee', -0.5, { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' }), cashOf('3', 'pair', 5, { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' })]
    const known = check(...overnight, ...cash)
    // The broker's net is unchanged: it charged 0.50 of the 1.00 on the previous day, which is a term.
    expect(days(known)).toEqual([['2026-06-11', 4.5, 0, 'equal']])
    expect(known.days[0]).toMatchObject({ terms: [{ of: 'openings', name: null, amount: -5_000 }], broker: { gross: 50_000, fees: 5_000, net: 45_000 } })
    // So it is in a balance, where the broker books fees when it charges them; one that books them with the closing needs no such term.
    const balances = (...realized: readonly number[]) => check(...overnight, ...realized.map((amount, place) => balanceOf(`2026-06-1${String(place)}`, amount))).days.at(-1)?.terms
    expect(balances(-0.5, 4.5)).toEqual([{ of: 'openings', name: null, amount: -5_000 }])
    expect(balances(0, 4)).toEqual([])
  })

  it('are not equal if fills cost differently per contract: a quantity or fee is wrong', () => {
    // Three were sold to close three; a fourth in the file stays open with a quarter of the fee.
    const spoilt = (qty: number) => [fillOf('1', { qty: 3, fee: 2.31 }), fillOf('2', { side: 'sell', qty, fee: 2.31, time: at('15:01:00'), price: 104 })]
    const cash = [cashOf('1', 'fee', -2.31), cashOf('2', 'fee', -2.31, { time: at('15:01:00') }), cashOf('3', 'pair', 15, { time: at('15:01:00') })]
    for (const known of [cash, [balanceOf('2026-06-10', 10.38)]]) {
      expect(days(check(...spoilt(3), ...known))).toEqual([['2026-06-10', 10.38, 0, 'equal']])
      expect(days(check(...spoilt(4), ...known))).toEqual([['2026-06-10', 10.38, 0, 'fees-uneven']])
    }
    // A firm may charge a fixed fee per fill and change fees between sessions.
    const flat = (qty: number) => [fillOf('1', { qty: 1, fee: 1.34 }), fillOf('2', { qty: 2, fee: 1.67 }), fillOf('3', { side: 'sell', qty, fee: 2, time: at('15:01:00'), price: 104 })]
    expect(days(check(...flat(3), balanceOf('2026-06-10', 9.99)))).toEqual([['2026-06-10', 9.99, 0, 'equal']])
    expect(days(check(...flat(4), balanceOf('2026-06-10', 9.99)))).toEqual([['2026-06-10', 9.99, 0, 'fees-uneven']])
    // A difference is still reported.
    expect(days(check(...spoilt(4), balanceOf('2026-06-10', 3)))).toEqual([['2026-06-10', 3, 7.9575, 'differs']])
  })

  it('are not equal if the Cash History has other fees than the fills, though the sums agree', () => {
    const other = [...trade, fillOf('3', { contract: 'MNQM6', tickSize: '0.25', fee: 0.7 }), fillOf('4', { contract: 'MNQM6', tickSize: '0.25', fee: 0.7, side: 'sell', time: at('15:02:00') })]
    const cash = (first: number, second: number) => [
      ...[cashOf('1', 'fee', 0 - first), cashOf('2', 'fee', 0 - first, { time: at('15:01:00') }), cashOf('3', 'pair', 5, { time: at('15:01:00') })],
      ...[cashOf('4', 'fee', 0 - second, { contract: 'MNQM6' }), cashOf('5', 'fee', 0 - second, { contract: 'MNQM6', time: at('15:02:00') }), cashOf('6', 'pair', 0, { contract: 'MNQM6', time: at('15:02:00') })],
    ]
    expect(days(check(...other, ...cash(0.5, 0.7)))).toEqual([['2026-06-10', 2.6, 0, 'equal']])
    expect(days(check(...other, ...cash(0.6, 0.6)))).toEqual([['2026-06-10', 2.6, 0, 'contradicting-rows']])
  })

  it('are not equal if an order has fewer contracts than its fills, another side, or another price', () => {
    const ordered = (fact: Parameters<typeof orderOf>[1]) => check(...trade.map((fill) => (fill.says === 'fill' ? { ...fill, orderId: `o${fill.fillId}` } : fill)), orderOf('o1', { placedAt: at('15:00:00'), filledAt: at('15:00:00'), ...fact }), balanceOf('2026-06-10', 4))
    expect(days(ordered({}))).toEqual([['2026-06-10', 4, 0, 'equal']])
    expect(days(ordered({ priceSum: 101 }))).toEqual([['2026-06-10', 4, 0, 'contradicting-rows']])
    // The position after that order is unknown too; correcting the rows fixes it.
    expect(days(ordered({ side: 'sell' }))).toEqual([['2026-06-10', 4, 0, 'contradicting-rows']])
  })

  it('are not equal within a cent if opening fees are in doubt in their own session', () => {
    const overnight = [fillOf('1', { qty: 2, fee: 0.99 }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    const last = (opening: number) => days(check(...overnight, balanceOf('2026-06-10', opening), balanceOf('2026-06-11', 4))).at(-1)
    expect(last(0)).toEqual(['2026-06-11', 4, 0, 'equal'])
    expect(last(-0.3)).toEqual(['2026-06-11', 4, 0.005, 'fees-uncertain'])
  })

  it('are not equal by opening fees that the close has too, or whose close differs', () => {
    // 1.00 in the first session, half of it for what is closed in the second.
    const overnight = [...trade, fillOf('3', { fee: 0.5, time: at('16:00:00') }), fillOf('4', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    const states = (closing: number) => days(check(...overnight, balanceOf('2026-06-10', 3.5), balanceOf('2026-06-11', closing))).map(([, , difference, state]) => [difference, state])
    expect(states(4.5)).toEqual([[0, 'equal'], [0, 'equal']])
    expect(states(4)).toEqual([[0.5, 'fees-uncertain'], [0.5, 'fees-uncertain']])
    // Its close agrees; its own session closed nothing and agrees neither way: it differs by the fee itself.
    const [opened, next] = [fillOf('3', { fee: 0, time: at('16:00:00') }), { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' }]
    const closing = fillOf('4', { fee: 0.5, side: 'sell', time: next.time, price: 104 })
    const cash = [cashOf('3', 'fee', -0.5, { time: at('16:00:00') }), cashOf('4', 'fee', -0.5, next), cashOf('5', 'pair', 5, next)]
    for (const more of [[], cash]) expect(days(check(opened, closing, ...more, balanceOf('2026-06-10', -0.5), balanceOf('2026-06-11', 4.5)))).toEqual([['2026-06-10', -0.5, 0.5, 'differs'], ['2026-06-11', 4.5, 0, 'fees-uncertain']])
    // If it closed something that may be wrong itself, only it differs.
    expect(days(check(...overnight, balanceOf('2026-06-10', 20), balanceOf('2026-06-11', 4))).at(-1)).toEqual(['2026-06-11', 4, 0, 'equal'])
    expect(states(20)).toEqual([[0.5, 'fees-uncertain'], [-16, 'differs']])
    // While the closing session is unknown, the opening's own fees are enough.
    expect(days(check(...overnight, balanceOf('2026-06-10', 3.5)))[0]).toEqual(['2026-06-10', 3.5, 0, 'equal'])
  })

  it("have gross, fees and net of the broker's that add up, even if a position stays open on a day that differs", () => {
    const held = [...trade, fillOf('3', { fee: 0.5, time: at('16:00:00') })]
    const cash = [cashOf('1', 'pair', 5, { time: at('15:01:00') }), cashOf('2', 'fee', -1.25), cashOf('3', 'fee', -0.5, { time: at('16:00:00') })]
    const brokers = (...more: readonly Reading[]) => check(...held, ...cash, ...more).days[0]
    expect(brokers()).toMatchObject({ difference: 2_500, fillbook: { gross: 50_000, fees: 10_000, net: 40_000 }, broker: { gross: 50_000, fees: 17_500, net: 32_500, netFrom: 'cash' }, terms: [{ of: 'fees', amount: 2_500 }, { of: 'openings', amount: 5_000 }] })
    expect(brokers(balanceOf('2026-06-10', 3))).toMatchObject({ difference: 10_000, broker: { gross: 50_000, fees: 20_000, net: 30_000, netFrom: 'balance' } })
  })

  it('name the contract whose fees differ', () => {
    const result = check(...trade, cashOf('1', 'pair', 5, { time: at('15:01:00') }), cashOf('2', 'fee', -1.25))
    expect(days(result)).toEqual([['2026-06-10', 3.75, 0.25, 'differs']])
    expect(result.days[0]).toMatchObject({ pairs: [], fees: [{ contract: 'MESM6', fillbook: 10_000, broker: 12_500 }] })
  })

  it('differ if fees and pairs are off by the same amount', () => {
    const result = check(...trade, balanceOf('2026-06-10', 4), pairOf('1', '2', { pnl: 5.5 }))
    expect(result.days).toMatchObject([{ state: 'differs', difference: 0, pairs: [{ equal: false }] }])
  })

  it('of a holiday are the next session, as the broker has it', () => {
    const holiday = [fillOf('1', { fee: 0.5, time: at('15:00:00', '2026-05-25'), tradeDate: '2026-05-26' }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-05-25'), price: 104, tradeDate: '2026-05-26' })]
    expect(days(check(...holiday, balanceOf('2026-05-26', 4)))).toEqual([['2026-05-26', 4, 0, 'equal']])
  })

  it.each([['2026-06-10', '2026-06-10'], ['2026-05-25', '2026-05-26']])('on which files differ are unchecked: of %s that is %s', (date, booked) => {
    const tradeDate = date === booked ? null : booked
    const own = [fillOf('1', { fee: 0.5, time: at('15:00:00', date), tradeDate }), fillOf('2', { fee: 0.5, side: 'sell', time: at('15:01:00', date), price: 104, tradeDate })]
    const shifted = [fillOf('csv-a-1', { time: at('15:00:01', date) }), fillOf('csv-a-2', { side: 'sell', time: at('15:01:00', date), price: 104 })]
    const refused: Reading = { says: 'refused', kind: 'fills', line: 9, account: { id: null, name: 'A' }, contract: null, time: null, fillIds: [], orderId: null, beside: [], days: { from: date, to: date } }
    const contradicting = [orderOf('7', { placedAt: at('15:00:00', date), filledAt: at('15:00:00', date), priceSum: 101 }), orderOf('7', { placedAt: at('15:00:00', date), filledAt: at('15:00:00', date), priceSum: 102 })]
    expect(days(check(...own, balanceOf(booked, 4)))).toEqual([[booked, 4, 0, 'equal']])
    expect(days(check(...own, ...shifted, balanceOf(booked, 4)))).toEqual([[booked, 4, 0, 'contradicting-rows']])
    expect(days(check(...own, ...contradicting, balanceOf(booked, 4)))).toEqual([[booked, 4, 0, 'contradicting-rows']])
    expect(days(check(...own, refused, balanceOf(booked, 4)))).toEqual([[booked, 4, 0, 'row-refused']])
  })

  it('say why they are unchecked, never that they are equal', () => {
    expect(days(check(...trade, pairOf('1', '2')))).toEqual([['2026-06-10', null, null, 'no-broker-figures']])
    expect(days(check(...trade, balanceOf('2026-06-10', 4), balanceOf('2026-06-10', 3)))).toEqual([['2026-06-10', null, null, 'contradicting-balances']])
    expect(days(check(...trade, balanceOf('2026-06-10', 4), balanceOf('2026-06-09', 7), balanceOf('2026-06-13', 0)))).toEqual([['2026-06-09', 7, -7, 'no-fills'], ['2026-06-10', 4, 0, 'equal']])
    expect(days(check(...trade, cashOf('1', 'pair', 5, { currency: 'EUR' as Currency, time: at('15:01:00') })))).toEqual([['2026-06-10', null, null, 'other-currency'], ['2026-06-10', 5, -5, 'other-currency']])
    expect(days(check(...trade, { ...balanceOf('2026-06-10', 4), currency: 'EUR' as Currency }))).toEqual([['2026-06-10', null, null, 'other-currency']])
    const euros = [fillOf('3', { contract: 'FDAXM6', tickSize: '1', fee: 0 }), fillOf('4', { contract: 'FDAXM6', tickSize: '1', fee: 0, side: 'sell', time: at('15:02:00') })]
    expect(days(check(...trade, ...euros, balanceOf('2026-06-10', 4)))).toEqual([['2026-06-10', null, null, 'several-currencies'], ['2026-06-10', null, null, 'several-currencies']])
  })
})

describe('days that cannot be proven', () => {
  const strange = [fillOf('8', { contract: 'QQQZ9', fee: 0 }), fillOf('9', { contract: 'QQQZ9', fee: 0, side: 'sell', time: at('15:01:00'), price: 104 })]

  it('include those of a contract with unknown tick value, even if the figures happen to agree', () => {
    expect(days(check(...strange, balanceOf('2026-06-10', 20)))).toEqual([['2026-06-10', 20, -19, 'unknown-contract']])
    expect(days(check(...strange, balanceOf('2026-06-10', 1)))).toEqual([['2026-06-10', 1, 0, 'unknown-contract']])
    expect(days(check(...trade, ...strange, balanceOf('2026-06-10', 4)))).toEqual([['2026-06-10', 4, 1, 'unknown-contract']])
  })
})

describe('a Cash History that starts or ends in mid-session', () => {
  const bare = [fillOf('1'), fillOf('2', { side: 'sell', time: at('15:01:00'), price: 104 }), fillOf('3', { time: at('18:00:00') }), fillOf('4', { side: 'sell', time: at('18:01:00'), price: 104 })]
  const part = (hour: string) => [cashOf('a', 'fee', -0.5, { time: at(`${hour}:00:00`) }), cashOf('b', 'fee', -0.5, { time: at(`${hour}:01:00`) }), cashOf('c', 'pair', 5, { time: at(`${hour}:01:00`) })]

  it.each(['15', '18'])('proves nothing of that day, and the balance proves it (%s o\'clock)', (hour) => {
    const known = bare.map((fill) => ({ ...fill, fee: 5_000 as never }))
    expect(days(check(...known, ...part(hour), balanceOf('2026-06-10', 8)))).toEqual([['2026-06-10', 8, 0, 'equal']])
    const alone = check(...known, ...part(hour))
    expect(days(alone)).toEqual([['2026-06-10', null, null, 'cash-cut-off']])
    expect(alone.pairs.map(({ equal }) => equal)).toEqual([true])
    // A day that differs by its balance still differs.
    expect(days(check(...known, ...part(hour), balanceOf('2026-06-10', 9)))).toEqual([['2026-06-10', 9, -1, 'differs']])
  })

  it('gives no fee to fills that it does not cover', () => {
    const { fills } = assemble([...bare, ...part('18')], { account: null })
    expect(fills.map(({ id, fee }) => [id, fee])).toEqual([['1', null], ['2', null], ['3', 5_000], ['4', 5_000]])
  })

  it('checks all other days as usual', () => {
    const next = [cashOf('d', 'fee', -1, { time: at('15:00:00', '2026-06-11'), tradeDate: '2026-06-11' }), cashOf('e', 'pair', 5, { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' })]
    const trades = [fillOf('5', { time: at('15:00:00', '2026-06-11') }), fillOf('6', { side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    expect(days(check(...bare, ...trades, ...part('18'), ...next)).map(([, , difference, state]) => [difference, state])).toEqual([[null, 'cash-cut-off'], [0, 'equal']])
  })

  it('is no reason for a day without any of its rows', () => {
    const earlier = [fillOf('5', { time: at('15:00:00', '2026-06-09') }), fillOf('6', { side: 'sell', time: at('15:01:00', '2026-06-09'), price: 104 })]
    expect(days(check(...bare, ...earlier, ...part('15'))).map(([day, , , state]) => [day, state])).toEqual([['2026-06-09', 'no-broker-figures'], ['2026-06-10', 'cash-cut-off']])
  })
})

test('a pair that Fillbook lacks is reported once, though both its fills and cash have it', () => {
  const known = assemble([...trade, pairOf('1', '2'), cashOf('1', 'pair', 5, { time: at('15:01:00') })], { account: null })
  const { pairs } = reconcileSources({ closed: [], fills: known.fills, fees: [], incompleteDays: [], broker: known })
  expect(pairs).toMatchObject([{ by: 'fills', fillbook: null, broker: { gross: 50_000 }, equal: false }])
})

test('a reversal splits its fee, and both days are equal', () => {
  const fills = [fillOf('1', { fee: 0.5 }), fillOf('2', { fee: 1.03, side: 'sell', qty: 2, time: at('15:01:00'), price: 104 }), fillOf('3', { fee: 0.5, time: at('15:02:00', '2026-06-11'), price: 102 })]
  const result = check(...fills, balanceOf('2026-06-10', 3.985), balanceOf('2026-06-11', 1.485))
  expect(days(result).map(([, , difference]) => difference)).toEqual([0, 0])
})

test("a pair of the broker's that Fillbook lacks is on the session of its fills, a holiday’s on the next", () => {
  const holiday = { fee: 0.5, tradeDate: '2026-05-26' } as const
  const known = assemble([fillOf('1', { ...holiday, time: at('15:00:00', '2026-05-25') }), fillOf('2', { ...holiday, side: 'sell', time: at('15:01:00', '2026-05-25'), price: 104 }), pairOf('1', '2', { buy: [at('15:00:00', '2026-05-25'), 100], sell: [at('15:01:00', '2026-05-25'), 104] })], { account: null })
  const { pairs } = reconcileSources({ closed: [], fills: known.fills, fees: [], incompleteDays: [], broker: known })
  expect(pairs.map(({ tradingDay, equal }) => [tradingDay, equal])).toEqual([['2026-05-26', false]])
})

describe('the identity of a day', () => {
  const pair = cashOf('1', 'pair', 5, { time: at('15:01:00'), type: 'Trade Paired' })
  const fee = cashOf('2', 'fee', -1, { time: at('15:01:00'), type: 'Commission' })
  const movements = (result: Reconciliation) => result.days.flatMap((day) => day.movements.map(({ of, name, amount }) => [of, name, amount / 10_000]))
  const before = fillOf('0', { fee: 0, time: at('14:00:00') })

  it('has every cash row by name, from start to end balance', () => {
    const result = check(...trade, pair, fee, cashOf('3', 'other', 1_000, { time: at('16:00:00'), type: 'Fund Transaction', transfer: true, contract: null }))
    expect(days(result)).toEqual([['2026-06-10', 4, 0, 'equal']])
    expect(movements(result)).toEqual([['pair', 'Trade Paired', 5], ['fee', 'Commission', -1], ['transfer', 'Fund Transaction', 1_000]])
    expect(result.days[0]?.balance).toEqual({ start: 500_000_000, end: 510_040_000 })
  })

  it('counts a transfer that names a contract as other: it may correct a trade’s booking', () => {
    const result = check(...trade, pair, fee, cashOf('3', 'other', 25, { time: at('16:00:00'), type: 'Fund Transaction', transfer: true }))
    expect(days(result)).toEqual([['2026-06-10', 29, -25, 'differs']])
    expect(movements(result)).toContainEqual(['other', 'Fund Transaction', 25])
  })

  it.each([
    ['Liquidation Fee', 'fee', 'fees'],
    ['Options Trade', 'other', 'other'],
  ] as const)('counts a row of %s, and names it as what makes the difference', (type, movement, of) => {
    const result = check(...trade, pair, fee, cashOf('3', movement, -25, { time: at('15:02:00'), type }))
    expect(days(result)).toEqual([['2026-06-10', -21, 25, 'differs']])
    expect(result.days[0]?.terms).toEqual([{ of, name: type, amount: 250_000 }])
    expect(movements(result)).toContainEqual([movement, type, -25])
  })

  it('is not equal if a row of unknown type replaces a fee, though the sums agree', () => {
    expect(days(check(...trade, pair, cashOf('2', 'other', -1, { time: at('15:01:00'), type: 'Charge' })))).toEqual([['2026-06-10', 4, 0, 'unknown-movement']])
  })

  it('takes no deposit for a fee, whatever its name: a broker refunds at most what it charged', () => {
    const withoutFees = trade.map((fill) => ({ ...fill, fee: null }))
    const result = check(...withoutFees, pair, fee, cashOf('3', 'fee', 1_000, { time: at('15:01:00'), type: 'Liquidation Fee', contract: null }))
    expect(result.days).toMatchObject([{ state: 'unchecked', reason: 'fees-uncertain', fillbook: { gross: 50_000, fees: 19_000 } }])
    // A refund of a charge is a fee.
    expect(days(check(...withoutFees, pair, fee, cashOf('3', 'fee', 0.75, { time: at('15:01:00'), type: 'Commission' })))).toEqual([['2026-06-10', 4.75, 0, 'equal']])
  })

  it('removes a fill pair that the broker canceled: the day differs until the journal does too', () => {
    const canceled = cashOf('3', 'pair', -5, { time: at('15:30:00'), type: 'Cancelled Paired Trade' })
    expect(days(check(...trade, pair, fee, canceled))).toEqual([['2026-06-10', -1, 5, 'differs']])
    const busted = trade.map((fill) => ({ ...fill, active: false }))
    const result = check(...busted, { ...before, fee: 5_000 as never }, fillOf('9', { fee: 0.5, side: 'sell', time: at('14:01:00') }), pair, fee, canceled, cashOf('8', 'pair', 0, { time: at('14:01:00'), type: 'Trade Paired' }))
    expect(result.days.map(({ difference, state, pairs }) => [difference, state, pairs.length])).toEqual([[0, 'equal', 0]])
  })

  it('breaks at a missing row and reports the rows around it', () => {
    const whole = chained([pair, fee, cashOf('3', 'fee', -0.5, { time: at('15:02:00'), type: 'Commission' }), cashOf('4', 'fee', 0.5, { time: at('15:03:00'), type: 'Commission' })])
    expect(days(checkRaw(...trade, ...whole))).toEqual([['2026-06-10', 4, 0, 'equal']])
    const gone = checkRaw(...trade, ...whole.filter((row) => row.says !== 'cash' || row.transactionId !== '3'))
    // The balances around the missing row are known, and so is the difference.
    expect(days(gone)).toEqual([['2026-06-10', 4, 0, 'broken-chain']])
    expect(gone.days[0]?.broken).toMatchObject({ transactionId: '4', after: '2', expected: 500_040_000, found: 500_035_000 })
  })

  it('is listed if the broker booked P&L without fills in the journal, even with a broken chain', () => {
    const deposit = (id: string, time: string) => cashOf(id, 'other', 7, { time: at(time, '2026-06-11'), tradeDate: '2026-06-11', transfer: true, type: 'Deposit', contract: null })
    const rows = chained([pair, fee, deposit('3', '15:00:00'), deposit('4', '16:00:00')])
    expect(days(checkRaw(...rows.filter((row) => row.says !== 'cash' || row.transactionId !== '3')))).toEqual([['2026-06-10', null, null, 'no-fills']])
  })

  it('is in doubt on both sides of a break between sessions, unless the earlier balance proves it', () => {
    const next = [fillOf('3', { fee: 0.5, time: at('15:00:00', '2026-06-11') }), fillOf('4', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    const nextCash = [cashOf('3', 'pair', 5, { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' }), cashOf('4', 'fee', -1, { time: at('15:01:00', '2026-06-11'), tradeDate: '2026-06-11' })]
    const rows = chained([pair, fee, cashOf('x', 'other', 7, { time: at('20:00:00'), transfer: true, type: 'Deposit' }), ...nextCash]).filter((row) => row.says !== 'cash' || row.transactionId !== 'x')
    const states = (...more: readonly Reading[]) => checkRaw(...trade, ...next, ...rows, ...more).days.map(({ reason, state }) => reason ?? state)
    expect(states()).toEqual(['broken-chain', 'broken-chain'])
    expect(states(balanceOf('2026-06-10', 4, { total: 50_011 }))).toEqual(['broken-chain', 'equal'])
  })

  it('compares balances day by day and reports the unexplained rest', () => {
    const next = [fillOf('3', { fee: 0.5, time: at('15:00:00', '2026-06-11') }), fillOf('4', { fee: 0.5, side: 'sell', time: at('15:01:00', '2026-06-11'), price: 104 })]
    const result = checkRaw(...trade, ...next, balanceOf('2026-06-10', 4, { total: 50_004 }), balanceOf('2026-06-11', 4, { total: 50_033 }))
    expect(days(result)).toEqual([['2026-06-10', 4, 0, 'equal'], ['2026-06-11', 4, 0, 'unexplained-balance']])
    expect(result.days[1]?.unexplained).toBe(250_000)
  })

  it('is computed per currency', () => {
    const euros = [fillOf('3', { contract: 'FDAXM6', tickSize: '1', fee: 0 }), fillOf('4', { contract: 'FDAXM6', tickSize: '1', fee: 0, side: 'sell', time: at('15:02:00'), price: 101 })]
    const dollars = { currency: 'USD' as Currency }
    const result = check(...trade, ...euros, { ...pair, ...dollars }, { ...fee, ...dollars }, cashOf('3', 'pair', 24, { currency: 'EUR' as Currency, time: at('15:02:00'), contract: 'FDAXM6' }))
    expect(result.days.map(({ currency, difference, state }) => [currency, difference, state])).toEqual([['EUR', 10_000, 'differs'], ['USD', 0, 'equal']])
  })

  it('takes each broker pair in its own currency alone', () => {
    const dax = { account: 'A', contract: 'FDAXM6', tickSize: '1' }
    const euros = [fillOf('3', { ...dax, fee: 1, time: at('15:03:00'), price: 24_000 }), fillOf('4', { ...dax, fee: 1, side: 'sell', time: at('15:04:00'), price: 23_860 })]
    const stated = (fees: number) => ({ account: 'A', tradeDate: '2026-06-10', fees: (fees * 10_000) as never })
    const ofEuros = (pnl: number) => pairOf('3', '4', { ...dax, ...stated(2), buy: [at('15:03:00'), 24_000], sell: [at('15:04:00'), 23_860], pnl })
    const lines = (...readings: readonly Reading[]) => check(...trade, ...euros, ...readings).days.map(({ currency, broker, difference, terms, pairs }) => [currency, broker.gross === null ? null : broker.gross / 10_000, broker.fees === null ? null : broker.fees / 10_000, broker.net === null ? null : broker.net / 10_000, difference, terms.map(({ amount }) => amount / 10_000), pairs.length])
    // Five dollars less one, and 140 points of 25 euros lost and two more.
    const dollars = ['USD', 5, 1, 4, 0, [], 0]
    expect(lines(pairOf('1', '2', stated(1)), ofEuros(-3_500))).toEqual([['EUR', -3_500, 2, -3_502, 0, [], 0], dollars])
    expect(lines(pairOf('1', '2', stated(1)), ofEuros(-3_400))).toEqual([['EUR', -3_400, 2, -3_402, -1_000_000, [-100], 1], dollars])
    // A Performance report states no fees: its gross is equal, the net is not known.
    const { fees: _dollars, ...first } = pairOf('1', '2', stated(1))
    const { fees: _euros, ...second } = ofEuros(-3_500)
    expect(lines(first, second)).toEqual([['EUR', -3_500, null, null, null, [], 0], ['USD', 5, null, null, null, [], 0]])
    // Without the pair in euros, the pairs in euros are incomplete and those in dollars are not.
    expect(lines(pairOf('1', '2', stated(1)))).toEqual([['EUR', null, null, null, null, [], 0], dollars])
    // Two pairs in dollars of which the file has one: the pair in euros does not complete them.
    const more = [fillOf('5', { fee: 0.5, time: at('15:05:00') }), fillOf('6', { fee: 0.5, side: 'sell', time: at('15:06:00'), price: 104 })]
    expect(lines(...more, first, second).at(-1)).toEqual(['USD', null, null, null, null, [], 0])
    // A pair in euros that Fillbook matched otherwise is no gross in dollars.
    const again = [fillOf('5', { ...dax, fee: 1, time: at('15:03:30'), price: 24_000 })]
    expect(lines(...again, pairOf('1', '2', stated(1)), ofEuros(-3_500), pairOf('5', '4', { ...dax, buy: [at('15:03:30'), 24_000], sell: [at('15:04:00'), 23_860], pnl: -3_500 })).at(-1)).toEqual(dollars)
    // A position in euros that is still open closed nothing.
    expect(check(...trade, euros[0] as Reading, first).days.map(({ currency, broker, terms }) => [currency, broker.gross, terms])).toEqual([['USD', 50_000, []]])
  })

  it('holds fees in another currency than the contract\'s against the cash in that currency, without adding currencies', () => {
    const euros = [fillOf('3', { contract: 'FDAXM6', tickSize: '1' }), fillOf('4', { contract: 'FDAXM6', tickSize: '1', side: 'sell', time: at('15:02:00'), price: 101 })]
    const charged = (second: number) => [cashOf('1', 'fee', -2, { currency: 'USD' as Currency, contract: 'FDAXM6' }), cashOf('2', 'fee', second, { currency: 'USD' as Currency, contract: 'FDAXM6', time: at('15:02:00') })]
    const gain = cashOf('3', 'pair', 25, { currency: 'EUR' as Currency, time: at('15:02:00'), contract: 'FDAXM6' })
    const lines = (...readings: readonly Reading[]) => check(...readings).days.map(({ currency, fillbook, difference, state, reason }) => [currency, fillbook.gross, fillbook.fees, difference, reason ?? state])
    expect(lines(...euros, ...charged(-2), gain)).toEqual([['EUR', 250_000, 0, 0, 'equal'], ['USD', 0, 40_000, 0, 'equal']])
    // A file has other fees than the Cash History.
    const known = euros.map((fill) => ({ ...fill, fee: 10_000 as never }))
    expect(lines(...known, ...charged(-2), gain)).toEqual([['EUR', 250_000, 20_000, -20_000, 'differs'], ['USD', 0, 40_000, 0, 'equal']])
    // A fill charged in another currency than the previous one: one row is wrong.
    const spoilt = chained([...trade, cashOf('1', 'pair', 5, { time: at('15:01:00') }), cashOf('2', 'fee', -0.5), cashOf('3', 'fee', -0.5, { time: at('15:01:00') })]).map((row) => (row.says === 'cash' ? { ...row, currency: (row.transactionId === '3' ? 'EUR' : 'USD') as Currency } : row.says === 'fill' ? { ...row, fee: null } : row))
    expect(checkRaw(...spoilt).days.map(({ currency, reason }) => [currency, reason])).toEqual([['EUR', 'fees-uncertain'], ['USD', 'fees-uncertain']])
    // A balance in one currency may or may not include the other's fees.
    expect(lines(...known.map((fill) => ({ ...fill, fee: 0 as never, otherFees: [{ currency: 'USD' as Currency, amount: 20_000 as never }] })), balanceOf('2026-06-10', 25)).map(([currency, , fees, , state]) => [currency, fees, state])).toEqual([['EUR', 0, 'several-currencies'], ['USD', 40_000, 'several-currencies']])
  })

  it('calls no day equal if a fee’s currency is known only by number', () => {
    const numbered = { otherFees: [{ currency: '#99' as Currency, amount: 15_000 as never }] }
    const lines = (...readings: readonly Reading[]) => check(...readings).days.map(({ tradingDay, currency, fillbook, state, reason }) => [tradingDay, currency, fillbook.fees, reason ?? state])
    const rest = [pair, fee] as const
    expect(lines(...trade, ...rest)).toEqual([['2026-06-10', 'USD', 10_000, 'equal']])
    expect(lines(...trade.map((fill, place) => (place === 0 ? { ...fill, ...numbered } : fill)), ...rest)).toEqual([['2026-06-10', '#99', 15_000, 'unknown-currency'], ['2026-06-10', 'USD', 10_000, 'unknown-currency']])
  })

  it('chains rows of one second, whatever their file order', () => {
    const rows = chained([pair, fee, cashOf('3', 'fee', -0.5, { time: at('15:01:00') }), cashOf('4', 'fee', 0.5, { time: at('15:01:00') })])
    for (const order of [rows, rows.toReversed(), [rows[2], rows[0], rows[3], rows[1]] as Reading[]]) expect(days(checkRaw(...trade, ...order))).toEqual([['2026-06-10', 4, 0, 'equal']])
  })
})
