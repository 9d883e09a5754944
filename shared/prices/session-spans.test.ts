import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionSpans } from './session-spans.ts'

const us = (iso: string): number => Date.parse(iso) * 1000
const iso = (moment: number): string => new Date(moment / 1000).toISOString().slice(0, 16)
const far = us('2027-01-01T00:00Z')
const shown = (spans: Parameters<typeof sessionSpans>[0], now = far) => sessionSpans(spans, now).map(({ core, span }) => [iso(core.from), iso(core.to), iso(span.from), iso(span.to)])

test('the trades of a session are one span with a margin, and the newest session comes first', () => {
  const morning = { from: us('2026-10-06T14:30Z'), to: us('2026-10-06T14:40Z') }
  const noon = { from: us('2026-10-06T17:00Z'), to: us('2026-10-06T18:00Z') }
  const dayAfter = { from: us('2026-10-07T15:00Z'), to: us('2026-10-07T15:05Z') }
  expect(shown([morning, noon, dayAfter])).toEqual([
    ['2026-10-07T15:00', '2026-10-07T15:05', '2026-10-07T14:45', '2026-10-07T15:20'],
    ['2026-10-06T14:30', '2026-10-06T18:00', '2026-10-06T14:15', '2026-10-06T18:15'],
  ])
})

test('the margin ends with the session and with the present', () => {
  // The session of Tuesday runs from Monday 22:00 UTC to Tuesday 21:00 UTC.
  expect(shown([{ from: us('2026-10-05T22:05Z'), to: us('2026-10-06T20:55Z') }])).toEqual([['2026-10-05T22:05', '2026-10-06T20:55', '2026-10-05T22:00', '2026-10-06T21:00']])
  expect(shown([{ from: us('2026-10-06T15:00Z'), to: us('2026-10-06T15:05Z') }], us('2026-10-06T15:10Z'))).toEqual([['2026-10-06T15:00', '2026-10-06T15:05', '2026-10-06T14:45', '2026-10-06T15:10']])
})

test('a position over a weekend needs both sessions whole, and none of the days between', () => {
  expect(shown([{ from: us('2026-10-09T20:00Z'), to: us('2026-10-12T15:00Z') }])).toEqual([
    ['2026-10-11T22:00', '2026-10-12T15:00', '2026-10-11T22:00', '2026-10-12T15:15'],
    ['2026-10-09T20:00', '2026-10-09T21:00', '2026-10-09T19:45', '2026-10-09T21:00'],
  ])
})

test('every fill lies in a span, each span holds its core, and no two are of one session', () => {
  const week = fc.integer({ min: us('2026-10-04T00:00Z'), max: us('2026-11-15T00:00Z') })
  fc.assert(
    fc.property(fc.array(fc.tuple(week, fc.integer({ min: 1, max: 4 * 86_400_000_000 })), { minLength: 1, maxLength: 20 }), (made) => {
      const spans = made.map(([from, length]) => ({ from, to: from + length }))
      const found = sessionSpans(spans, far)
      for (const { core, span } of found) expect([span.from <= core.from, core.from < core.to, core.to <= span.to]).toEqual([true, true, true])
      for (const [index, { span }] of found.entries()) expect(span.from).toBeGreaterThanOrEqual(found[index + 1]?.core.to ?? -Infinity)
      for (const { from, to } of spans) for (const moment of [from, to - 1]) expect(found.some(({ core }) => core.from <= moment && moment < core.to)).toBe(true)
    }),
  )
})
