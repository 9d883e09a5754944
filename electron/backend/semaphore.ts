import pLimit from 'p-limit'

/** Runs tasks, no more than so many at once; others wait, first come, first served. Whoever leaves while waiting is rejected at once with the reason of `gone`, and the task never begins; one that began ends by itself. */
export type Semaphore = <T>(gone: AbortSignal, task: () => Promise<T>) => Promise<T>

/** Begins with no task. */
export const createSemaphore = (most: number): Semaphore => {
  const limit = pLimit(most)
  return async (gone, task) => {
    gone.throwIfAborted()
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(gone.reason as Error)
    gone.addEventListener('abort', leave, { once: true })
    const done = limit(() => {
      gone.throwIfAborted()
      gone.removeEventListener('abort', leave)
      return task()
    })
    return Promise.race([left.promise, done])
  }
}
