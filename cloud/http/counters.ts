import type { Store } from 'express-rate-limit'

/**
 * Counts calls by key in memory; a key's count resets `windowMs` after its first call. At most `mostKeys` keys are
 * known: one more drops the key with the oldest window.
 */
export const createCounters = (windowMs: number, mostKeys: number): Store => {
  // In the order in which their windows began.
  const counters = new Map<string, { totalHits: number; readonly resetTime: Date }>()

  const begin = (key: string, now: number): { totalHits: number; readonly resetTime: Date } => {
    const counter = { totalHits: 0, resetTime: new Date(now + windowMs) }
    counters.delete(key)
    counters.set(key, counter)
    for (const [oldest, { resetTime }] of counters) {
      if (counters.size <= mostKeys && resetTime.getTime() > now) break
      counters.delete(oldest)
    }
    return counter
  }

  return {
    localKeys: true,
    get: (key) => counters.get(key),
    increment: (key) => {
      const now = Date.now()
      const known = counters.get(key)
      const counter = known !== undefined && known.resetTime.getTime() > now ? known : begin(key, now)
      counter.totalHits += 1
      return { ...counter }
    },
    decrement: (key) => {
      const counter = counters.get(key)
      if (counter !== undefined && counter.totalHits > 0) counter.totalHits -= 1
    },
    resetKey: (key) => void counters.delete(key),
  }
}
