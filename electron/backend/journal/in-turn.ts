/** Runs pieces of work of one name one after the other, in the order they came; others do not wait. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A queue for each name. */
export const createInTurn = (): InTurn => {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const before = last.get(name)
    const done = before === undefined ? work() : before.then(work)
    const ended = done.then(
      () => undefined,
      () => undefined,
    )
    last.set(name, ended)
    void ended.then(() => {
      if (last.get(name) === ended) last.delete(name)
    })
    return done
  }
}
