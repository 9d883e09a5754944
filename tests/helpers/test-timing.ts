/** A clock that moves only by sleeping, with the pauses that were taken, in milliseconds. */
export type TestTiming = {
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly pauses: number[]
  /** Moves the clock on. */
  readonly pass: (ms: number) => void
}

/** Starts at `start`, UTC milliseconds; sleeping takes no time of the machine. */
export const testTiming = (start = Date.UTC(2026, 2, 2, 15)): TestTiming => {
  let time = start
  const pauses: number[] = []
  return {
    now: () => time,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      time += ms
      await Promise.resolve()
    },
    random: () => 0.5,
    pauses,
    pass: (ms) => {
      time += ms
    },
  }
}
