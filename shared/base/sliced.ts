/** A long computation in slices: between two of them its caller can run other work. */
export type Sliced<T> = Generator<void, T, void>

/** Runs a sliced computation to its end at once. */
export const runUnsliced = <T>(work: Sliced<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
