import pLimit from 'p-limit'

/**
 * Runs at most this many tasks at once; others queue in order. A waiting caller whose `gone` aborts is rejected at once
 * with its reason, and its task never starts; a running task finishes on its own.
 */
export type Semaphore = <T>(gone: AbortSignal, task: () => Promise<T>) => Promise<T>

/** Starts without tasks. */
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
