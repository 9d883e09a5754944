import type { Pushed } from '#shared/api/sync.ts'

type Listener = { readonly userId: string; readonly sessionId: string; readonly hear: (event: Pushed) => void }

/** Whether the change happened on this computer, or came from the cloud. */
type From = 'here' | 'cloud'
type Watcher = (userId: string, event: Pushed, from: From) => void

/** Pushes events to every open page of the user they concern. */
export type Events = ReturnType<typeof createEvents>

export const createEvents = () => {
  const listeners = new Set<Listener>()
  const watching: Watcher[] = []
  const tell = (event: Pushed, wanted: (listener: Listener) => boolean): void => {
    for (const listener of [...listeners]) if (wanted(listener)) listener.hear(event)
  }
  return {
    push: (userId: string, event: Pushed, from: From = 'here'): void => {
      tell(event, (listener) => listener.userId === userId)
      for (const hear of watching) hear(userId, event, from)
    },
    /** Receives every event of every user, whether a page is open or not. */
    watch: (hear: Watcher): void => void watching.push(hear),
    /** Returns a function that unsubscribes. */
    listen: (listener: Listener): () => void => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Tells the pages of one session that the user signed out. */
    signedOut: (sessionId: string): void => tell({ type: 'signed-out' }, (listener) => listener.sessionId === sessionId),
    /** Tells all pages of a user that they signed out. */
    signedOutEverywhere: (userId: string): void => tell({ type: 'signed-out' }, (listener) => listener.userId === userId),
  }
}
