import { compareText } from '#shared/base/compare-text.ts'
import type { Fill } from './fill.ts'

/**
 * Orders broker ids: numbers by value, whatever their length (they exceed 2^32), then the parts that a platform makes
 * of one, `303363433426_1`, by their count; all other ids follow, by their characters.
 */
export const compareFillIds = (one: string, other: string): number => {
  const oneNumber = numeric(one)
  const otherNumber = numeric(other)
  if (oneNumber !== null && otherNumber !== null) return compareNumbers(oneNumber.whole, otherNumber.whole) || compareNumbers(oneNumber.part, otherNumber.part) || compareText(one, other)
  if (oneNumber !== null) return -1
  return otherNumber !== null ? 1 : compareText(one, other)
}

/** The order of matching: by time, then by id, because fills of one order often share a millisecond. */
export const compareFills = (one: Pick<Fill, 'id' | 'time'>, other: Pick<Fill, 'id' | 'time'>): number => one.time - other.time || compareFillIds(one.id, other.id)

const numeric = (id: string): { readonly whole: string; readonly part: string } | null => {
  const [, whole, part = ''] = /^0*(\d+?)(?:_0*(\d+))?$/.exec(id) ?? []
  return whole === undefined ? null : { whole, part }
}

/** Orders whole numbers without leading zeros by value, whatever their length. */
export const compareNumbers = (one: string, other: string): number => one.length - other.length || compareText(one, other)
