/** A long computation that pauses regularly, so that its caller can run other work. */
export type Stopping<T> = Generator<void, T, void>

/** Runs such a computation to its end without pausing. */
export const withoutStops = <T>(work: Stopping<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
