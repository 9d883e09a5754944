import { setTimeout as pause } from 'node:timers/promises'

/** Polls until there is a value, and returns it; throws after `patienceMs`, naming what it waited for. */
export const until = async <T>(look: () => Promise<T | null | undefined> | T | null | undefined, what: string, patienceMs = 60_000): Promise<T> => {
  const givenUpAt = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    if (performance.now() > givenUpAt) throw new Error(`Waited in vain for ${what}`)
    await pause(25)
  }
}
