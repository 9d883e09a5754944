import { onTestFinished } from 'vitest'
import type { CopierAccount, CopierMainCalls } from '#backend/copier/engine/calls.ts'
import { startEngine, type CopierCalls } from '#backend/copier/engine/engine.ts'
import { openLine, type BrokerLine, type LineDeps } from '#backend/copier/engine/line.ts'
import { frontMonth, PRODUCTS } from '#demo-broker/contracts.ts'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import type { FloorScenario } from '#tests/demo-broker/floor-world.ts'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import type { CopierStore } from '#backend/copier/store/copier-store.ts'
import type { PositionsNow } from '#backend/brokers/live.ts'
import { createLogins } from '#backend/sync/logins.ts'
import { systemTiming, type Timing } from '#backend/brokers/timing.ts'
import type { Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { CopierLive, FollowerRule, GroupDraft, LiveFollower } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { copierPaths } from '#tests/helpers/copier-samples.ts'
import { logIn, refreshTokens } from '#tests/helpers/demo-client.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { until } from '#tests/helpers/until.ts'

export const USER = 'user-1'
const ANCHOR = '2026-11-20'
const TRADER = 'lee.ortiz'

/** The contract of a product that the stand-in trades. */
export const contractOf = (product: string): string => {
  const found = PRODUCTS.find(({ name }) => name === product)
  if (found === undefined) throw new RangeError(`No product ${product}`)
  return frontMonth(found, ANCHOR).name
}
export const NQ = contractOf('NQ')
export const MNQ = contractOf('MNQ')
export const ES = contractOf('ES')

/** A follower that copies one to one by default. */
export const ruleOf = (account: string, given: Partial<FollowerRule> = {}): FollowerRule => ({
  account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 5, invert: false, guard: false, ...given,
})

/** One copier at work. */
export type RunningEngine = {
  readonly calls: CopierCalls
  readonly store: CopierStore
  /** Its database. */
  readonly file: string
  readonly copied: { readonly account: string; readonly orderId: string }[]
  readonly lives: CopierLive[]
  /** The position reports, each with the user they belong to. */
  readonly positions: { readonly userId: string; readonly now: PositionsNow }[]
  readonly logged: string[]
  /** Waits until it has gone so many rounds more, four a second: ten of them are longer than its pauses after an order. */
  readonly rounds: (more: number) => Promise<void>
  /** Ends it without a word, as a crash does, but that its sockets close. */
  readonly stop: () => Promise<void>
}

/** What a copier finds otherwise than usual: its computer, the accounts of a user, its clock, its lines, its file before it starts, and a journal that cannot be written. */
export type Otherwise = { readonly computer?: 'own' | 'another'; readonly accounts?: AccountsOf; readonly timing?: Timing; readonly line?: (line: BrokerLine, parts: LineDeps) => BrokerLine; readonly store?: (store: CopierStore) => void; readonly journalFails?: boolean }
type AccountsOf = (input: { readonly userId: string }) => Promise<readonly CopierAccount[]>

/** A stand-in with one login; its first account is the leader. */
export type EngineWorld = {
  readonly broker: TestBroker
  readonly accounts: readonly CopierAccount[]
  readonly leader: CopierAccount
  /** An account of the other side, which has a line of its own. */
  readonly farLeader: CopierAccount
  readonly follower: (place: number) => CopierAccount
  /** Starts a copier that may make so many calls an hour. */
  readonly open: (callsPerHour?: number, otherwise?: Otherwise) => Promise<RunningEngine>
  /** The broker's clock, which is behind: by any other clock the copier treats its events as past, and after a week as expired. */
  readonly atBroker: Timing
  /** Trades by hand. */
  readonly trade: (account: CopierAccount, action: 'Buy' | 'Sell', qty: number, symbol?: string) => void
  readonly net: (account: CopierAccount, contract?: string) => number
  /** Waits until an account holds so many. */
  readonly holds: (account: CopierAccount, net: number, contract?: string) => Promise<void>
  /** Places an order by hand that waits for its price; gives its number. */
  readonly work: (account: CopierAccount, order: { readonly action: 'Buy' | 'Sell'; readonly qty: number; readonly type: 'Limit' | 'Stop' | 'StopLimit'; readonly price?: number; readonly stopPrice?: number; readonly symbol?: string }) => number
  /** Orders that wait for their price. */
  readonly working: (account: CopierAccount) => ReturnType<TestBroker['floor']['state']>[number]['orders'][number][]
  /** Every order that was placed under an id of ours. */
  readonly ours: (account: CopierAccount) => ReturnType<TestBroker['floor']['state']>[number]['orders'][number][]
}

const noLog: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Starts the stand-in; it ends with the test. */
export const engineWorld = async (demo = 4, openPositions: FloorScenario['openPositions'] = []): Promise<EngineWorld> => {
  const broker = await startTestBroker({ anchor: ANCHOR, scenario: { kind: 'floor', logins: [{ name: TRADER, live: 1, demo }], openPositions } })
  onTestFinished(broker.stop)
  const folders = { own: temporaryFolder(), another: temporaryFolder() }
  const [login] = broker.logins
  const accounts = (login?.accounts ?? []).map(({ id, name, environment }): CopierAccount => ({ key: `tradovate:${environment}:${String(id)}`, loginId: TRADER, environment, id, name }))
  const simulated = accounts.filter(({ environment }) => environment === 'demo')
  const place = (at: number): CopierAccount => {
    const account = simulated[at]
    if (account === undefined) throw new RangeError(`No account ${String(at)}`)
    return account
  }
  const live = (): CopierAccount => {
    const account = accounts.find(({ environment }) => environment === 'live')
    if (account === undefined) throw new RangeError('No account of real money')
    return account
  }
  const { consentUrl, tokenUrls, liveApi, demoApi, quotes } = broker.origins
  const hosts = { authorize: consentUrl, token: tokenUrls, live: liveApi, demo: demoApi, quotes }
  const stateOf = ({ id }: CopierAccount) => broker.floor.state().find(({ accountId }) => accountId === id)
  const net = (account: CopierAccount, contract = NQ): number => stateOf(account)?.positions.find((position) => position.contract === contract)?.net ?? 0

  const behind = Date.now() - Date.parse(`${ANCHOR}T16:30:00Z`)
  const atBroker = { ...systemTiming, now: () => systemTiming.now() - behind }

  const open: EngineWorld['open'] = async (callsPerHour = 5_000, { computer = 'own', accounts: found = () => Promise.resolve(accounts), timing = systemTiming, line = (same: BrokerLine) => same, store: prepare, journalFails = false } = {}) => {
    const files = copierPaths(folders[computer])
    const store = openCopierStore({ ...files, log: noLog })
    prepare?.(store)
    const tokensOf = (given: Awaited<ReturnType<typeof logIn>>): Tokens => ({ access: given.access_token, refresh: given.refresh_token, accessExpiresAt: timing.now() + given.expires_in * 1000, obtainedAt: timing.now() })
    let tokens = tokensOf(await logIn(broker, TRADER))
    const copied: { readonly account: string; readonly orderId: string }[] = []
    const lives: CopierLive[] = []
    const positions: RunningEngine['positions'] = []
    const logged: string[] = []
    const note = (level: string) => (fields: object, message: string): void => void logged.push(`${level}: ${message} ${JSON.stringify(fields)} ${'error' in fields && fields.error instanceof Error ? (fields.error.stack ?? '') : ''}`)
    const log: Log = { debug: () => undefined, info: note('info'), warn: note('warn'), error: note('error') }
    const main = {
      open: () => Promise.resolve({ kind: 'open' as const, tokens, hosts }),
      refresh: async ({ refreshToken }: { refreshToken: string }) => ({ kind: 'renewed' as const, tokens: tokensOf(await refreshTokens(broker, refreshToken)) }),
      replace: ({ tokens: next }: { tokens: Tokens }) => {
        tokens = next
        return Promise.resolve()
      },
      accounts: found,
      live: ({ live }: Parameters<CopierMainCalls['live']>[0]) => Promise.resolve(void lives.push(live)),
      positions: (report: Parameters<CopierMainCalls['positions']>[0]) => Promise.resolve(void positions.push(report)),
      armed: () => Promise.resolve(),
      copied: ({ orders }: Parameters<CopierMainCalls['copied']>[0]) => (journalFails ? Promise.reject(new Error('The journal cannot be written')) : Promise.resolve(void copied.push(...orders))),
    }
    const stopping = new AbortController()
    const logins = createLogins({ main, timing, stop: stopping.signal })
    let gone = 0
    const repeat = (work: () => void, ms: number): NodeJS.Timeout => setInterval(() => {
      work()
      gone += 1
    }, ms / 4)
    const engine = startEngine({ store, main, logins, openLine: (parts) => line(openLine(parts), parts), timing, callsPerHour, log, repeat })
    const rounds = async (more: number): Promise<void> => {
      const last = gone + more
      await until(() => (gone >= last ? true : null), `${String(more)} rounds`, 20_000)
    }
    let stopped: Promise<void> | null = null
    const end = async (): Promise<void> => {
      await engine.stop()
      stopping.abort()
      store.close()
    }
    const stop = (): Promise<void> => (stopped ??= end())
    onTestFinished(stop)
    return { calls: engine, store, file: files.file, copied, lives, positions, logged, rounds, stop }
  }

  return {
    broker, accounts, open, net,
    leader: place(0),
    farLeader: live(),
    follower: (at) => place(at + 1),
    atBroker,
    trade: (account, action, qty, symbol = NQ) => {
      const answer = broker.hand.place({ account: account.id, action, symbol, qty })
      if (!('orderId' in answer)) throw new Error(answer.failureText)
    },
    holds: async (account, wanted, contract = NQ) => void (await until(() => (net(account, contract) === wanted ? true : null), `${account.name} to hold ${String(wanted)} ${contract}`, 20_000)),
    work: (account, { symbol = NQ, ...order }) => {
      const answer = broker.hand.place({ account: account.id, symbol, ...order })
      if (!('orderId' in answer)) throw new Error(answer.failureText)
      return answer.orderId
    },
    working: (account) => (stateOf(account)?.orders ?? []).filter(({ status, type }) => status === 'Working' && type !== 'Market'),
    ours: (account) => (stateOf(account)?.orders ?? []).filter(({ clOrdId }) => clOrdId?.startsWith('fb-') === true),
  }
}

/** Saves and arms a group with these followers, and waits until all lines are up and all followers have started. */
export const armed = async (world: EngineWorld, engine: RunningEngine, followers: readonly FollowerRule[], given: Partial<GroupDraft> = {}): Promise<string> => {
  const group = engine.calls.saveGroup({ userId: USER, id: null, draft: { name: 'Group', leader: world.leader.key, followers: [...followers], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false, ...given } })
  if (group === null) throw new Error('The group was not taken')
  engine.calls.allow({ userId: USER, id: group.id, entries: true })
  await engine.calls.arm({ userId: USER, id: group.id })
  await ready(engine, group.id)
  return group.id
}

/** Waits until every line of a group is up and every follower has begun. */
export const ready = async (engine: RunningEngine, id: string): Promise<void> =>
  void (await until(() => {
    const group = engine.calls.state({ userId: USER }).live.groups.find((each) => each.id === id)
    return group?.leaderLine === 'up' && group.followers.every(({ line, why }) => line === 'up' && why !== 'reading') && engine.store.followers(id).every(({ day }) => !day.startsWith('-')) ? true : null
  }, `group ${id} to be ready: ${JSON.stringify(engine.logged.slice(-5))}`, 20_000))

/** The current state of one follower. */
export const followerIn = (engine: RunningEngine, account: string): LiveFollower => {
  const found = engine.calls.state({ userId: USER }).live.groups.flatMap(({ followers }) => followers).find((each) => each.account === account)
  if (found === undefined) throw new Error(`No follower ${account}`)
  return found
}
