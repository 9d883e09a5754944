/** Numbers from 0 to below 1 that look drawn and are the same for the same seed. */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
