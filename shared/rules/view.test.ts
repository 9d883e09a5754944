import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sinceOf } from './view.ts'

it('formats the time of a breach like toISOString', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (at) => void expect(sinceOf({ tradingDay: '2026-03-03', at }).at).toBe(new Date(at).toISOString())))
})
