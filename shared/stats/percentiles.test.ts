import { describe, expect, it } from 'vitest'
import { nearestRanks } from './percentiles.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => count - index)

describe('percentiles by nearest rank', () => {
  it('are null without values', () => expect(nearestRanks([])).toBeNull())
  it('are the value itself for one value', () => expect(nearestRanks([2.5])).toEqual({ count: 1, p50: 2.5, p95: 2.5, p99: 2.5 }))
  it('are actual values, in any order', () => {
    expect(nearestRanks(upTo(100))).toEqual({ count: 100, p50: 50, p95: 95, p99: 99 })
    expect(nearestRanks(upTo(7))).toEqual({ count: 7, p50: 4, p95: 7, p99: 7 })
    expect(nearestRanks(upTo(200))).toEqual({ count: 200, p50: 100, p95: 190, p99: 198 })
  })
  it('are rounded to a thousandth', () => expect(nearestRanks([1.23456])?.p50).toBe(1.235))
})
