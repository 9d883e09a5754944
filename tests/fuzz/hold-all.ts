import { test } from 'vitest'

/** What holds whatever comes, tried with so many cases. */
type Law = (numRuns: number) => Promise<void> | void

/** Makes each law a test of some cases, and one of thousands for the long run. */
export const holdAll = (laws: Readonly<Record<string, Law>>, { some = 80, many = 2_000 } = {}): void => {
  for (const [name, hold] of Object.entries(laws)) {
    test(name, () => hold(some))
    test(`${name}; and so in ${String(many)} cases`, { tags: 'long' }, () => hold(many))
  }
}
