import { test } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'

/** A law, checked with so many cases. */
type Law = (numRuns: number) => Promise<void> | void

/** Makes each law a test of a few cases, and one of many more for the long run. */
export const holdAll = (laws: Readonly<Record<string, Law>>, { some = 40, many = casesOf({ nightly: 2_000, long: 2_000, inCi: 60 }) } = {}): void => {
  for (const [name, hold] of Object.entries(laws)) {
    test(name, () => hold(some))
    test(`${name}; and so in ${String(many)} cases`, { tags: 'long' }, () => hold(many))
  }
}
