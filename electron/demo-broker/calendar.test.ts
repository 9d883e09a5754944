import { describe, expect, it } from 'vitest'
import { lastCompleteSession } from '#tests/demo-broker/last-complete-session.ts'
import { chicagoTime, sessionAt, sessionOpen, sessionsUpTo } from './calendar.ts'

const at = (iso: string): number => Date.parse(iso)

describe('the trading day', () => {
  it('rolls at 17:00 Chicago, in winter and in summer', () => {
    expect(sessionAt(at('2026-11-19T22:59:59.999Z'))).toBe('2026-11-19')
    expect(sessionAt(at('2026-11-19T23:00:00.000Z'))).toBe('2026-11-20')
    expect(sessionAt(at('2026-07-15T21:59:59.999Z'))).toBe('2026-07-15')
    expect(sessionAt(at('2026-07-15T22:00:00.000Z'))).toBe('2026-07-16')
  })

  it('gives the weekend to Monday', () => {
    expect(sessionAt(at('2026-11-20T23:00:00Z'))).toBe('2026-11-23')
    expect(sessionAt(at('2026-11-21T12:00:00Z'))).toBe('2026-11-23')
    expect(sessionAt(at('2026-11-22T23:30:00Z'))).toBe('2026-11-23')
  })

  it('opens on the evening before by Chicago clocks, on both sides of the clock change', () => {
    expect(sessionOpen('2026-10-30')).toBe(at('2026-10-29T22:00:00Z'))
    expect(sessionOpen('2026-11-02')).toBe(at('2026-11-01T23:00:00Z'))
    expect(chicagoTime('2026-03-09', 9 * 60)).toBe(at('2026-03-09T14:00:00Z'))
    expect(chicagoTime('2026-03-06', 9 * 60)).toBe(at('2026-03-06T15:00:00Z'))
  })

  it('counts weekdays only', () => {
    expect(sessionsUpTo('2026-11-23', 4)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23'])
  })

  it('is complete at 15:55 Chicago', () => {
    expect(lastCompleteSession(at('2026-11-20T21:54:59Z'))).toBe('2026-11-19')
    expect(lastCompleteSession(at('2026-11-20T21:55:00Z'))).toBe('2026-11-20')
    expect(lastCompleteSession(at('2026-11-23T12:00:00Z'))).toBe('2026-11-20')
  })
})

it('the hours on either side of a change of the clocks are their own', () => {
  // 08:00 UTC on 8 March, and 07:00 UTC on 1 November.
  expect([60, 119, 180, 240].map((minute) => chicagoTime('2026-03-08', minute))).toEqual([Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 2, 8, 7, 59), Date.UTC(2026, 2, 8, 8), Date.UTC(2026, 2, 8, 9)])
  expect([0, 59, 120, 180].map((minute) => chicagoTime('2026-11-01', minute))).toEqual([Date.UTC(2026, 10, 1, 5), Date.UTC(2026, 10, 1, 5, 59), Date.UTC(2026, 10, 1, 8), Date.UTC(2026, 10, 1, 9)])
})
