import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Call } from '#demo-broker/answers.ts'
import { startDemoBroker, type DemoBroker, type DemoBrokerOptions, type Inside } from '#demo-broker/broker.ts'
import type { ExchangeFloor } from '#demo-broker/floor.ts'
import { ACCESS_SECONDS } from '#demo-broker/grants.ts'
import type { Hooks, NoAnswer, SeenRequest, SocketManners } from '#demo-broker/hooks.ts'
import type { Archive } from '#demo-broker/reports.ts'
import { DEFAULT_SEED } from '#demo-broker/seeded-world.ts'
import type { World } from '#demo-broker/world.ts'
import { answerControl } from './controls.ts'
import { createFaults, orderFaults, purposes, type Faults, type Purpose } from './faults.ts'
import { floorWorld, type FloorScenario } from './floor-world.ts'
import { strikeGrants } from './grant-faults.ts'
import { handOn, orderOf, stateOfFloor, type FloorAccount, type FloorOrder, type Hand } from './hand.ts'
import { answerOfDesk, createMoves, createStrikes } from './request-faults.ts'
import { createSocketFaults } from './socket-faults.ts'
import { handOnQuotes, handOnSockets, type Quotes, type Sockets } from './socket-hand.ts'
import { volumeWorld } from './volume-world.ts'

/** What the stand-in serves: the seeded story, one session of many fills for measuring, or accounts for live orders. */
type Scenario =
  | { readonly kind: 'seeded'; readonly dollarsOnly?: boolean }
  | { readonly kind: 'volume'; readonly fills: number; readonly accounts: number; readonly contracts: number }
  | FloorScenario

/** How to start the stand-in with faults and controls. */
export type TestBrokerOptions = Omit<DemoBrokerOptions, 'dollarsOnly' | 'world' | 'hooks'> & {
  readonly scenario?: Scenario
  /** How its sockets behave at first. */
  readonly sockets?: Partial<SocketManners>
}

/** A running stand-in with everything that can be done to it. */
export type TestBroker = DemoBroker & {
  /** Opens `/_demo/...` as a bearer token. */
  readonly controlToken: string
  readonly faults: Faults
  /** Where live orders meet the market. */
  readonly floor: ExchangeFloor & {
    readonly state: () => readonly FloorAccount[]
    /** A live order, or null where there is none of that id. */
    readonly order: (orderId: number) => FloorOrder | null
  }
  /** Somebody who trades by hand, sets prices and restricts accounts. */
  readonly hand: Hand
  /** All that happened up to the market's clock, half a year before the walk included: the truth behind the reports. */
  readonly archive: () => Promise<Archive>
  /** Gives an account another name, as a firm does when an evaluation is passed. */
  readonly rename: (accountId: number, name: string) => void
  readonly sessions: {
    /** How many sessions of the login are open. */
    readonly open: (login: string) => number
    /** Kills the access tokens of the login; its refresh tokens live on. */
    readonly killAccess: (login: string) => void
    /** Kills every token of the login, as when its user withdraws the consent. */
    readonly revoke: (login: string) => void
    /** Closes the login's sessions as a third one elsewhere does: their tokens answer with `status` from now on. */
    readonly pushOut: (login: string, status: 408 | 429 | 500) => void
  }
  /** Listens at one more host for each purpose, for an organization that moves there. */
  readonly openHosts: () => Promise<Readonly<Record<Purpose, string>>>
  /** The WebSockets that are open, but for those of prices. */
  readonly sockets: Sockets
  /** Prices, and the sockets that send them. */
  readonly quotes: Quotes
  /** The requests since the start or the last clearing. */
  readonly traffic: { readonly seen: () => readonly SeenRequest[]; readonly clear: () => void }
}

const TRAFFIC_KEPT = 50_000

