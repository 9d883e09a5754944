import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laterStamp, neverStamped, nextStamp, stampText, type Stamp } from './stamp.ts'

const here = '3fa91c20'
const there = '77aa0001'
const noon = Date.UTC(2026, 10, 21, 12)

describe('stamps', () => {
  it('carry the time where the clock is ahead of all that was seen', () => {
    expect(nextStamp(neverStamped, noon, here)).toBe('001795262400000-00000-3fa91c20')
  })
  it('count on if the clock stops or was set back', () => {
    const first = nextStamp(neverStamped, noon, here)
    expect(nextStamp(first, noon, here)).toBe('001795262400000-00001-3fa91c20')
    expect(nextStamp(first, noon - 86_400_000, here)).toBe('001795262400000-00001-3fa91c20')
  })
  it('go on with the next millisecond where a counter is full', () => {
    expect(nextStamp('001795262400000-99999-3fa91c20' as Stamp, noon, there)).toBe('001795262400001-00000-77aa0001')
  })
  it('are always later than what a device has seen, whatever the clocks say', () => {
    const clocks = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4_000_000_000_000 })), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(clocks, (steps) => {
        let latest = neverStamped
        for (const [isHere, now] of steps) {
          const next = nextStamp(latest, now, isHere ? here : there)
          expect(next > latest).toBe(true)
          expect(laterStamp(latest, next)).toBe(next)
          expect(stampText.parse(next)).toBe(next)
          latest = next
        }
      }),
    )
  })
  it.each(['', '1795262400000-0-3fa91c20', '001795262400000-00000-3FA91C20', '001795262400000-00000-3fa91c20 ', '032503680000000-00000-3fa91c20', '999999999999999-99999-ffffffff'])('%j is none', (text) => {
    expect(stampText.safeParse(text).success).toBe(false)
  })
})
