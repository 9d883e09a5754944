import type { Environment } from './world.ts'
import type { Row } from './contract-library.ts'

/** One row that came, changed or went, as the socket tells it to the logins that see its account. */
export type FloorEvent = {
  readonly environment: Environment
  /** The logins that see it. */
  readonly userIds: readonly number[]
  /** `order`, `fill`, `position` …, as in the paths of the lists. */
  readonly entityType: string
  readonly eventType: 'Created' | 'Updated' | 'Deleted'
  readonly entity: Row
}

/** Hears of every change, in the order in which it happens. */
export type FloorListener = (event: FloorEvent) => void

/** A board on which the floor calls out what happens, and to which anybody may listen. */
export const openBoard = () => {
  const listeners = new Set<FloorListener>()
  return {
    tell: (event: FloorEvent): void => {
      for (const listener of listeners) listener(event)
    },
    /** Listens until the answer is called. */
    listen: (listener: FloorListener): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
