import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { empty, type Answer, type Call } from './answers.ts'
import { answerApi } from './api-calls.ts'
import type { DemoBroker, DemoBrokerOptions, DemoLogin, SeenRequest } from './broker-types.ts'
import { answerConsent } from './consent-calls.ts'
import { answerControl } from './control-calls.ts'
import { createFaults } from './faults.ts'
import { listen } from './http-server.ts'
import { openMarket } from './market.ts'
import { createMoves, purposes, type Purpose } from './moves.ts'
import { createGrants, type Grants } from './oauth.ts'
import type { Counter } from './oauth-calls.ts'
import { openQuotesDesk } from './quotes-desk.ts'
import { openReportDesk } from './report-calls.ts'
import { pastOf, worldOf } from './scenarios.ts'
import { grantsFile } from './state-file.ts'
import { createStrikes, type NoAnswer } from './strikes.ts'
import type { Views } from './view.ts'
import type { World } from './world.ts'

const TRAFFIC_KEPT = 50_000

/** Starts a brokerage of its own on loopback; rejects where the port is taken. */
export const startDemoBroker = async (options: DemoBrokerOptions): Promise<DemoBroker> => {
  const world = worldOf(options)
  const { clientId = 'fillbook-demo', clientSecret = randomUUID(), wallNow = Date.now, redirectUris = [] } = options
  const controlToken = randomUUID()
  const file = grantsFile(options.stateFile)
  // A session that was pushed out loses its sockets too.
  const grants = createGrants(wallNow, file.load(), (state) => {
    file.save(state)
    listening.desk.recheck()
    quotesDesk.recheck()
  })
  const faults = createFaults()
  const stopping = new AbortController()
  const later = doingLater(stopping.signal)
  const { clock, books, floor, hand, views } = openMarket(world, { begin: options.now, faults, wallNow, later })
  const moves = createMoves({ faults, logins: world.logins, port: () => port })
  const strikes = createStrikes({ faults, grants, moves, wallNow, accountOf: floor.accountOf })
  if (options.scenario?.kind === 'volume') makeLists(world, views)
  const traffic = trafficLog()
  const logins = world.logins.map((login) => loginOf(world, login))
  const reports = openReportDesk({ books, floor, past: pastOf(options, world), now: clock.now, faults })

  let port = options.port ?? 0
  const counter: Counter = { world, grants, faults, moves, clientId, clientSecret, wallNow }
  const view = views.of

  const respond = async (call: Call): Promise<Answer | NoAnswer> => {
    if (call.path === '/oauth') {
      // Whoever allows access asks for rows next: a past that has to be worked out is there by then.
      books.ledger()
      return answerConsent({ grants, logins, clientId, redirectUris }, call)
    }
    if (call.path.startsWith('/_demo/')) return answerControl({ controlToken, faults, clock, traffic, floor, hand, walk: world.walk, sockets: listening.desk.sockets, quotes: quotesDesk.quotes }, call)
    if (call.environment === null) return empty(404)
    const slow = faults.take('slow', call.path, floor.accountOf(call.body))
    // What is slow no more is answered at once.
    if (slow !== null) await pause(slow.ms, undefined, { signal: AbortSignal.any([stopping.signal, faults.lifted()]) }).catch(() => stopping.signal.throwIfAborted())
    const { environment } = call
    const answer = (): Promise<Answer> => answerApi({ counter, view, reports, floor }, call, environment)
    const struck = strikes.before(call)
    if (struck !== null) return struck
    const late = strikes.putOff(call)
    if (late === null) return strikes.after(call, await answer())
    later(late, () => void answer())
    return 'cut'
  }

  const loginName = (userId: number): string => logins.find((each) => each.userId === userId)?.name ?? ''
  const held = () => [...new Map([...books.ledger().newest.values()].flatMap(({ net, last }) => (net.qty === 0 ? [] : [[last.contract.id, last.contract] as const]))).values()]
  const quotesDesk = openQuotesDesk({ grants, faults, moves, floor, now: clock.now, loginName, saw: traffic.saw, timeScale: () => listening.desk.timeScale(), held })
  const listening = await listen(port, { grants, faults, moves, strikes, view, loginName, respond, saw: traffic.saw }, options.sockets, quotesDesk.accept)
  port = listening.port
  floor.listen(listening.desk.tell)
  const url = `http://127.0.0.1:${port}`
  return {
    port, url, clientId, clientSecret, controlToken, logins, clock, faults, traffic, floor, hand,
    origins: {
      consentUrl: `http://localhost:${port}/oauth`,
      liveApi: `${url}/live/v1`,
      demoApi: `${url}/demo/v1`,
      tokenUrls: [`${url}/live/auth/oauthtoken`, `${url}/live/v1/auth/oauthtoken`],
      reports: { live: `${url}/live/rpt/v1`, demo: `${url}/demo/rpt/v1` },
      quotes: `${url}/md/v1`,
    },
    walk: world.walk,
    archive: reports.archive,
    rename: (accountId, name) => {
      Object.assign(world.accounts.find(({ id }) => id === accountId) ?? {}, { name })
      books.changed()
    },
    sessions: sessionsOf(grants, logins),
    openHosts: async () => Object.fromEntries(await Promise.all(purposes.map(async (purpose) => [purpose, `127.0.0.1:${await listening.more()}`]))) as Record<Purpose, string>,
    sockets: listening.desk.sockets,
    quotes: quotesDesk.quotes,
    stop: async () => {
      stopping.abort()
      quotesDesk.stop()
      await listening.stop()
    },
  }
}

/** Does things after a while, unless the stand-in stops before. */
const doingLater = (stopped: AbortSignal) => (ms: number, act: () => void): void =>
  void pause(ms, undefined, { signal: stopped }).then(act, () => undefined)

/** Makes the long lists before they are asked for, so that a measurement does not count it. */
const makeLists = (world: World, views: Views): void => {
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

const loginOf = (world: World, { name, userId }: World['logins'][number]): DemoLogin => ({
  name,
  userId,
  accounts: world.accounts.filter(({ traderId }) => traderId === userId).map(({ id, name: account, environment }) => ({ id, name: account, environment })),
})

const sessionsOf = (grants: Grants, logins: readonly DemoLogin[]): DemoBroker['sessions'] => {
  const userOf = (name: string): number => {
    const login = logins.find((each) => each.name === name)
    if (login === undefined) throw new RangeError(`The stand-in has no login ${name}`)
    return login.userId
  }
  return {
    open: (name) => grants.open(userOf(name)),
    killAccess: (name) => grants.killAccess(userOf(name)),
    revoke: (name) => grants.revoke(userOf(name)),
    pushOut: (name, status) => grants.pushOut(userOf(name), status),
  }
}
