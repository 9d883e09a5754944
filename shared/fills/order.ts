import type { Fill } from './fill.ts'

/**
 * Orders broker ids: numbers by their value, whatever their length (they exceed 2^32), before all other ids, which
 * go by their characters.
 */
export const compareFillIds = (one: string, other: string): number => {
  const oneNumber = numeric(one)
  const otherNumber = numeric(other)
  if (oneNumber !== null && otherNumber !== null) {
    const byValue = oneNumber.length - otherNumber.length || compareText(oneNumber, otherNumber)
    return byValue || compareText(one, other)
  }
  if (oneNumber !== null) return -1
  return otherNumber !== null ? 1 : compareText(one, other)
}

/** The order of matching: by time, then by id, for fills of one order often share a millisecond. */
export const compareFills = (one: Pick<Fill, 'id' | 'time'>, other: Pick<Fill, 'id' | 'time'>): number => one.time - other.time || compareFillIds(one.id, other.id)

const numeric = (id: string): string | null => (/^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : null)

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
