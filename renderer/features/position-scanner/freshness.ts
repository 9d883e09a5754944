// A price that is not older counts as fresh.
const freshForMs = 5_000
const oldAfterMs = 30_000

/** After this long without news from the program nothing on the screen is reliable; milliseconds. */
export const silentAfterMs = 10_000

/** The displayed age, in milliseconds: whole seconds below a minute, then whole minutes, so that it rarely changes. */
export const wholeAgeMs = (at: number, now: number): number => {
  const age = Math.max(0, now - at)
  const step = age < 60_000 ? 1_000 : 60_000
  return Math.floor(age / step) * step
}

/** The age of a price to display; null while it is fresh. */
export const priceAgeMs = (at: number, now: number): number | null => (now - at <= freshForMs ? null : wholeAgeMs(at, now))

/** Whether this age counts as old. */
export const isOld = (ageMs: number | null): boolean => ageMs !== null && ageMs >= oldAfterMs
