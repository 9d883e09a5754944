// A price that is not older looks fresh.
const freshForMs = 5_000
const oldAfterMs = 30_000

/** After so long without a word from the program nothing on the screen is to be trusted; milliseconds. */
export const silentAfterMs = 10_000

/** How old something is to be called, in milliseconds: whole seconds below a minute, then whole minutes, so that what shows it seldom changes. */
export const wholeAgeMs = (at: number, now: number): number => {
  const age = Math.max(0, now - at)
  const step = age < 60_000 ? 1_000 : 60_000
  return Math.floor(age / step) * step
}

/** The age of a price that has to be said; null while it is fresh. */
export const priceAgeMs = (at: number, now: number): number | null => (now - at <= freshForMs ? null : wholeAgeMs(at, now))

/** Whether something that has this age is to be called old. */
export const isOld = (ageMs: number | null): boolean => ageMs !== null && ageMs >= oldAfterMs
