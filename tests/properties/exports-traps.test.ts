import { describe, expect, it } from 'vitest'
import { durationText, holidays, wallAt } from '#tests/helpers/exports/clock.ts'
import { csvText } from '#tests/helpers/exports/table.ts'
import { fillsTable, performanceTable } from '#tests/helpers/exports/tradovate-files.ts'
import { placeOf, truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'

const worlds = Array.from({ length: 120 }, (_, index) => drawWorld(index + 1))
const fills = worlds.flatMap((world) => world.fills)
const truths = worlds.map((world) => truthOf(world))
const pairs = truths.flatMap((truth) => truth.pairs)
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

// Without these the properties of imports would be kept by worlds in which nothing happens.
describe('the synthetic worlds hold every trap', () => {
  it('a trade of 66 fills and 40 lots, flips through zero, and fills of one millisecond', () => {
    const trades = Map.groupBy(
      worlds.flatMap((world, at) => (truths[at]?.pairs ?? []).map((pair) => ({ pair, key: `${String(world.seed)} ${placeOf(pair)} ${String(pair.trade)}` }))),
      ({ key }) => key,
    )
    const fillsOfTrades = [...trades.values()].map((own) => new Set(own.flatMap(({ pair }) => [pair.buy, pair.sell])).size)
    expect(Math.max(...fillsOfTrades)).toBeGreaterThanOrEqual(66)
    const opening = new Set(pairs.map(({ buy, sell, closing }) => (closing === buy ? sell : buy)))
    expect(pairs.filter(({ closing }) => opening.has(closing)).length).toBeGreaterThan(20)
    const sameMoment = Map.groupBy(fills, (fill) => `${placeOf(fill)} ${String(fill.time)} ${fill.order.id}`)
    expect([...sameMoment.values()].filter((own) => own.length > 1).length).toBeGreaterThan(50)
  })

  it('busted fills, orders canceled after a part, rejected ones, parts at several prices', () => {
    const orders = worlds.flatMap((world) => world.orders)
    expect(fills.filter(({ busted }) => busted).length).toBeGreaterThan(20)
    expect(orders.filter(({ status, fills: own }) => status === 'Canceled' && own.length > 0).length).toBeGreaterThan(20)
    expect(orders.filter(({ status }) => status === 'Rejected').length).toBeGreaterThan(5)
    expect(orders.filter(({ fills: own }) => new Set(own.filter(({ busted }) => !busted).map(({ ticks }) => ticks)).size > 2).length).toBeGreaterThan(20)
  })

  it('nights, holidays that are booked on the next session, both kinds of clock change, positions left open', () => {
    expect(pairs.filter(({ buy, sell }) => buy.bookedOn !== sell.bookedOn).length).toBeGreaterThan(50)
    expect(fills.filter(({ time, bookedOn }) => holidays.has(wallAt('America/Chicago', time).date) && bookedOn > dateOf(time)).length).toBeGreaterThan(50)
    for (const change of ['2026-03-08', '2026-03-29', '2025-10-26', '2025-11-02']) expect(worlds.some(({ dates }) => dates.some((date) => date < change) && dates.some((date) => date > change))).toBe(true)
    expect(truths.flatMap(({ open }) => open).length).toBeGreaterThan(10)
  })

  it('losses, thousands, leading blanks, noise of doubles and all shapes of a duration', () => {
    const hand = { zone: 'Europe/Berlin', money: 'dollars', year2026: true } as const
    const [performance, filled] = [csvText(performanceTable(pairs, hand)), csvText(fillsTable(fills, hand))]
    for (const text of [/,\$\(\d+\.\d\d\),/, /,"\$\(\d,\d{3}\.\d\d\)",/, /,"\$\d,\d{3}\.\d\d",/, /,\d+min ,?\r\n/, /,\r\n/, /,\d+sec\r\n/, /,\d+min \d+sec\r\n/, /,\d+h \d+min \d+sec\r\n/]) expect(performance).toMatch(text)
    for (const text of [/, Buy,/, /, Sell,/, /,\d+\.\d0{6,}\d+,/, /,false,/]) expect(filled).toMatch(text)
    expect([5_292_400, 1_134_000, 54_999, 180_000, 7_500_000, 3_607_000, 999].map(durationText)).toEqual(['1h 28min 12sec', '18min 54sec', '54sec', '3min ', '2h 5min ', '1h 7sec', ''])
  })

  it('contracts in dollars and euros, with ticks of a quarter, a tenth, 1/32, 1/64 and 0.00005, at firms that charge differently', () => {
    expect(new Set(fills.map(({ product }) => product.tickSize))).toEqual(new Set(['0.25', '0.1', '0.03125', '0.015625', '0.00005', '0.01', '1', '0.5']))
    expect(new Set(fills.map(({ product }) => product.currency))).toEqual(new Set(['USD', 'EUR']))
    expect(new Set(worlds.flatMap(({ accounts }) => accounts.map(({ firm }) => firm.name))).size).toBe(4)
    expect(worlds.filter(({ accounts }) => accounts.length > 2).length).toBeGreaterThan(10)
  })
})
