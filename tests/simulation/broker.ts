import type { WebSocket as WireSocket } from 'ws'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import { bearerOf, empty, type Answer, type Call } from '#demo-broker/answers.ts'
import { answerApi } from '#demo-broker/api.ts'
import type { ExchangeFloor, Trader } from '#demo-broker/floor.ts'
import { ACCESS_SECONDS, createGrants, type Granted } from '#demo-broker/grants.ts'
import { noHooks, type NoAnswer, type SocketManners } from '#demo-broker/hooks.ts'
import { openMarket } from '#demo-broker/market.ts'
import { noPast } from '#demo-broker/seeded-world.ts'
import type { Random } from '#demo-broker/random.ts'
import { openReportService } from '#demo-broker/reports.ts'
import { serveSocket, type LiveSocket } from '#demo-broker/socket.ts'
import { createFaults, orderFaults, type Faults } from '#tests/demo-broker/faults.ts'
import { floorWorld } from '#tests/demo-broker/floor-world.ts'
import { handOn, type Hand } from '#tests/demo-broker/hand.ts'
import { createMoves, createStrikes } from '#tests/demo-broker/request-faults.ts'
import { createSocketFaults } from '#tests/demo-broker/socket-faults.ts'
import type { Tokens } from '#backend/brokers/tradovate/tokens.ts'
import { whoseTurn, type Clock, type Owner } from './clock.ts'
import { connectThrough, type Link } from './virtual-socket.ts'

const client = { clientId: 'simulation', clientSecret: 'simulation-secret' }
const redirectUri = 'http://127.0.0.1/oauth/callback'
const base = 'http://127.0.0.1:1'
const manners: SocketManners = { timeScale: 1, split: 'parts', apartMs: 0, emptyByDefault: false }

/** Who asked for what the floor does this moment; the judge knows a program's order by this and by nothing else. */
export type Asked = { readonly by: 'program'; readonly operation: string; readonly sentAt: number } | { readonly by: 'hand' }

/** A request about orders as it came. */
export type Request = { readonly operation: string; readonly sentAt: number; readonly accountId: number | null; readonly orderId: number | null; readonly symbol: string | null; readonly action: string | null }

/** The stand-in brokerage without its server: the same floor, views, faults, logins and sockets behind a transport in this process. */
export type Broker = {
  readonly floor: ExchangeFloor
  readonly hand: Hand
  readonly faults: Faults
  readonly accounts: readonly CopierAccount[]
  /** Who trades an account, as the floor names it. */
  readonly traderOf: (account: string) => Trader
  readonly hosts: { readonly authorize: string; readonly token: readonly [string, string]; readonly live: string; readonly demo: string }
  /** Does something by hand at the broker's own screen. */
  readonly byHand: <T>(work: () => T) => T
  /** Who asked for what happens now; null for what the market brings. */
  readonly asked: () => Asked | null
  readonly tokensOf: (login: string) => Tokens
  readonly refresh: (refreshToken: string) => Tokens | null
  readonly links: () => readonly Link[]
  /** Ends the connections of a run that died; with `silently` the brokerage has to notice it without a close. */
  readonly drop: (owner: Owner, silently: boolean) => void
  /** Turns new connections away. */
  readonly refuse: (refused: boolean) => void
  /** Hears what a run of the program got to know: what its login's accounts did up to a moment, all of it once the last frame of that moment came. */
  readonly onHeard: (hear: (login: string, upTo: number, isLast: boolean) => void) => void
  /** Hears of every request about orders that a run of the program sent and that arrived, whatever comes of it. */
  readonly onRequest: (hear: (request: Request) => void) => void
  /** Since when (UTC ms) a running program receives and sends on a login's line; Infinity if it does not. */
  readonly upSince: (login: string) => number
  /** When (UTC ms) a request of a login about orders was last lost, or its answer, or put off. */
  readonly lostAt: (login: string) => number
  /** Until when (UTC ms) a login may send no requests; 0 without a penalty. */
  readonly waitsUntil: (login: string) => number
  /** Lets time pass at the exchange too. */
  readonly look: () => void
}

/** Milliseconds that a message takes at least and at most. */
export const latency = { least: 0.5, most: 20 }

type Parts = { readonly clock: Clock; readonly random: Random; readonly anchor: string; readonly logins: readonly { readonly name: string; readonly demo: number }[] }

