// @module-tag slow
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasSession, nextTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { sessionGaps, sessionsLookedAt, type SessionRead } from './gaps.ts'

const minute = 60_000
const hour = 60 * minute
const chicago = (text: string): number => Date.parse(`${text}-05:00`)
const read = (text: string): SessionRead => ({ tradingDay: tradingDay(chicago(text)), readUntil: chicago(text), closed: false })
const longAgo = chicago('2026-05-01T12:00')

// The week of Wednesday, 15 July 2026; the clocks of Chicago are five hours behind UTC.
type Row = { title: string; now: string; watchedSince?: number; reads: SessionRead[]; gaps: [day: string, from: string, to: string][] }
const rows: Row[] = [
  { title: 'a week that was read at every close has none', now: '2026-07-15T18:00', watchedSince: chicago('2026-07-13T09:00'), reads: [read('2026-07-13T15:55'), read('2026-07-14T16:02'), read('2026-07-15T16:59:59')], gaps: [] },
  { title: 'a session counts as missed once the broker has cleared its lists', now: '2026-07-15T17:00', watchedSince: chicago('2026-07-14T17:00'), reads: [], gaps: [['2026-07-15', '2026-07-14T17:00', '2026-07-15T16:00']] },
  { title: 'and not a moment earlier', now: '2026-07-15T16:59:59', watchedSince: chicago('2026-07-14T17:00'), reads: [], gaps: [] },
  { title: 'what was read by noon is no part of the gap', now: '2026-07-15T17:00', watchedSince: chicago('2026-07-14T17:00'), reads: [read('2026-07-15T12:00')], gaps: [['2026-07-15', '2026-07-15T12:00', '2026-07-15T16:00']] },
  { title: 'a read just before the last five minutes does not cover them', now: '2026-07-15T17:00', watchedSince: chicago('2026-07-14T17:00'), reads: [read('2026-07-15T15:54:59')], gaps: [['2026-07-15', '2026-07-15T15:54:59', '2026-07-15T16:00']] },
  { title: 'the session in which the account was connected counts from then', now: '2026-07-15T20:00', watchedSince: chicago('2026-07-15T10:00'), reads: [], gaps: [['2026-07-15', '2026-07-15T10:00', '2026-07-15T16:00']] },
  { title: 'a connection after the close misses nothing', now: '2026-07-15T20:00', watchedSince: chicago('2026-07-15T16:10'), reads: [], gaps: [] },
  { title: 'the latest comes first, and one that the user closed is left out', now: '2026-07-15T18:00', watchedSince: chicago('2026-07-10T09:00'), reads: [read('2026-07-10T15:58'), { tradingDay: '2026-07-14', readUntil: null, closed: true }], gaps: [['2026-07-15', '2026-07-14T17:00', '2026-07-15T16:00'], ['2026-07-13', '2026-07-12T17:00', '2026-07-13T16:00']] },
  { title: 'a weekend is none, and Monday begins on Sunday evening', now: '2026-07-13T18:00', watchedSince: chicago('2026-07-10T15:00'), reads: [read('2026-07-10T16:30')], gaps: [['2026-07-13', '2026-07-12T17:00', '2026-07-13T16:00']] },
]

test.each(rows)('$title', ({ now, watchedSince = longAgo, reads, gaps }) => {
  expect(sessionGaps({ watchedSince, reads, now: chicago(now) })).toEqual(gaps.map(([day, from, to]) => ({ tradingDay: day, from: chicago(from), to: chicago(to) })))
})

test('a computer that was off for half a year names the last sixty sessions', () => {
  const gaps = sessionGaps({ watchedSince: chicago('2026-01-01T12:00'), reads: [], now: chicago('2026-07-15T18:00') })
  expect(gaps).toHaveLength(sessionsLookedAt)
  expect(gaps.map(({ tradingDay: day }) => day)).not.toContain('2026-05-23')
})

const somewhere = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) })
const history = fc.record({ watchedSince: somewhere, length: fc.integer({ min: 0, max: 45 * 24 * hour }), reads: fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), late: fc.boolean() }), { maxLength: 60 }) })
  .map(({ watchedSince, length, reads }) => {
    const times = reads.map(({ share, late }) => {
      const time = watchedSince + Math.floor(share * length)
      // Ends of sessions are where the rules are.
      return late ? sessionOf(nextTradingDay(tradingDay(time))).nearlyCloses + Math.floor(share * hour) - 5 * minute : time
    })
    const now = watchedSince + length
    const until = new Map<string, number>()
    for (const time of times.filter((one) => one <= now)) until.set(tradingDay(time), Math.max(time, until.get(tradingDay(time)) ?? 0))
    return { watchedSince, now, reads: [...until].map(([day, readUntil]) => ({ tradingDay: day, readUntil, closed: false })) }
  })

test('every moment of a session is read, before the watch, in the last five minutes after a late read, or in a gap', () => {
  fc.assert(
    fc.property(history, ({ watchedSince, now, reads }) => {
      const gaps = new Map(sessionGaps({ watchedSince, reads, now }).map((gap) => [gap.tradingDay, gap]))
      for (let day = nextTradingDay(tradingDay(watchedSince - 5 * 24 * hour)); sessionOf(day).listedUntil <= now; day = nextTradingDay(day)) {
        const { opens, nearlyCloses, closes } = sessionOf(day)
        const until = Math.max(opens, watchedSince, reads.find((one) => one.tradingDay === day)?.readUntil ?? 0)
        const wasRead = reads.some((one) => one.tradingDay === day && (one.readUntil ?? 0) >= nearlyCloses)
        expect(gaps.get(day), day).toEqual(until < closes && !wasRead ? { tradingDay: day, from: until, to: closes } : undefined)
        gaps.delete(day)
      }
      expect([...gaps.keys()]).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('gaps lie in sessions that are over, in order and apart; reading more never makes one, closing takes away just that one', () => {
  fc.assert(
    fc.property(history, somewhere, ({ watchedSince, now, reads }, extra) => {
      const gaps = sessionGaps({ watchedSince, reads, now })
      for (const [index, { tradingDay: day, from, to }] of gaps.entries()) {
        expect(hasSession(day) && from < to && from >= watchedSince && sessionOf(day).listedUntil <= now).toBe(true)
        expect(to <= (gaps[index - 1]?.from ?? Infinity)).toBe(true)
      }
      const day = tradingDay(extra)
      const others = reads.filter((one) => one.tradingDay !== day)
      const known = reads.find((one) => one.tradingDay === day)?.readUntil ?? null
      const days = (given: readonly SessionRead[]): string[] => sessionGaps({ watchedSince, reads: given, now }).map((gap) => gap.tradingDay)
      const before = new Set(days(reads))
      expect(days([...others, { tradingDay: day, readUntil: Math.max(extra, known ?? 0), closed: false }]).every((one) => before.has(one))).toBe(true)
      expect(days([...others, { tradingDay: day, readUntil: known, closed: true }])).toEqual(gaps.map((gap) => gap.tradingDay).filter((one) => one !== day))
    }),
    { numRuns: 300 },
  )
})
