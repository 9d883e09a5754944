// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { AccountKey } from '#shared/fills/fill.ts'
import { growth } from '#tests/helpers/growth.ts'
import { at, fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import { filesApart } from './settle-files.ts'
import type { Reading } from './reading.ts'

const apart = (...files: readonly (readonly [name: string, readings: readonly Reading[], account?: string])[]) =>
  filesApart(files.map(([name, readings, account = 'A']) => ({ name, rows: readings.map((reading) => ({ reading, account: `file:${account}` as AccountKey })) })), String)
const fill = (clock: string, more: Parameters<typeof fillOf>[1] = {}, date?: string): Reading => fillOf(`csv-x-${clock}-${String(more.qty ?? 1)}-${more.side ?? 'buy'}-${date ?? ''}`, { time: at(clock, date), ...more })
const trade = (entry: string, exit: string): Reading => pairOf(`atas-${entry}-${exit}~in`, `atas-${entry}-${exit}~out`, { buy: [at(entry), 100], sell: [at(exit), 104], closing: 'sell' })

describe('two files that cover the same time, where each has rows that the other lacks', () => {
  test.each<[string, readonly Reading[], readonly Reading[], number]>([
    ['seconds cut off', [fill('15:00:10'), fill('15:04:20', { side: 'sell' })], [fill('15:00:00'), fill('15:04:00', { side: 'sell' })], 2],
    ['one fill in one row, then in two', [fill('15:00:10', { qty: 2 }), fill('15:09:00')], [fill('15:00:10'), fill('15:09:00')], 1],
    ['sides read the other way round', [fill('15:00:10'), fill('15:04:20', { side: 'sell' })], [fill('15:00:10', { side: 'sell' }), fill('15:04:20')], 2],
    ['exits a second later', [trade('15:00:00', '15:04:00')], [trade('15:00:00', '15:04:01')], 1],
    ['orders of other ids', [orderOf('rithmic-1', { filledAt: at('15:00:00') })], [orderOf('rithmic-2', { filledAt: at('15:00:00') })], 1],
  ])('%s', (_, first, second, rows) => {
    const expected = { warnings: [{ code: 'files-apart', account: 'file:A', files: ['a.csv', 'b.csv'], rows }], doubtful: [{ account: 'file:A', from: '2026-06-10', to: '2026-06-10', reason: 'contradicting-rows' }] }
    expect(apart(['a.csv', first], ['b.csv', second])).toEqual(expected)
    expect(apart(['b.csv', second], ['a.csv', first])).toEqual(expected)
  })

  test('every day of such a row is in doubt, and files of one name are several', () => {
    const rows = (second: string): Reading[] => [fill(`15:00:${second}`, {}, '2026-06-10'), fill(`15:00:${second}`, {}, '2026-06-12')]
    const { warnings, doubtful } = apart(['Export.csv', rows('10')], ['Export.csv', rows('00')])
    expect([warnings, doubtful.map(({ from }) => from)]).toEqual([[{ code: 'files-apart', account: 'file:A', files: ['Export.csv'], rows: 2 }], ['2026-06-10', '2026-06-12']])
  })
})

test.each<[string, readonly Reading[], readonly Reading[]]>([
  ['the same rows', [fill('15:00:10'), fill('15:04:20')], [fill('15:00:10'), fill('15:04:20')]],
  ['a later export with more', [fill('15:00:10'), fill('15:04:20')], [fill('15:00:10'), fill('15:04:20'), fill('15:09:00')]],
  ['a file in which rows are missing', [fill('15:00:10'), fill('15:09:00')], [fill('15:00:10'), fill('15:04:20'), fill('15:09:00')]],
  ['overlapping exports', [fill('15:00:10'), fill('15:04:20')], [fill('15:04:20'), fill('15:09:00')]],
  ['one after the other', [fill('15:00:10'), fill('15:04:20')], [fill('15:04:40'), fill('15:09:00')]],
  ['one fill under two ids, which counts once', [fillOf('csv-x-1', { time: at('15:00:10') })], [fillOf('csv-x-2', { time: at('15:00:10') })]],
  ['trades that closed in one moment, of which one file counts', [trade('15:00:00', '15:04:00')], [trade('15:01:00', '15:04:00')]],
  ["the broker's ids", [fillOf('1', { time: at('15:00:10') }), fillOf('2', { time: at('15:04:20') })], [fillOf('3', { time: at('15:00:00') }), fillOf('4', { time: at('15:04:00') })]],
  ['another platform, whose rows are put together elsewhere', [fill('15:00:10'), fill('15:04:20')], [fillOf('quantower-1', { time: at('15:00:00') }), fillOf('quantower-2', { time: at('15:04:00') })]],
])('files are not apart for %s', (_, first, second) => {
  expect(apart(['a.csv', first], ['b.csv', second])).toEqual({ warnings: [], doubtful: [] })
})

test('files of two accounts are not apart', () => {
  expect(apart(['a.csv', [fill('15:00:10')]], ['b.csv', [fill('15:00:00')], 'B'])).toEqual({ warnings: [], doubtful: [] })
})

test('comparing daily files with one of all their days grows with the rows, not with their square', () => {
  const daysOf = (count: number): (() => void) => {
    const days = Array.from({ length: count }, (_, day) => Array.from({ length: 100 }, (_row, minute) => at('15:00:00') + day * 86_400_000 + minute * 60_000))
    const rowsAt = (times: readonly number[]) => times.map((time) => fillOf(`csv-x-${String(time)}`, { time }))
    const daily = days.map((times, day) => [`${String(day)}.csv`, rowsAt(times)] as const)
    const whole = rowsAt(days.flat().map((time) => time + 1_000))
    return () => void apart(...daily, ['all.csv', whole])
  }
  // Four times the days; with their square it would be sixteen.
  expect(growth(daysOf(100), daysOf(400))).toBeLessThan(12)
})
