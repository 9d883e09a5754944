import type { Pushed } from '#shared/api/sync.ts'

type Listener = { readonly userId: string; readonly sessionId: string; readonly hear: (event: Pushed) => void }

/** What happens, told to every open page of the user whom it concerns. */
export type Events = {
  readonly push: (userId: string, event: Pushed) => void
  /** Gives back the function that ends it. */
  readonly listen: (listener: Listener) => () => void
  /** Hears all that is told to whomever, whether a page is open or not. */
  readonly watch: (hear: (userId: string, event: Pushed) => void) => void
  /** Tells the pages of one session that its user signed out. */
  readonly signedOut: (sessionId: string) => void
  /** Tells every page of a user the same. */
  readonly signedOutEverywhere: (userId: string) => void
}

/** A switchboard without listeners. */
export const createEvents = (): Events => {
  const listeners = new Set<Listener>()
  const watching: ((userId: string, event: Pushed) => void)[] = []
  const tell = (event: Pushed, wanted: (listener: Listener) => boolean): void => {
    for (const listener of [...listeners]) if (wanted(listener)) listener.hear(event)
  }
  return {
    push: (userId, event) => {
      tell(event, (listener) => listener.userId === userId)
      for (const hear of watching) hear(userId, event)
    },
    watch: (hear) => void watching.push(hear),
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    signedOut: (sessionId) => tell({ type: 'signed-out' }, (listener) => listener.sessionId === sessionId),
    signedOutEverywhere: (userId) => tell({ type: 'signed-out' }, (listener) => listener.userId === userId),
  }
}
