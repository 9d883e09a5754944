import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stopping } from '#shared/base/stops.ts'

// Others wait for the writer no longer than a commit takes anyway.
const longestMs = 10

/** Runs a long work and lets others have their turn at its stops, where enough time has gone by since the last one. */
export const withTurns = async <T>(work: Stopping<T>): Promise<T> => {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < longestMs) continue
    await nextTurn()
    since = performance.now()
  }
}
