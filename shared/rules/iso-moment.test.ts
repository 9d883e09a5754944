import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoMoment } from './iso-moment.ts'

it('formats a time like toISOString', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (time) => void expect(isoMoment(time)).toBe(new Date(time).toISOString())))
})
