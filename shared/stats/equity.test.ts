import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { drawdowns } from './equity.ts'
import { thinCurve } from './thin-curve.ts'

const curveOf = (values: readonly number[]) => values.map((value, at) => ({ at, cumulative: amountOf(value) }))
const fallsOf = (values: readonly number[]) => drawdowns(curveOf(values), ({ at }) => at)

describe('drawdowns of a curve', () => {
  it('start at the last point at the high, and recover when it is reached again', () => {
    expect(fallsOf([50, 100, 100, 30, 60, 100, 90])).toEqual({
      deepest: { depth: 70, start: 2, bottom: 3, recovery: 5 },
      present: { depth: 10, start: 5, bottom: 6, recovery: null, below: 10 },
    })
  })

  it('pick the earliest of equal depth, and the first of several bottoms', () => {
    expect(fallsOf([100, 40, 40, 120, 60, 130]).deepest).toEqual({ depth: 60, start: 0, bottom: 1, recovery: 3 })
  })

  it('may be deepest while still open, and have risen since', () => {
    const now = { depth: 90, start: 1, bottom: 2, recovery: null }
    expect(fallsOf([80, 100, 10, 40])).toEqual({ deepest: now, present: { ...now, below: 60 } })
  })

  it('start at zero if there was no high', () => {
    expect(fallsOf([-20, -50, 0]).deepest).toEqual({ depth: 50, start: null, bottom: 1, recovery: 2 })
    expect(fallsOf([])).toEqual({ deepest: null, present: null })
    expect(fallsOf([10, 20, 20])).toEqual({ deepest: null, present: null })
  })
})

describe('a thinned curve', () => {
  it('is the curve itself if that is short', () => {
    const curve = curveOf([1, 2, 3, 4])
    expect(thinCurve(curve, 4)).toBe(curve)
  })

  it('keeps the ends, and the high and low of each stretch', () => {
    expect(thinCurve(curveOf([0, 5, 1, 9, 2, -3, 4, 4, 6]), 6).map(({ cumulative }) => cumulative)).toEqual([0, 1, 9, -3, 4, 6])
  })

  it('has few enough points, in order, with the extremes of the whole curve', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (values, most) => {
        const thin = thinCurve(curveOf(values), most)
        expect(thin.length).toBeLessThanOrEqual(most)
        expect(thin.map(({ at }) => at)).toEqual([...new Set(thin.map(({ at }) => at))].toSorted((one, other) => one - other))
        const kept = thin.map(({ cumulative }) => Number(cumulative))
        expect([Math.max(...kept), Math.min(...kept), thin[0]?.at, thin.at(-1)?.at]).toEqual([Math.max(...values), Math.min(...values), 0, values.length - 1])
      }),
    )
  })
})
