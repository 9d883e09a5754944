/** A long work that stops now and then, so that whoever runs it can let others have their turn. */
export type Stopping<T> = Generator<void, T, void>

/** Runs such a work to its end without a pause. */
export const withoutStops = <T>(work: Stopping<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
