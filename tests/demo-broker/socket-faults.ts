import type { ServerMessage } from '#demo-broker/frames.ts'
import { noHooks, propsMessage, type ChangeLine, type ChangeSender, type Hooks, type RowChange, type SocketManners } from '#demo-broker/hooks.ts'
import { randomFor } from '#demo-broker/random.ts'
import type { Environment } from '#demo-broker/world.ts'
import type { Faults } from './faults.ts'
import type { Moves, Strikes } from './request-faults.ts'

/** Which sockets are meant: all by default. */
export type WhichSockets = { readonly login?: string | undefined; readonly environment?: Environment | undefined }

type SocketHooks = Pick<Hooks, 'refuseSocket' | 'refuseLogin' | 'refuseSync' | 'changesOn' | 'manners' | 'quoteAccess'>

/** What goes wrong on sockets, with what can be switched by hand. */
export type SocketFaults = {
  readonly hooks: SocketHooks
  /** Whether new connections are answered 503. */
  readonly refuse: (refused: boolean) => void
  /** Changes how sockets behave from now on. */
  readonly behave: (manners: Partial<SocketManners>) => void
  /** Sends the events that a fault kept back. */
  readonly release: (which?: WhichSockets) => void
  /** Whether logins may read prices from now on: a login may authorize, but every symbol is reported as inaccessible. */
  readonly permitQuotes: (allowed: boolean, which?: { readonly login?: string | undefined }) => void
}

type Parts = { readonly faults: Faults; readonly moves: Moves; readonly strikes: Pick<Strikes, 'before'>; readonly manners?: Partial<SocketManners> | undefined }

/** Lets the faults that are set strike sockets. */
export const createSocketFaults = ({ faults, moves, strikes, manners: given }: Parts): SocketFaults => {
  const senders = new Map<ChangeLine, () => void>()
  const denied = new Set<string>()
  let manners: SocketManners = { ...noHooks.manners(), ...given }
  let refused = false
  let allDenied = false

  return {
    hooks: {
      manners: () => manners,
      refuseSync: strikes.before,
      refuseSocket: (path, host) => {
        if (refused || faults.take('socket-unreachable', path) !== null) return '503 Service Unavailable'
        // Whose socket it is shows when it authorizes.
        return moves.elsewhere({ host, path, userId: null }) === null ? null : path === QUOTES_PATH ? '404 Not Found' : '421 Misdirected Request'
      },
      refuseLogin: ({ path, host, standing }) => {
        if (path !== QUOTES_PATH && faults.take('rate-limited', path.replace(/websocket.*$/, 'authorize')) !== null) return { status: 429 }
        const fault = faults.take('socket-refused', path)
        if (path !== QUOTES_PATH && fault?.reasonCode !== undefined) return { shutdown: fault.reasonCode }
        if (standing.kind !== 'good') return null
        if (fault !== null) return { status: 401 }
        return moves.elsewhere({ host, path, userId: standing.userId }) === null ? null : { status: 421 }
      },
      changesOn: (line) => {
        const { release, ...sender } = sendChanges(faults, line)
        senders.set(line, release)
        return { ...sender, stop: () => {
          senders.delete(line)
          sender.stop()
        } }
      },
      quoteAccess: (login, path) => (faults.take('permission-missing', path) !== null ? 'denied' : allDenied || denied.has(login) ? 'inaccessible' : 'granted'),
    },
    refuse: (no) => void (refused = no),
    behave: (change) => void (manners = { ...manners, ...change }),
    release: ({ login, environment } = {}) => {
      for (const [line, release] of senders) if ((login === undefined || line.login() === login) && (environment === undefined || line.environment === environment)) release()
    },
    permitQuotes: (allowed, { login } = {}) => {
      if (login === undefined) allDenied = !allowed
      else if (allowed) denied.delete(login)
      else denied.add(login)
    },
  }
}

const QUOTES_PATH = '/md/v1/websocket'

/** Sends row changes as `props` events, each struck by the faults that are set when it comes. */
const sendChanges = (faults: Faults, { environment, login, send, cut, silence, shutdown }: ChangeLine): ChangeSender & { readonly release: () => void } => {
  const path = (): string => `/${environment}/v1/websocket${login() === null ? '' : `/${login()}`}`
  let withheld: ServerMessage[] = []
  let gathered: ServerMessage[] = []
  let gathering: NodeJS.Timeout | undefined

  const release = (): void => {
    const released = withheld
    withheld = []
    released.forEach(send)
  }

  const gather = (messages: readonly ServerMessage[], ms: number, seed: number): void => {
    gathered.push(...messages)
    gathering ??= setTimeout(() => {
      const mixed = shuffled(gathered, `${path()}/${seed}/${gathered.length}`)
      gathering = undefined
      gathered = []
      mixed.forEach(send)
    }, ms)
  }

  const withhold = (messages: readonly ServerMessage[]): void => {
    // One wait for all that is kept back under the faults of this moment.
    if (withheld.length === 0) faults.lifted().addEventListener('abort', release, { once: true })
    withheld.push(...messages)
  }

  const endsAccount = (): boolean => {
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
    send: (change) => {
      if (faults.active().length === 0) return gathering === undefined ? send(propsMessage(change)) : void gathered.push(propsMessage(change))
      if (endsAccount()) return
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
