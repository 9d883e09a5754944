import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { bearerOf, empty, json, text, type Answer, type Call } from './answers.ts'
import type { DemoBroker, DemoBrokerOptions, DemoLogin, Environment, SeenRequest } from './broker-types.ts'
import { answerConsent } from './consent-calls.ts'
import { answerControl } from './control-calls.ts'
import { answerEntity } from './entity-calls.ts'
import { createFaults } from './faults.ts'
import { listen } from './http-server.ts'
import { createGrants, type Grants } from './oauth.ts'
import { answerMe, answerRenew, answerToken, type Counter } from './oauth-calls.ts'
import { tradePast, type Past } from './past.ts'
import { openReportDesk, withoutPast, type ReportDesk } from './report-calls.ts'
import { DEFAULT_SEED, seededWorld } from './seeds.ts'
import { volumeWorld } from './seeds-volume.ts'
import { grantsFile } from './state-file.ts'
import { createStrikes, type NoAnswer } from './strikes.ts'
import { viewsAt, type View, type Views } from './view.ts'
import type { World } from './world.ts'

const TRAFFIC_KEPT = 50_000
const snapshotSchema = z.object({ accountId: z.int() })

/** Starts a brokerage of its own on loopback; rejects where the port is taken. */
export const startDemoBroker = async (options: DemoBrokerOptions): Promise<DemoBroker> => {
  const world = worldOf(options)
  const { clientId = 'fillbook-demo', clientSecret = randomUUID(), wallNow = Date.now, redirectUris = [] } = options
  const controlToken = randomUUID()
  const file = grantsFile(options.stateFile)
  const grants = createGrants(wallNow, file.load(), file.save)
  const faults = createFaults()
  const strikes = createStrikes(faults, grants, wallNow)
  const clock = marketClock(world, options.now)
  if (options.scenario?.kind === 'volume') makeLists(world, clock.views())
  const traffic = trafficLog()
  const logins = world.logins.map((login) => loginOf(world, login))
  const reports = openReportDesk({ world, past: pastOf(options, world), now: clock.now, faults })
  const stopping = new AbortController()

  let port = options.port ?? 0
  const counter: Counter = { world, grants, faults, clientId, clientSecret, wallNow, port: () => port }
  const view = (userId: number, environment: Environment): View | null => clock.views().of(userId, environment)

  const respond = async (call: Call): Promise<Answer | NoAnswer> => {
    if (call.path === '/oauth') return answerConsent({ grants, logins, clientId, redirectUris }, call)
    if (call.path.startsWith('/_demo/')) return answerControl({ controlToken, faults, clock, traffic, walk: world.walk }, call)
    if (call.environment === null) return empty(404)
    const slow = faults.take('slow', call.path)
    // What is slow no more is answered at once.
    if (slow !== null) await pause(slow.ms, undefined, { signal: AbortSignal.any([stopping.signal, faults.lifted()]) }).catch(() => stopping.signal.throwIfAborted())
    return strikes.before(call) ?? strikes.after(call, await answerApi({ counter, view, reports }, call, call.environment))
  }

  const listening = await listen(port, respond, traffic.saw)
  port = listening.port
  const url = `http://127.0.0.1:${port}`
  return {
    port, url, clientId, clientSecret, controlToken, logins, clock, faults, traffic,
    origins: {
      consentUrl: `http://localhost:${port}/oauth`,
      liveApi: `${url}/live/v1`,
      demoApi: `${url}/demo/v1`,
      tokenUrls: [`${url}/live/auth/oauthtoken`, `${url}/live/v1/auth/oauthtoken`],
      reports: { live: `${url}/live/rpt/v1`, demo: `${url}/demo/rpt/v1` },
    },
    walk: world.walk,
    archive: reports.archive,
    rename: (accountId, name) => {
      Object.assign(world.accounts.find(({ id }) => id === accountId) ?? {}, { name })
      clock.set(clock.now())
    },
    sessions: sessionsOf(grants, logins),
    stop: async () => {
      stopping.abort()
      listening.server.closeAllConnections()
      await new Promise<void>((resolve) => listening.server.close(() => resolve()))
    },
  }
}

const worldOf = ({ seed = DEFAULT_SEED, anchor, scenario = { kind: 'seeded' } }: DemoBrokerOptions): World =>
  scenario.kind === 'seeded' ? seededWorld(seed, anchor, scenario.dollarsOnly) : volumeWorld(seed, anchor, scenario)

/** The session by session past of the seeded story; a world for measuring has none. */
const pastOf = ({ seed = DEFAULT_SEED, scenario = { kind: 'seeded' } }: DemoBrokerOptions, { sessions: [before] }: World): (() => Promise<Past>) =>
  scenario.kind === 'seeded' && before !== undefined ? () => tradePast({ seed, dollarsOnly: scenario.dollarsOnly ?? false, before }) : withoutPast

type Desks = { readonly counter: Counter; readonly view: (userId: number, environment: Environment) => View | null; readonly reports: ReportDesk }

const answerApi = async ({ counter, view: viewOf, reports }: Desks, call: Call, environment: Environment): Promise<Answer> => {
  const below = call.below.replace(/^\/v1(?=\/)/, '')
  if (below === '/auth/oauthtoken') return answerToken(counter, call)
  const token = bearerOf(call)
  if (token === null) return empty(401)
  const standing = counter.grants.standing(token)
  if (standing.kind === 'unknown') return text(401, 'Access is denied')
  if (standing.kind === 'pushed-out') return empty(standing.status)
  if (below === '/rpt/v1/reports/requestReport') return reports.answer(call, standing.userId)
  if (below === '/auth/me') return answerMe(counter, call, standing.userId)
  if (below === call.below) return empty(404)
  if (below === '/auth/renewaccesstoken') return answerRenew(counter, call)
  const view = viewOf(standing.userId, environment)
  const [, entity = '', operation = '', more] = below.split('/')
  if (view === null || more !== undefined) return empty(404)
  if (below === '/cashBalance/getcashbalancesnapshot') return snapshot(view, call)
  return answerEntity(view, entity, operation, call.query)
}

const snapshot = (view: View, call: Call): Answer => {
  const wanted = snapshotSchema.safeParse(call.body)
  if (call.method !== 'POST') return empty(404)
  const found = wanted.success ? view.snapshot(wanted.data.accountId) : null
  return json(found ?? { errorText: 'Account not found' })
}

const marketClock = (world: World, begin: number | undefined) => {
  let now = begin ?? world.walk.at(-1)?.at ?? 0
  let views = viewsAt(world, now)
  return {
    now: () => now,
    set: (time: number): void => {
      now = time
      views = viewsAt(world, now)
    },
    views: () => views,
  }
}

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
