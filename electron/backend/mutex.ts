/** Runs tasks with the same key one after another, in the order in which they came and however those before ended. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Begins with no task; where none of its key runs a task begins at once. */
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