/** Starts a stand-in on loopback with faults and controls plugged in; rejects where the port is taken. */
export const startTestBroker = async ({ scenario = { kind: 'seeded' }, sockets: manners, ...options }: TestBrokerOptions): Promise<TestBroker> => {
  const { wallNow = Date.now, clientId = 'fillbook-demo', clientSecret = randomUUID() } = options
  const controlToken = randomUUID()
  const faults = createFaults()
  const traffic = trafficLog()
  const stopping = new AbortController()
  const later = (ms: number, act: () => void): void => void pause(ms, undefined, { signal: stopping.signal }).then(act, () => undefined)
  // Nobody calls before there is a port to call at.
  const inside = (): Inside => demo.inside
  const grants = (): Inside['grants'] => inside().grants
  const accountOf = (body: Call['body']): number | null => inside().floor.accountOf(body)
  const moves = createMoves({ faults, logins: () => inside().world.logins, port: () => demo.port })
  const strikes = createStrikes({ faults, grants, moves, wallNow, accountOf })
  const deskAnswer = answerOfDesk({ faults, grants, moves, client: { id: clientId, secret: clientSecret } })
  const socketFaults = createSocketFaults({ faults, moves, strikes, manners })

  const handle = async (call: Call, answer: () => Promise<Answer>): Promise<Answer | NoAnswer> => {
    if (call.path.startsWith('/_demo/')) return answerControl(broker, call)
    if (call.environment === null) return answer()
    const slow = faults.take('slow', call.path, accountOf(call.body))
    // What is slow no more is answered at once.
    if (slow !== null) await pause(slow.ms, undefined, { signal: AbortSignal.any([stopping.signal, faults.lifted()]) }).catch(() => stopping.signal.throwIfAborted())
    const struck = strikes.before(call)
    if (struck !== null) return struck
    const late = strikes.putOff(call)
    if (late === null) return strikes.after(call, await deskAnswer(call, answer))
    later(late, () => void deskAnswer(call, answer))
    return 'cut'
  }
  const hooks: Hooks = {
    ...orderFaults({ faults, later }),
    ...socketFaults.hooks,
    handle,
    saw: traffic.saw,
    issue: ({ path }, isRenewal) => ({ seconds: faults.take('short-lived', path)?.seconds ?? ACCESS_SECONDS, withRefresh: isRenewal || faults.take('no-refresh-token', path) === null }),
  }
  const demo = await startDemoBroker({ ...options, clientId, clientSecret, hooks, ...worldOf(options, scenario) })
  const { world, books, floor, reports, listening } = demo.inside
  const hand = handOn({ books, floor, clock: demo.clock })
  if (scenario.kind === 'volume') makeLists(demo.inside)
  const broker: TestBroker = {
    ...demo, controlToken, faults, hand, traffic,
    floor: { ...floor, state: () => stateOfFloor({ books, floor }), order: (orderId) => orderOf(floor, orderId) },
    archive: reports.archive,
    rename: (accountId, name) => {
      Object.assign(world.accounts.find(({ id }) => id === accountId) ?? {}, { name })
      books.changed()
    },
    sessions: sessionsOf(demo.inside),
    openHosts: async () => Object.fromEntries(await Promise.all(purposes.map(async (purpose) => [purpose, `127.0.0.1:${await listening.more()}`]))) as Record<Purpose, string>,
    sockets: handOnSockets(demo.inside, socketFaults),
    quotes: handOnQuotes(demo.inside, socketFaults),
    stop: () => {
      stopping.abort()
      return demo.stop()
    },
  }
  return broker
}

const worldOf = ({ seed = DEFAULT_SEED, anchor }: Pick<TestBrokerOptions, 'seed' | 'anchor'>, scenario: Scenario): { readonly world: World } | { readonly dollarsOnly: boolean } => {
  switch (scenario.kind) {
    case 'seeded':
      return { dollarsOnly: scenario.dollarsOnly ?? false }
    case 'volume':
      return { world: volumeWorld(seed, anchor, scenario) }
    case 'floor':
      return { world: floorWorld(anchor, scenario) }
  }
}

/** Makes the long lists before they are asked for, so that a measurement does not count it. */
const makeLists = ({ world, views }: Inside): void => {
  for (const { userId } of world.logins) {
    for (const entity of ['fill', 'order', 'fillFee', 'fillPair']) views.of(userId, 'demo')?.listBytes(entity)
  }
}

const trafficLog = () => {
  let seen: SeenRequest[] = []
  return {
    saw: (request: SeenRequest): void => {
      if (seen.length < TRAFFIC_KEPT) seen.push(request)
    },
    seen: (): readonly SeenRequest[] => seen,
    clear: (): void => void (seen = []),
  }
}

const sessionsOf = ({ grants, world }: Inside): TestBroker['sessions'] => {
  const userOf = (name: string): number => {
    const login = world.logins.find((each) => each.name === name)
    if (login === undefined) throw new RangeError(`The stand-in has no login ${name}`)
    return login.userId
  }
  const strike = strikeGrants(grants.inside)
  return {
    open: (name) => strike.open(userOf(name)),
    killAccess: (name) => strike.killAccess(userOf(name)),
    revoke: (name) => strike.revoke(userOf(name)),
    pushOut: (name, status) => strike.pushOut(userOf(name), status),
  }
}
