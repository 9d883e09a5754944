import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centRoundings, centsOf, multiplyToCents, type CentRounding } from './cents.ts'

describe('rounding to cents', () => {
  it.each<[CentRounding, readonly number[]]>([
    ['half-away', [1563, 4688, -1563, -4688, 781, -781]],
    ['half-even', [1562, 4688, -1562, -4688, 781, -781]],
    ['half-up', [1563, 4688, -1562, -4687, 781, -781]],
    ['half-toward-zero', [1562, 4687, -1562, -4687, 781, -781]],
    ['toward-zero', [1562, 4687, -1562, -4687, 781, -781]],
    ['down', [1562, 4687, -1563, -4688, 781, -782]],
  ])('%s', (rounding, cents) => {
    const units = [156_250n, 468_750n, -156_250n, -468_750n, 78_125n, -78_125n]
    expect(units.map((one) => centsOf(one, 1n, rounding))).toEqual(cents.map((one) => one * 100))
  })

  it('leaves an exact amount as it is', () => expect(centsOf(156_250n, 1n, 'exact')).toBe(156_250))

  it('rounds once from the exact value, not from 1/10,000', () => {
    // 0.00499996 is below half a cent, and rounded to 1/10,000 first it would be half a cent.
    expect(multiplyToCents(499_996, 1, 1, 10_000, 'half-away')).toBe(0)
  })

  it('never moves an amount by a cent, and leaves whole cents alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 5000 }), fc.constantFrom(...centRoundings), (units, den, rounding) => {
        const rounded = centsOf(BigInt(units), BigInt(den), rounding)
        expect(Math.abs(rounded * den - units)).toBeLessThan(100 * den)
        if (rounding !== 'exact') expect(rounded % 100).toBe(rounded < 0 ? -0 : 0)
        expect(centsOf(BigInt(units) * 100n, 1n, rounding)).toBe(units * 100)
        expect(multiplyToCents(units, 1, 1, den, rounding)).toBe(rounded)
      }),
    )
  })
})
