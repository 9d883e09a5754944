import { expect, test } from 'vitest'
import { lastDue, nextDue, periodFault } from './report-periods.ts'

const utc = (text: string): number => Date.parse(`${text}Z`)
const textOf = ({ period: { from, to }, dueAt }: ReturnType<typeof lastDue>): string => `${from} ${to} ${new Date(dueAt).toISOString().slice(0, 16)}`

test.each([
  // A Wednesday in winter: 16:30 in Chicago is 22:30 UTC.
  ['day', '2026-11-18T22:29', '2026-11-17 2026-11-17 2026-11-17T22:30', '2026-11-18 2026-11-18 2026-11-18T22:30'],
  ['day', '2026-11-18T22:30', '2026-11-18 2026-11-18 2026-11-18T22:30', '2026-11-19 2026-11-19 2026-11-19T22:30'],
  ['day', '2026-11-22T12:00', '2026-11-20 2026-11-20 2026-11-20T22:30', '2026-11-23 2026-11-23 2026-11-23T22:30'],
  // Around the change of clocks of 1 November 2026: 21:30 UTC before, 22:30 after.
  ['day', '2026-11-01T12:00', '2026-10-30 2026-10-30 2026-10-30T21:30', '2026-11-02 2026-11-02 2026-11-02T22:30'],
  // Christmas has no session.
  ['day', '2026-12-25T12:00', '2026-12-24 2026-12-24 2026-12-24T22:30', '2026-12-28 2026-12-28 2026-12-28T22:30'],
  ['week', '2026-11-22T12:00', '2026-11-16 2026-11-20 2026-11-20T22:30', '2026-11-23 2026-11-27 2026-11-27T22:30'],
  ['week', '2026-11-18T12:00', '2026-11-09 2026-11-13 2026-11-13T22:30', '2026-11-16 2026-11-20 2026-11-20T22:30'],
  // Good Friday, 26 March 2027: the week ends on Thursday.
  ['week', '2027-03-25T22:00', '2027-03-22 2027-03-26 2027-03-25T21:30', '2027-03-29 2027-04-02 2027-04-02T21:30'],
  // October 2026 ends on a Saturday, November on a Monday.
  ['month', '2026-10-31T12:00', '2026-10-01 2026-10-31 2026-10-30T21:30', '2026-11-01 2026-11-30 2026-11-30T22:30'],
  ['month', '2026-11-30T22:00', '2026-10-01 2026-10-31 2026-10-30T21:30', '2026-11-01 2026-11-30 2026-11-30T22:30'],
  ['month', '2027-02-26T22:30', '2027-02-01 2027-02-28 2027-02-26T22:30', '2027-03-01 2027-03-31 2027-03-31T21:30'],
] as const)('of a %s at %s', (kind, now, last, next) => {
  expect(textOf(lastDue(kind, utc(now)))).toBe(last)
  expect(textOf(nextDue(kind, utc(now)))).toBe(next)
})

test('every session of years is due once, in order', () => {
  for (const kind of ['day', 'week', 'month'] as const) {
    let at = utc('2026-01-01T00:00')
    let before = lastDue(kind, at)
    for (let count = 0; count < 300; count += 1) {
      const next = nextDue(kind, at)
      expect(next.dueAt).toBeGreaterThan(at)
      expect(next.period.from > before.period.to).toBe(true)
      expect(textOf(lastDue(kind, next.dueAt))).toBe(textOf(next))
      expect(textOf(lastDue(kind, next.dueAt - 1))).toBe(textOf(before))
      before = next
      at = next.dueAt
    }
  }
})

test('a period is one day, at most a week, a whole month, or at most ten years', () => {
  const period = (kind: 'day' | 'week' | 'month' | 'free', from: string, to: string) => periodFault({ kind, from, to })
  for (const [kind, from, to] of [['day', '2026-11-18', '2026-11-18'], ['week', '2026-11-16', '2026-11-20'], ['week', '2026-11-16', '2026-11-22'], ['month', '2026-02-01', '2026-02-28'], ['month', '2028-02-01', '2028-02-29'], ['month', '2026-12-01', '2026-12-31'], ['free', '2020-01-01', '2029-12-31']] as const) expect([kind, to, period(kind, from, to)]).toEqual([kind, to, null])
  for (const [kind, from, to] of [['day', '2020-01-01', '2026-11-18'], ['day', '2026-11-18', '2026-11-19'], ['week', '2026-11-16', '2026-11-23'], ['month', '2026-02-01', '2026-02-27'], ['month', '2026-02-02', '2026-03-01'], ['month', '2026-01-01', '2026-12-31'], ['free', '2010-01-01', '2029-12-31']] as const) expect([kind, to, period(kind, from, to)]).toEqual([kind, to, 'not a period of its kind'])
  for (const kind of ['day', 'week', 'month', 'free'] as const) expect(period(kind, '2026-11-18', '2026-11-17')).toBe('before its beginning')
})