/** Opens a brokerage in the world's time, and the way to it for every `fetch` and `WebSocket` of this process. */
export const openBroker = ({ clock, random, anchor, logins }: Parts): Broker => {
  const owner: Owner = { name: 'broker', dead: false }
  const world = floorWorld(anchor, { kind: 'floor', logins: logins.map(({ name, demo }) => ({ name, demo, live: 0 })) })
  const faults = createFaults()
  const grants = createGrants(clock.now, null, () => undefined)
  const later = (ms: number, act: () => void): void => void clock.later(owner, ms, act)
  const orders = orderFaults({ faults, later: (ms, act) => {
    const was = asked
    later(ms, () => { as(was, act) })
  } })
  const market = openMarket(world, { begin: clock.now(), hooks: orders, wallNow: clock.now })
  const { floor, books } = market
  const hand = handOn(market)
  const moves = createMoves({ faults, logins: () => world.logins, port: () => 1 })
  const strikes = createStrikes({ faults, grants: () => grants, moves, wallNow: clock.now, accountOf: floor.accountOf })
  const reports = openReportService({ books, floor, past: noPast, now: market.clock.now })
  const socketHooks = createSocketFaults({ faults, moves, strikes, manners }).hooks
  const counter = { world, grants, hooks: noHooks, ...client, wallNow: clock.now }
  const sockets = new Map<LiveSocket, Link>()
  let requested: (request: Request) => void = () => undefined
  const socketOf = new Map<Link, LiveSocket>()
  /** Frames on their way to the program, by link and by when they were sent: a moment is known once its last one came. */
  const frames = new Map<Link, Map<number, number>>()
  let heard: (login: string, upTo: number, isLast: boolean) => void = () => undefined
  let asked: Asked | null = null
  let sentAt = 0
  let isRefusing = false
  const waits = new Map<string, number>()
  const lost = new Map<string, number>()

  const look = (): void => {
    if (market.clock.now() !== clock.now()) as(null, () => { market.clock.set(clock.now()) })
  }
  function as<T>(who: Asked | null, work: () => T): T {
    const was = asked
    asked = who
    try {
      return work()
    } finally {
      asked = was
    }
  }

  const traderOf = ({ body }: Call): string | undefined => world.logins.find(({ userId }) => userId === world.accounts.find(({ id }) => id === floor.accountOf(body))?.traderId)?.name
  /** Notes what the brokerage lets a login wait for. */
  const noted = (call: Call, outcome: Answer | NoAnswer): Answer | NoAnswer => {
    const login = traderOf(call)
    if (login === undefined) return outcome
    if (typeof outcome !== 'object') lost.set(login, clock.now())
    else {
      const seconds = outcome.status === 429 ? 5 : Number(/"p-time":(\d+)/.exec(String(outcome.body))?.[1] ?? 0)
      if (seconds > 0) waits.set(login, Math.max(waits.get(login) ?? 0, clock.now() + seconds * 1000))
    }
    return outcome
  }
  const respond = (call: Call): Promise<Answer | NoAnswer> => {
    look()
    const who: Asked = { by: 'program', operation: call.below.split('/').at(-1) ?? '', sentAt }
    const { environment } = call
    if (environment === null) return Promise.resolve(empty(404))
    if (call.below.startsWith('/v1/order/') && call.method === 'POST') {
      const { orderId, symbol, action } = call.body
      requested({ operation: who.operation, sentAt, accountId: floor.accountOf(call.body), orderId: typeof orderId === 'number' ? orderId : null, symbol: typeof symbol === 'string' ? symbol : null, action: typeof action === 'string' ? action : null })
    }
    const struck = strikes.before(call)
    if (struck !== null) return Promise.resolve(noted(call, struck))
    // What an order does is done before the answer's promise is there.
    const answer = (): Promise<Answer> => as(who, () => answerApi({ counter, view: market.views.of, reports, floor }, call, environment))
    const slow = faults.take('slow', call.path, floor.accountOf(call.body))
    const late = strikes.putOff(call)
    if (late !== null) {
      later(late, () => {
        look()
        void answer()
      })
      return Promise.resolve(noted(call, 'cut'))
    }
    if (slow === null) return answer().then((given) => noted(call, strikes.after(call, given)))
    return new Promise((resolve) => {
      later(slow.ms, () => {
        look()
        resolve(answer().then((given) => noted(call, strikes.after(call, given))))
      })
    })
  }

  const delay = (): number => latency.least + random.next() ** 3 * (latency.most - latency.least)
  const carry = (link: Link, to: 'client' | 'server', work: () => void): void => {
    const hearer = to === 'client' ? link.owner : owner
    const sent = clock.now()
    // TCP keeps the order of what goes one way.
    const at = Math.max(link.lastTo[to], sent + delay())
    const underWay = frames.get(link) ?? new Map<number, number>()
    if (to === 'client') frames.set(link, underWay.set(sent, (underWay.get(sent) ?? 0) + 1))
    link.lastTo[to] = at
    const { turn } = link
    clock.later(hearer, at - sent, () => {
      if (link.turn !== turn || link.mute === 'everything' || (link.mute === 'from-broker' && to === 'client')) return
      sentAt = sent
      if (to === 'server') look()
      else {
        const socket = socketOf.get(link)
        const login = socket?.synced() === true ? socket.login() : null
        const left = (underWay.get(sent) ?? 1) - 1
        if (left > 0) underWay.set(sent, left)
        else underWay.delete(sent)
        if (login !== null) {
          link.syncedAt ??= clock.now()
          heard(login, sent, left === 0)
        }
      }
      work()
    })
  }

  connectThrough({
    carry,
    accept: (url, end, link) => {
      if (isRefusing) return 503
      const socket = serveSocket(
        { grants, hooks: { ...noHooks, ...socketHooks }, view: market.views.of, loginName: (userId) => world.logins.find((login) => login.userId === userId)?.name ?? '', respond },
        end as unknown as WireSocket, new URL(url).pathname.startsWith('/live/') ? 'live' : 'demo', '127.0.0.1:1',
      )
      sockets.set(socket, link)
      socketOf.set(link, socket)
      end.on('close', () => {
        sockets.delete(socket)
        frames.delete(link)
        socketOf.delete(link)
      })
      return null
    },
  })
  floor.listen((change) => {
    for (const socket of sockets.keys()) socket.publish(change)
  })

  const loginOf = (call: Call): string | undefined => {
    const standing = grants.standing(bearerOf(call) ?? '')
    return standing.kind === 'good' ? world.logins.find(({ userId }) => userId === standing.userId)?.name : undefined
  }
  const fetchVirtually = (input: string | URL | globalThis.Request, init: RequestInit = {}): Promise<Response> => {
    const asker = whoseTurn()
    const url = new URL(input instanceof globalThis.Request ? input.url : input)
    const [, environment, below] = /^\/(live|demo)(\/.*)$/.exec(url.pathname) ?? []
    const body = typeof init.body === 'string' ? init.body : init.body instanceof URLSearchParams ? init.body.toString() : ''
    const json: unknown = init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : body === '' ? undefined : JSON.parse(body)
    const call: Call = {
      method: init.method ?? 'GET', path: url.pathname, environment: environment === 'live' || environment === 'demo' ? environment : null, below: below ?? url.pathname, query: url.searchParams,
      body: typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}, json, host: '127.0.0.1:1', authorization: new Headers(init.headers).get('authorization'), cookie: '',
    }
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    init.signal?.addEventListener('abort', () => { reject(new DOMException('The operation was aborted', 'AbortError')) }, { once: true })
    const back = (work: () => void): void => void clock.later(asker, delay(), work)
    const sent = clock.now()
    later(delay(), () => {
      if (isRefusing) {
        back(() => { reject(new TypeError('fetch failed')) })
        return
      }
      sentAt = sent
      void respond(call).then((outcome) => {
        if (outcome === 'silence') return
        const answeredAt = clock.now()
        back(() => {
          if (outcome === 'cut') reject(new TypeError('fetch failed'))
          else if (call.method === 'GET') heard(loginOf(call) ?? '', answeredAt, false)
          if (outcome !== 'cut') resolve({ status: outcome.status, headers: new Headers(outcome.headers), body: new Response(String(outcome.body)).body, ok: outcome.status === 200 } as Response)
        })
      })
    })
    return promise
  }
  globalThis.fetch = fetchVirtually as typeof fetch

  const tokensFrom = ({ accessToken, refreshToken, expiresIn }: Granted): Tokens => ({
    access: accessToken, ...(refreshToken === null ? {} : { refresh: refreshToken }), accessExpiresAt: clock.now() + expiresIn * 1000, obtainedAt: clock.now(),
  })
  const issue = { seconds: ACCESS_SECONDS, withRefresh: true }

  return {
    floor, hand, faults, look,
    accounts: world.accounts.map(({ id, name, environment, traderId }) => ({ key: `tradovate:${environment}:${String(id)}`, loginId: world.logins.find(({ userId }) => userId === traderId)?.name ?? '', environment, id, name })),
    traderOf: (key) => {
      const account = world.accounts.find(({ id, environment }) => `tradovate:${environment}:${String(id)}` === key)
      if (account === undefined) throw new Error(`No account ${key}`)
      return { userId: account.traderId, environment: account.environment }
    },
    hosts: { authorize: `${base}/oauth`, token: [`${base}/live/auth/oauthtoken`, `${base}/live/v1/auth/oauthtoken`], live: `${base}/live/v1`, demo: `${base}/demo/v1` },
    byHand: (work) => {
      look()
      return as({ by: 'hand' }, () => clock.as(owner, work))
    },
    asked: () => asked,
    tokensOf: (login) => {
      const userId = world.logins.find(({ name }) => name === login)?.userId ?? 0
      const granted = grants.exchange(grants.giveCode({ clientId: client.clientId, redirectUri, userId }), client.clientId, redirectUri, issue)
      if (granted === null) throw new Error(`No tokens for ${login}`)
      return tokensFrom(granted)
    },
    refresh: (token) => {
      const granted = grants.refresh(token, issue)
      return granted === null ? null : tokensFrom(granted)
    },
    lostAt: (login) => lost.get(login) ?? 0,
    waitsUntil: (login) => waits.get(login) ?? 0,
    links: () => [...sockets].map(([socket, link]) => Object.assign(link, { login: socket.login() })),
    onHeard: (hear) => void (heard = hear),
    onRequest: (hear) => void (requested = hear),
    upSince: (login) => Math.min(Infinity, ...[...sockets].flatMap(([socket, link]) => (socket.login() === login && !link.owner.dead && link.mute === 'nothing' && link.syncedAt !== null ? [link.syncedAt] : []))),
    drop: (dead, silently) => {
      for (const link of sockets.values()) {
        if (link.owner !== dead) continue
        if (silently) link.mute = 'everything'
        else link.leave()
      }
    },
    refuse: (refused) => void (isRefusing = refused),
  }
}
