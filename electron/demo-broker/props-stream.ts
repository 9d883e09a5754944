import type { Faults } from './faults.ts'
import type { FloorEvent } from './floor-events.ts'
import type { ServerMessage } from './frames.ts'
import { randomFor } from './random.ts'
import type { ShutdownReason } from './socket-faults.ts'

type RowChange = Pick<FloorEvent, 'entityType' | 'eventType' | 'entity'>

/** The way of row changes to one socket, with what goes wrong on it. */
export type PropsStream = {
  readonly tell: (change: RowChange) => void
  /** Tells what was kept back. */
  readonly release: () => void
  /** Forgets what is still to be told. */
  readonly stop: () => void
}

type Parts = {
  readonly faults: Faults
  readonly path: () => string
  readonly send: (message: ServerMessage) => void
  readonly cut: () => void
  readonly silence: () => void
  readonly shutdown: (reason: ShutdownReason) => void
}

/** Tells row changes as `props` events, each struck by the faults that are set when it comes. */
export const openPropsStream = ({ faults, path, send, cut, silence, shutdown }: Parts): PropsStream => {
  let withheld: ServerMessage[] = []
  let gathered: ServerMessage[] = []
  let gathering: NodeJS.Timeout | undefined

  const release = (): void => {
    const told = withheld
    withheld = []
    told.forEach(send)
  }

  const gather = (messages: readonly ServerMessage[], ms: number, seed: number): void => {
    gathered.push(...messages)
    gathering ??= setTimeout(() => {
      const told = shuffled(gathered, `${path()}/${seed}/${gathered.length}`)
      gathering = undefined
      gathered = []
      told.forEach(send)
    }, ms)
  }

  const withhold = (messages: readonly ServerMessage[]): void => {
    // One wait for all that is kept back under the faults of this moment.
    if (withheld.length === 0) faults.lifted().addEventListener('abort', release, { once: true })
    withheld.push(...messages)
  }

  const endsIt = (): boolean => {
    if (faults.take('socket-cut', path()) !== null) cut()
    else if (faults.take('socket-silent', path()) !== null) silence()
    else {
      const fault = faults.take('socket-shutdown', path())
      if (fault === null) return false
      shutdown(fault.reasonCode)
    }
    return true
  }

  return {
    tell: (change) => {
      if (faults.active().length === 0) return gathering === undefined ? send(propsMessage(change)) : void gathered.push(propsMessage(change))
      if (endsIt()) return
      const messages = messagesOf(faults, path(), change)
      if (faults.take('socket-withholds', path()) !== null) return withhold(messages)
      const shuffles = faults.take('socket-shuffles', path())
      if (shuffles !== null) return gather(messages, shuffles.ms, shuffles.seed)
      messages.forEach(send)
    },
    release,
    stop: () => {
      clearTimeout(gathering)
      withheld = []
      gathered = []
    },
  }
}

/** A row change as it is told where nothing goes wrong. */
export const propsMessage = ({ entityType, eventType, entity }: RowChange): ServerMessage =>
  ({ e: 'props', d: { entityType, eventType, entity } })

const messagesOf = (faults: Faults, path: string, change: RowChange): ServerMessage[] => {
  const malformed = faults.take('socket-malformed', path)
  const arrays = faults.take('socket-arrays', path)
  const row = malformed === null ? change.entity : Object.fromEntries(Object.entries(change.entity).filter(([name]) => name !== malformed.field))
  const d = { entityType: change.entityType, eventType: change.eventType, entity: arrays?.of === 'entity' ? [row] : row }
  const message = { e: 'props', d: arrays?.of === 'd' ? [d] : d }
  const before = faults.take('socket-unknown-entity', path) === null ? [] : [UNKNOWN_ENTITY]
  return faults.take('socket-duplicates', path) === null ? [...before, message] : [...before, message, message]
}

const UNKNOWN_ENTITY: ServerMessage = { e: 'props', d: { entityType: 'lunarPhase', eventType: 'Created', entity: { id: 77, phase: 'waning' } } }

const shuffled = <T>(items: readonly T[], key: string): T[] => {
  const random = randomFor(key)
  const left = [...items]
  for (let place = left.length - 1; place > 0; place -= 1) {
    const other = random.whole(0, place)
    const [here, there] = [left[place], left[other]]
    if (here !== undefined && there !== undefined) [left[place], left[other]] = [there, here]
  }
  return left
}
