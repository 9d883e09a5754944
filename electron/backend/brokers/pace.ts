import { sleepUnlessAborted, type Timing } from './timing.ts'

/** Resolves when a request may be sent; false if the caller gave up first. */
export type Pace = (signal: AbortSignal | undefined) => Promise<boolean>

/** Lets at most `limit` requests begin within any `spanMs`, in the order in which they came. */
export const createPace = (timing: Timing, limit: number, spanMs: number): Pace => {
  const sent: number[] = []
  let last: Promise<unknown> = Promise.resolve()

  const mayGo = async (signal: AbortSignal | undefined): Promise<boolean> => {
    for (;;) {
      if (signal?.aborted === true) return false
      const now = timing.now()
      // A clock that was set back must not hold requests up for longer than a span.
      while (sent[0] !== undefined && (sent[0] <= now - spanMs || sent[0] > now)) sent.shift()
      const oldest = sent[0]
      if (oldest === undefined || sent.length < limit) {
        sent.push(now)
        return true
      }
      if (!(await sleepUnlessAborted(timing, oldest + spanMs - now, signal))) return false
    }
  }

  return (signal) => {
    const turn = last.then(() => mayGo(signal))
    last = turn.catch(() => undefined)
    return turn
  }
}
