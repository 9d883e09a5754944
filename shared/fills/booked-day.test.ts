import { expect, test } from 'vitest'
import { bookedDay } from './booked-day.ts'

/** Noon in New York on Thanksgiving of 2026. */
const thanksgiving = Date.UTC(2026, 10, 26, 17)

test.each([
  ['MESZ6', null, '2026-11-27'],
  ['GCZ6', null, '2026-11-27'],
  // Eurex clears its own day, and of an unknown contract nobody knows.
  ['FDAXZ6', null, '2026-11-26'],
  ['WHATZ6', null, '2026-11-26'],
  // The broker has the last word.
  ['MESZ6', '2026-11-26', '2026-11-26'],
])('a fill of %s on a holiday, which the broker books on %s, counts on %s', (contract, tradeDate, day) => expect(bookedDay({ contract, time: thanksgiving, tradeDate })).toBe(day))

test('a fill of any other day counts in the session of its time', () => expect(bookedDay({ contract: 'MESZ6', time: thanksgiving - 86_400_000, tradeDate: null })).toBe('2026-11-25'))
