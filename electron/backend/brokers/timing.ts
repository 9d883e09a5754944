import { setTimeout } from 'node:timers/promises'

/** The client's clock, injectable for tests and the demo. */
export type Timing = {
  /** UTC milliseconds. */
  readonly now: () => number
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** In [0, 1); spreads retries of many clients. */
  readonly random: () => number
}

/** The machine's own clock. */
export const systemTiming: Timing = {
  now: Date.now,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  random: Math.random,
}

/** Sleeps `ms` milliseconds; false as soon as the signal aborts. */
export const slept = async (timing: Timing, ms: number, signal: AbortSignal | undefined): Promise<boolean> => {
  try {
    await timing.sleep(ms, signal)
    return true
  } catch (error) {
    if (signal?.aborted) return false
    throw error
  }
}
