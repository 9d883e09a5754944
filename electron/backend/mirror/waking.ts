import type { Timing } from '../brokers/tradovate/timing.ts'

/** A sleep that can be ended from outside. What wakes before it begins is not lost. */
export const createWaking = (timing: Timing, stop: AbortSignal) => {
  let poked = false
  let wanted = false
  let sleeping: { readonly by: 'any' | 'now-only'; readonly wake: AbortController } | null = null

  return {
    poke: (): void => {
      poked = true
      if (sleeping?.by === 'any') sleeping.wake.abort()
    },
    now: (): void => {
      wanted = true
      sleeping?.wake.abort()
    },
    /** Rests until the time is over, or until it is woken: by a poke too, or `now-only`. */
    rest: async (ms: number, by: 'any' | 'now-only'): Promise<'rested' | 'poked' | 'now'> => {
      const wake = new AbortController()
      sleeping = { by, wake }
      if (wanted || (poked && by === 'any')) wake.abort()
      await timing.sleep(ms, AbortSignal.any([wake.signal, stop])).catch(() => undefined)
      sleeping = null
      const how = wanted ? 'now' : poked && by === 'any' ? 'poked' : 'rested'
      // The turn that follows takes everything along.
      poked = false
      wanted = false
      return how
    },
  }
}
