import { expect, test } from 'vitest'
import type { AccountKey } from '#shared/fills/fill.ts'
import { timeOfWall } from '#shared/market/zone-clock.ts'
import { fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import type { Reading } from './reading.ts'
import { turnedDates } from './settle-files.ts'

const zone = 'America/New_York'
/** The moment of a date and 9:31:07 in New York, whose clocks change between March 7 and July 3. */
const on = (month: number, day: number, minutes = 0): number => timeOfWall(Date.UTC(2026, month - 1, day, 9, 31, 7) + minutes * 60_000, zone)
const fill = (time: number, more: Parameters<typeof fillOf>[1] = {}): Reading => fillOf('ninjatrader-1', { time, price: 100, ...more })
const order = (time: number): Reading => orderOf('rithmic-1', { placedAt: time, filledAt: time, priceSum: 100 })
const trade = (time: number): Reading => pairOf('atas-1', 'atas-2', { buy: [time, 100], sell: [time + 60_000, 104] })

const warn = (...files: readonly (readonly [name: string, readings: readonly Reading[], account?: string])[]) =>
  turnedDates(files.map(([name, readings, account = 'A']) => ({ name, zone, rows: readings.map((reading) => ({ reading, account: `file:${account}` as AccountKey })) })), (account) => account.slice('file:'.length)).map(({ account, rows, files: names }) => [account, rows, ...names])

test('a file read again in the other order of dates is named with its rows, by account', () => {
  const read = (month: number, day: number) => [fill(on(month, day)), order(on(month, day)), trade(on(month, day))]
  expect(warn(['first.csv', read(3, 7)], ['again.csv', read(7, 3)])).toEqual([['A', 3, 'again.csv', 'first.csv']])
  expect(warn(['same.csv', read(7, 3)], ['b.csv', [fill(on(2, 4))], 'B'], ['same.csv', read(3, 7)], ['b.csv', [fill(on(4, 2))], 'B'])).toEqual([['A', 3, 'same.csv'], ['B', 1, 'b.csv']])
})

test.each<[string, readonly Reading[], readonly Reading[]]>([
  ['the same dates', [fill(on(3, 7))], [fill(on(3, 7))]],
  ['a day that is no month', [fill(on(3, 13))], [fill(on(1, 3))]],
  ['a day and month that are alike', [fill(on(3, 3))], [fill(on(3, 3))]],
  ['another time of day', [fill(on(3, 7))], [fill(on(7, 3, 60))]],
  ['another price', [fill(on(3, 7))], [fill(on(7, 3), { price: 101 })]],
  ['another side', [fill(on(3, 7))], [fill(on(7, 3), { side: 'sell' })]],
  ["the broker's ids, whose other date contradicts", [fillOf('1', { time: on(3, 7), price: 100 })], [fillOf('1', { time: on(7, 3), price: 100 })]],
  ['both in one file', [fill(on(3, 7)), fill(on(7, 3))], []],
])('no row is named for %s', (_, first, second) => {
  expect(warn(['first.csv', first], ['second.csv', second])).toEqual([])
})

test('the same row of another account, or in a file without local times, is another row', () => {
  expect(warn(['a.csv', [fill(on(3, 7))]], ['b.csv', [fill(on(7, 3))], 'B'])).toEqual([])
  const row = (time: number) => [{ reading: fill(time), account: 'file:A' as AccountKey }]
  expect(turnedDates([{ name: 'api', zone: null, rows: row(Date.UTC(2026, 2, 7, 9, 31, 7)) }, { name: 'a.csv', zone, rows: row(on(7, 3)) }], String)).toEqual([])
})
