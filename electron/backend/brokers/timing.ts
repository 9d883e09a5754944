import { setTimeout } from 'node:timers/promises'

/** The client's clock, injectable for tests and the demo. */
export type Timing = {
  /** UTC milliseconds. */
  readonly now: () => number
  /** The computer's clock where `now` does not follow it, as in `steadily`. */
  readonly wall?: () => number
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

/**
 * The same clock, but if it is set back, `now` continues at half speed until it has caught up: what waits for a moment waits at most twice as long, not
 * for as long as the clock was set back. Trading days are those of `wallOf`.
 */
export const steadily = (timing: Timing): Timing => {
  let [last, lastUp] = [timing.now(), performance.now()]
  const now = (): number => {
    const up = performance.now()
    last = Math.max(timing.now(), last + (up - lastUp) / 2)
    lastUp = up
    return Math.floor(last)
  }
  return { ...timing, now, wall: timing.now }
}

/** The computer's clock, UTC ms. */
export const wallOf = ({ now, wall = now }: Timing): number => wall()

/** Sleeps `ms` milliseconds; false as soon as the signal aborts. */
export const sleepUnlessAborted = async (timing: Timing, ms: number, signal: AbortSignal | undefined): Promise<boolean> => {
  try {
    await timing.sleep(ms, signal)
    return true
  } catch (error) {
    if (signal?.aborted) return false
    throw error
  }
}
