/** A few places that work has to take and gives back; who comes when all are taken waits, first come, first served. */
export type Places = {
  /** Settles with the function that gives the place back. Rejects once `gone` aborts, with its reason. */
  readonly take: (gone: AbortSignal) => Promise<() => void>
}

/** Begins with all of them free. */
export const createPlaces = (count: number): Places => {
  const waiting: (() => void)[] = []
  let free = count
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  const once = (): (() => void) => {
    let given = false
    return () => {
      if (!given) giveBack()
      given = true
    }
  }
  return {
    take: async (gone) => {
      gone.throwIfAborted()
      if (free > 0) {
        free -= 1
        return once()
      }
      const { promise, resolve, reject } = Promise.withResolvers<undefined>()
      const leave = (): void => {
        waiting.splice(waiting.indexOf(come), 1)
        reject(gone.reason as Error)
      }
      // Whoever has a place gives it back; leaving is then no matter of waiting any more.
      const come = (): void => {
        gone.removeEventListener('abort', leave)
        resolve(undefined)
      }
      waiting.push(come)
      gone.addEventListener('abort', leave, { once: true })
      await promise
      return once()
    },
  }
}
