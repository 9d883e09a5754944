import { eventsPath, pushed, type Pushed } from '#shared/api/sync.ts'
import { useEffect, useEffectEvent } from 'react'

type Listener = (event: Pushed) => void

const types = pushed.options.map((option) => option.shape.type.value)
const listeners = new Set<Listener>()

// Pushes are answers: typed here, and parsed in tests. The positions are told several times a second, and parsing them took longer than showing them.
const receive = (message: MessageEvent<string>): void => {
  const event = JSON.parse(message.data) as Pushed
  for (const listener of listeners) listener(event)
}

/** Opens the stream of pushed events for a signed-in user, tells of every (re)connection through `onOpen`, and gives back the function that ends it. */
export const openEvents = (onOpen: () => void): (() => void) => {
  const source = new EventSource(eventsPath)
  source.addEventListener('open', onOpen)
  for (const type of types) source.addEventListener(type, receive)
  return () => {
    source.close()
  }
}

/** Calls `handler` with every pushed event of one type while the component is mounted. */
export const usePushed = <T extends Pushed['type']>(type: T, handler: (event: Extract<Pushed, { type: T }>) => void): void => {
  const handle = useEffectEvent(handler)
  useEffect(() => {
    const listener: Listener = (event) => {
      if (event.type === type) handle(event as Extract<Pushed, { type: T }>)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [type])
}
