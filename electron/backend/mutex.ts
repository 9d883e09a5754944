/** Runs tasks with the same key one after another, in order, whatever the outcome of earlier ones. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Starts without tasks; a task starts immediately if no other of its key runs. */
export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const before = last.get(key)
    const done = before === undefined ? task() : before.then(task)
    const ended = done.then(() => undefined, () => undefined)
    last.set(key, ended)
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    return done
  }
}
