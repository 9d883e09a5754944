import type { Pushed } from '#shared/api/sync.ts'

type Listener = { readonly userId: string; readonly sessionId: string; readonly receive: (event: Pushed) => void }

/** Whether the change happened on this computer, or came from the cloud. */
type From = 'here' | 'cloud'
type Watcher = (userId: string, event: Pushed, from: From) => void

/** Pushes events to every open page of the user they concern. */
export type Events = ReturnType<typeof createEvents>

export const createEvents = () => {
  const listeners = new Set<Listener>()
  const watching: Watcher[] = []
  const deliver = (event: Pushed, wanted: (listener: Listener) => boolean): void => {
    for (const listener of [...listeners]) if (wanted(listener)) listener.receive(event)
  }
  return {
    push: (userId: string, event: Pushed, from: From = 'here'): void => {
      deliver(event, (listener) => listener.userId === userId)
      for (const watcher of watching) watcher(userId, event, from)
    },
    /** Receives every event of every user, whether a page is open or not. */
    watch: (watcher: Watcher): void => void watching.push(watcher),
    /** Returns a function that unsubscribes. */
    listen: (listener: Listener): () => void => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Tells the pages of one session that the user signed out. */
    signedOut: (sessionId: string): void => deliver({ type: 'signed-out' }, (listener) => listener.sessionId === sessionId),
    /** Tells all pages of a user that they signed out. */
    signedOutEverywhere: (userId: string): void => deliver({ type: 'signed-out' }, (listener) => listener.userId === userId),
  }
}
