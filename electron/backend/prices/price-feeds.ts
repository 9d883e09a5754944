import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { FetchProgress } from '#shared/api/price-fetch.ts'
import type { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import { isKey } from '#shared/base/endpoint-rules.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { addAmounts, exactMoney, parseAmount, zero, type Amount } from '#shared/money/money.ts'
import { databentoSymbol, projectxContractId } from '#shared/prices/feed-names.ts'
import { isPartial, priceFeeds, type FeedFailure, type PriceFeed, type VendorDetail } from '#shared/prices/feeds.ts'
import type { BarsRead } from '../brokers/bars.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import { slept, type Timing } from '../brokers/timing.ts'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createKeyedMutex } from '../mutex.ts'
import { refuse, type Refused } from '../refused.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { BarWish } from '../sync/bars.ts'
import { createDatabento, type Databento, type DatabentoFailure } from './databento/client.ts'
import type { FeedChoice, WantedSession } from './feed-queries.ts'
import type { PriceThread } from './price-thread.ts'
import type { Fetched } from './store-fetched.ts'

type Routes = typeof priceRoutes
type Login = Awaited<ReturnType<JournalCalls['read']['logins']>>[number]

/** `folder` holds what is being fetched as files; `progress` hears of each step of a fetch, and of its end as null; `stored` hears of a user who has new prices. */
type Deps = {
  readonly read: Pick<JournalCalls['read'], 'fillPrices' | 'neededPrices' | 'logins' | 'projectxContracts'>
  readonly bars: { readonly read: (wish: BarWish) => Promise<Result<BarsRead, BrokerFailure>>; readonly stop: (userId: string) => Promise<void> }
  readonly thread: PriceThread
  readonly secrets: Secrets
  readonly databentoUrl: string
  readonly folder: string
  readonly progress: (userId: string, progress: FetchProgress | null) => void
  readonly stored: (userId: string) => void
  readonly timing: Timing
  readonly log: Log
}

/** Prices that are fetched: from which feeds, and the queue that asks them. */
export type PriceFeeds = ReturnType<typeof createPriceFeeds>

type Choice = Omit<FeedChoice, 'failure'>
/** Why one request brought nothing. `aborted`: its user, or the program, gave it up. */
type Failed = { readonly code: FeedFailure; readonly waitMs?: number } | { readonly code: 'aborted' }
type Run = { readonly stopping: AbortController; readonly ended: Promise<void>; now: FetchProgress | null; /** When new prices were seen to last (UTC ms), and whether some came since. */ seenTo: number; unseen: boolean }

const hour = 3_600_000
const second = 1_000_000
/** The finest that a feed may have, in µs: what is stored as fine or finer is not asked for. */
const finest: Record<PriceFeed, (detail: VendorDetail) => number> = { projectx: () => second, databento: (detail) => (detail === 'trades' ? 0 : second), tradovate: () => 60 * second }
/** Databento sells what is a day old. */
const behindMs: Record<PriceFeed, number> = { projectx: 0, databento: 24 * hour, tradovate: 0 }
const usual: Record<PriceFeed, Choice> = {
  projectx: { feed: 'projectx', on: true, spendLimit: null, detail: null },
  databento: { feed: 'databento', on: true, spendLimit: 50_000 as Amount, detail: 'ohlcv-1s' },
  // The exchange's prices of a broker's socket are for display there unless the account has the permission.
  tradovate: { feed: 'tradovate', on: false, spendLimit: null, detail: null },
}
/** A pause that a feed asks for is kept; a longer one ends its part of the fetch. */
const longestWaitMs = 5 * 60_000
const mostWaits = 3
const betweenStoredMs = 5_000
const costsAtOnce = 4
/** With less room on the disk nothing is asked for: what is paid must have a place to go. */
const leastFreeBytes = 256 * 1024 ** 2
const unfinished = /^fetched-.*\.csv$/

const failedBy: Record<BrokerFailure['kind'], FeedFailure | 'aborted'> = {
  'login-needed': 'login-needed', 'no-tokens': 'login-needed', 'session-pushed-out': 'login-needed', 'permission-missing': 'no-permission', 'not-found': 'unknown-contract', 'wrong-host': 'unreachable', 'rate-limited': 'rate-limited',
  penalty: 'rate-limited', captcha: 'rate-limited', 'refused-by-broker': 'refused', unreachable: 'unreachable', 'unreadable-answer': 'unreadable', database: 'refused', aborted: 'aborted',
}
const vendorFailedBy: Record<DatabentoFailure['kind'], FeedFailure | 'aborted'> = {
  'key-refused': 'key-refused', 'payment-needed': 'payment-needed', 'no-permission': 'no-permission', 'unknown-symbol': 'unknown-contract', 'not-available': 'not-available', unreachable: 'unreachable', refused: 'refused', unreadable: 'unreadable', 'too-large': 'unreadable', aborted: 'aborted', 'rate-limited': 'rate-limited',
}
/** What Databento refuses before any prices come, and does not charge. Where the line was lost nobody knows. */
const uncharged: ReadonlySet<DatabentoFailure['kind']> = new Set(['key-refused', 'payment-needed', 'no-permission', 'unknown-symbol', 'not-available', 'refused', 'rate-limited'])
const failedOf = (code: FeedFailure | 'aborted', failure: object): Failed => (code === 'aborted' ? { code } : 'waitMs' in failure && typeof failure.waitMs === 'number' ? { code, waitMs: failure.waitMs } : { code })

const secretOf = (userId: string): string => `databento-key:${userId}`
const isoDay = (us: number): string => new Date(us / 1000).toISOString().slice(0, 10)

export const createPriceFeeds = ({ read, bars, thread, secrets, databentoUrl, folder, progress, stored, timing, log }: Deps) => {
  const { jobs, placeOf, hasFile, guarded, writing } = thread
  const runs = new Map<string, Run>()
  /** The feed that a full disk stopped, and when (UTC ms), by user. It cannot be relied on to be noted on that disk. */
  const stoppedByDisk = new Map<string, { readonly feed: PriceFeed; readonly at: number }>()
  // Starting and stopping of one user must not cross.
  const inOrder = createKeyedMutex()
  let closed = false
  // What a program that was killed left behind.
  for (const name of listed(folder)) if (unfinished.test(name)) rmSync(join(folder, name), { force: true })

  const put = async (userId: string, work: () => Promise<unknown>): Promise<Result<null, Refused>> => {
    const done = await writing(userId, work)
    return done.ok ? ok(null) : done
  }
  /** Throws: within a fetch, a file of prices that is damaged ends it. */
  const sure = async <T>(work: Promise<Result<T, Refused>>): Promise<T> => {
    const done = await work
    if (!done.ok) throw new Error(`Prices could not be stored: ${done.error.code}`)
    return done.value
  }

  const choiceOf = (choices: readonly FeedChoice[], feed: PriceFeed): FeedChoice => {
    const found = choices.find((one) => one.feed === feed)
    if (found === undefined) return { ...usual[feed], failure: null }
    return { ...found, spendLimit: found.spendLimit ?? usual[feed].spendLimit, detail: found.detail ?? usual[feed].detail }
  }
  const stateOf = (userId: string) => guarded(() => jobs.run('feeds', { place: placeOf(userId) }))
  const wantedOf = async (userId: string, choice: Choice, feed: PriceFeed | null) => {
    const needed = await read.neededPrices({ userId })
    if (needed.length === 0) return ok({ wanted: [], isFull: false })
    const now = timing.now()
    return guarded(() => jobs.run('wanted', { place: placeOf(userId), needed, feed, grain: feed === null ? 60 * second : finest[feed](choice.detail ?? 'ohlcv-1s'), now, latest: now - (feed === null ? 0 : behindMs[feed]) }))
  }
  const loginsOf = async (userId: string, feed: PriceFeed): Promise<readonly Login[]> => {
    const broker = feed === 'projectx' ? 'topstepx' : 'tradovate'
    return (await read.logins({ userId })).filter((login) => login.broker === broker && login.status === 'ok')
  }
  const vendorOf = async (userId: string): Promise<Databento | null> => {
    const key = await secrets.get(secretOf(userId))
    return key === null ? null : createDatabento({ base: databentoUrl, key, timing })
  }
  const isReady = async (userId: string, feed: PriceFeed): Promise<boolean> => (feed === 'databento' ? (await secrets.get(secretOf(userId))) !== null : (await loginsOf(userId, feed)).length > 0)

  const askOf = ({ key, span }: WantedSession, { detail }: Choice) => ({ symbol: databentoSymbol(key), detail: detail ?? 'ohlcv-1s', ...span })

  const fetchBars = async (userId: string, feed: 'projectx' | 'tradovate', wanted: WantedSession): Promise<Result<Fetched, Failed>> => {
    const { contract, key, tickSize, span } = wanted
    const brokerContractId = feed === 'projectx' ? projectxContractId(key, await read.projectxContracts({ userId })) : null
    let failure: Failed = { code: 'login-needed' }
    // One login may lack the permission that another has.
    for (const { id: loginId, broker } of await loginsOf(userId, feed)) {
      const answer = await bars.read({ userId, loginId, broker, contract, brokerContractId, tickSize, from: Math.floor(span.from / 1000), to: Math.ceil(span.to / 1000) })
      if (answer.ok) {
        const facts = await read.fillPrices({ userId, contract })
        return ok(await sure(writing(userId, () => jobs.run('storeBars', { place: placeOf(userId), wanted, facts, now: timing.now(), source: feed === 'projectx' ? 'projectx-bars' : 'tradovate-bars', lists: answer.value.lists }))))
      }
      failure = failedOf(failedBy[answer.error.kind], answer.error)
      if (failure.code !== 'no-permission' && failure.code !== 'login-needed') break
    }
    return err(failure)
  }

  const fetchFile = async (userId: string, vendor: Databento, choice: Choice, wanted: WantedSession, signal: AbortSignal): Promise<Result<Fetched, Failed>> => {
    const ask = askOf(wanted, choice)
    const cost = await vendor.cost(ask, signal)
    if (!cost.ok) return err(failedOf(vendorFailedBy[cost.error.kind], cost.error))
    if (!(await sure(writing(userId, () => jobs.run('spend', { place: placeOf(userId), amount: cost.value }))))) return err({ code: 'over-limit' })
    const path = join(folder, `fetched-${randomUUID()}.csv`)
    try {
      const done = await vendor.download(ask, path, signal)
      if (!done.ok) {
        if (uncharged.has(done.error.kind)) await sure(writing(userId, () => jobs.run('unspend', { place: placeOf(userId), amount: cost.value })))
        if (done.error.kind === 'too-large') await sure(writing(userId, () => jobs.run('noteRefused', { place: placeOf(userId), feed: 'databento', wanted, failure: 'unreadable', now: timing.now() })))
        return err(failedOf(vendorFailedBy[done.error.kind], done.error))
      }
      const facts = await read.fillPrices({ userId, contract: wanted.contract })
      return ok(await sure(writing(userId, () => jobs.run('storeVendorFile', { place: placeOf(userId), wanted, facts, now: timing.now(), path }))))
    } finally {
      await rm(path, { force: true })
    }
  }

  /** One session of one feed. A pause that the feed asks for is kept. */
  const fetchOne = async (userId: string, run: Run, feed: PriceFeed, choice: Choice, vendor: Databento | null, wanted: WantedSession): Promise<Result<Fetched, Failed>> => {
    for (let waits = 0; ; waits += 1) {
      const { signal } = run.stopping
      const fetched = feed === 'databento' ? (vendor === null ? err({ code: 'key-refused' as const }) : await fetchFile(userId, vendor, choice, wanted, signal)) : await fetchBars(userId, feed, wanted)
      if (fetched.ok || fetched.error.code !== 'rate-limited' || !('waitMs' in fetched.error)) return fetched
      const waitMs = fetched.error.waitMs ?? 0
      if (waits === mostWaits || waitMs > longestWaitMs) return fetched
      tell(userId, run, { waitsUntil: new Date(timing.now() + waitMs).toISOString() })
      if (!(await slept(timing, waitMs, signal))) return err({ code: 'aborted' })
      tell(userId, run, { waitsUntil: null })
    }
  }

  const tell = (userId: string, run: Run, changes: Partial<FetchProgress>): void => {
    if (run.now === null || runs.get(userId) !== run) return
    run.now = { ...run.now, ...changes }
    progress(userId, run.now)
  }

  /** Throws where the disk is nearly full. */
  const requireRoom = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < leastFreeBytes) throw storeFault('disk-full', 'Too little room to fetch prices')
  }

  /** The sessions that one feed lacks, newest first, until it fails as a whole. */
  const fetchFeed = async (userId: string, run: Run, choice: FeedChoice): Promise<void> => {
    const { feed } = choice
    const { signal } = run.stopping
    const { wanted, isFull } = await sure(wantedOf(userId, choice, feed))
    const noteFailure = (code: FeedFailure, contract: string | null) => sure(put(userId, () => jobs.run('noteFailure', { place: placeOf(userId), feed, failure: { code, contract, at: timing.now() } })))
    if (isFull && wanted.length > 0) return void (await noteFailure('room-full', null))
    if (choice.failure !== null) await sure(put(userId, () => jobs.run('noteFailure', { place: placeOf(userId), feed, failure: null })))
    if (wanted.length === 0) return
    const vendor = feed === 'databento' ? await vendorOf(userId) : null
    const unknown = new Set<string>()
    run.now = { feed, done: 0, total: wanted.length, contract: null, day: null, waitsUntil: null }
    for (const [done, one] of wanted.entries()) {
      if (signal.aborted) return
      tell(userId, run, { done, contract: one.contract, day: isoDay(one.core.to) })
      if (unknown.has(one.contract)) continue
      await requireRoom()
      const fetched = await fetchOne(userId, run, feed, choice, vendor, one)
      if (!fetched.ok && fetched.error.code === 'aborted') return
      const failure = fetched.ok ? fetched.value.failure : fetched.error.code === 'aborted' ? null : fetched.error.code
      if (failure !== null) {
        await noteFailure(failure, isPartial(failure) ? one.contract : null)
        if (!isPartial(failure)) return
        if (failure === 'unknown-contract') {
          unknown.add(one.contract)
          await sure(put(userId, () => jobs.run('noteNothing', { place: placeOf(userId), feed, wanted: one, now: timing.now() })))
        }
      }
      if (fetched.ok && fetched.value.added > 0) run.unseen = true
      if (timing.now() - run.seenTo > betweenStoredMs) seeTo(userId, run)
    }
    tell(userId, run, { done: wanted.length })
  }

  /** Pages read the new prices, and excursions follow: not after each session. */
  const seeTo = (userId: string, run: Run): void => {
    if (!run.unseen || closed) return
    Object.assign(run, { unseen: false, seenTo: timing.now() })
    stored(userId)
  }

  const fetchAll = async (userId: string, run: Run): Promise<void> => {
    let asked: PriceFeed = priceFeeds[0]
    try {
      for (const feed of priceFeeds) {
        asked = feed
        const { choices } = await sure(stateOf(userId))
        const choice = choiceOf(choices, feed)
        if (choice.on && !run.stopping.signal.aborted && (await isReady(userId, feed))) await fetchFeed(userId, run, choice)
      }
    } catch (error) {
      if (sqliteFault(error).code === 'disk-full') stoppedByDisk.set(userId, { feed: asked, at: timing.now() })
      else if (!closed) log.warn({ error }, 'Prices were not fetched')
    } finally {
      // At a shutdown it stays noted, and goes on at the next start.
      if (!closed) await put(userId, () => jobs.run('endFetch', { place: placeOf(userId) })).catch((error: unknown) => { log.warn({ error }, 'The end of a fetch was not noted') })
      seeTo(userId, run)
      runs.delete(userId)
      progress(userId, null)
    }
  }

  const begin = (userId: string): void => {
    const stopping = new AbortController()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const run: Run = { stopping, ended: promise, now: null, seenTo: 0, unseen: false }
    runs.set(userId, run)
    stoppedByDisk.delete(userId)
    void fetchAll(userId, run).finally(() => { resolve(undefined) })
  }

  const stopOf = async (userId: string): Promise<void> => {
    const run = runs.get(userId)
    if (run === undefined) return
    run.stopping.abort()
    await bars.stop(userId).catch(() => undefined)
    await run.ended
  }

  return {
    /** The feeds with what was chosen of them, and the fetch under way. */
    state: async (userId: string): Promise<Result<AnswerOf<Routes['priceFeeds']>, Refused>> => {
      const state = await stateOf(userId)
      if (!state.ok) return state
      const missing = await wantedOf(userId, usual.projectx, null)
      if (!missing.ok) return missing
      const feeds = await Promise.all(
        priceFeeds.map(async (feed) => {
          const { on, failure: noted } = choiceOf(state.value.choices, feed)
          const stopped = stoppedByDisk.get(userId)
          const failure = stopped?.feed === feed ? { code: 'disk-full' as const, contract: null, at: stopped.at } : noted
          return { feed, on, ready: await isReady(userId, feed), failure: failure === null ? null : { ...failure, at: new Date(failure.at).toISOString() } }
        }),
      )
      const { spendLimit, detail } = choiceOf(state.value.choices, 'databento')
      const run = runs.get(userId)
      return ok({ feeds, databento: { hasKey: (await secrets.get(secretOf(userId))) !== null, limit: exactMoney(spendLimit ?? zero), detail: detail ?? 'ohlcv-1s' }, missing: missing.value.wanted.length, fetching: run === undefined ? null : (run.now ?? { feed: null, done: 0, total: 0, contract: null, day: null, waitsUntil: null }) })
    },
    set: async (userId: string, { feed, on }: BodyOf<Routes['setPriceFeed']>): Promise<Result<null, Refused>> => {
      const state = await stateOf(userId)
      if (!state.ok) return state
      const { failure: _, ...choice } = choiceOf(state.value.choices, feed)
      return put(userId, () => jobs.run('setFeed', { place: placeOf(userId), choice: { ...choice, on } }))
    },
    /** Keeps the key among the secrets, and the rest beside the prices. */
    setDatabento: async (userId: string, { key, limit, detail }: BodyOf<Routes['setDatabento']>): Promise<Result<null, Refused>> => {
      const amount = parseAmount(limit)
      if (!amount.ok || amount.value < 0) return refuse('invalid-request', { fields: [{ path: 'limit', message: 'not an amount' }] })
      if (typeof key === 'string' && !isKey(key)) return refuse('invalid-request', { fields: [{ path: 'key', message: 'not a key' }] })
      const state = await stateOf(userId)
      if (!state.ok) return state
      if (key === null) await secrets.remove(secretOf(userId))
      else if (key !== undefined) await secrets.set(secretOf(userId), key)
      const { failure: _, ...choice } = choiceOf(state.value.choices, 'databento')
      return put(userId, () => jobs.run('setFeed', { place: placeOf(userId), choice: { ...choice, spendLimit: amount.value, detail } }))
    },
    /** What Databento would charge for the newest sessions that lack prices, as many as the limit allows. Spends nothing. */
    cost: async (userId: string, signal: AbortSignal = new AbortController().signal): Promise<Result<AnswerOf<Routes['databentoCost']>, Refused>> => {
      const state = await stateOf(userId)
      if (!state.ok) return state
      const choice = choiceOf(state.value.choices, 'databento')
      const limit = choice.spendLimit ?? zero
      const none = { amount: exactMoney(zero), sessions: 0, of: 0, limit: exactMoney(limit), failure: null }
      const vendor = await vendorOf(userId)
      if (vendor === null) return ok({ ...none, failure: 'key-refused' })
      const found = await wantedOf(userId, choice, 'databento')
      if (!found.ok) return found
      const { wanted, isFull } = found.value
      if (isFull) return ok({ ...none, of: wanted.length, failure: 'room-full' })
      let [sum, sessions] = [zero, 0]
      for (let place = 0; place < wanted.length; place += costsAtOnce) {
        const costs = await Promise.all(wanted.slice(place, place + costsAtOnce).map((one) => vendor.cost(askOf(one, choice), signal)))
        for (const cost of costs) {
          // What Databento does not have costs nothing and brings nothing.
          if (!cost.ok && (cost.error.kind === 'unknown-symbol' || cost.error.kind === 'not-available')) continue
          if (!cost.ok) {
            const code = vendorFailedBy[cost.error.kind]
            return ok({ ...none, of: wanted.length, failure: code === 'aborted' ? 'unreachable' : code })
          }
          if (addAmounts(sum, cost.value) > limit) return ok({ ...none, amount: exactMoney(sum), sessions, of: wanted.length })
          sum = addAmounts(sum, cost.value)
          sessions += 1
        }
      }
      return ok({ ...none, amount: exactMoney(sum), sessions, of: wanted.length })
    },
    /** Begins to fetch what trades need; does nothing while a fetch runs. `spend` is what Databento may charge for it. */
    fetch: (userId: string, { spend }: BodyOf<Routes['fetchPrices']>): Promise<Result<null, Refused>> =>
      inOrder(userId, async () => {
        if (runs.has(userId) || closed) return ok(null)
        const allowed = spend === null ? null : parseAmount(spend)
        if (allowed !== null && (!allowed.ok || allowed.value < 0)) return refuse('invalid-request', { fields: [{ path: 'spend', message: 'not an amount' }] })
        const state = await stateOf(userId)
        if (!state.ok) return state
        const limit = choiceOf(state.value.choices, 'databento').spendLimit ?? zero
        if (allowed !== null && allowed.value > limit) return refuse('invalid-request', { fields: [{ path: 'spend', message: 'above the limit' }] })
        const noted = await put(userId, () => jobs.run('beginFetch', { place: placeOf(userId), allowed: allowed?.value ?? null, now: timing.now() }))
        if (noted.ok) begin(userId)
        return noted
      }),
    /** Goes on with a fetch that the end of the program cut off. */
    resume: (userId: string): Promise<void> =>
      inOrder(userId, async () => {
        if (runs.has(userId) || closed || !hasFile(userId)) return
        const state = await stateOf(userId)
        if (state.ok && state.value.underWay !== null) begin(userId)
      }).catch((error: unknown) => { log.warn({ error }, 'A fetch of prices did not go on') }),
    /** Stops the fetch of a user; settles when it has ended. */
    stopFetch: (userId: string): Promise<void> => inOrder(userId, () => stopOf(userId)),
    /** Stops, and forgets the key. */
    forget: async (userId: string): Promise<void> => {
      await inOrder(userId, () => stopOf(userId))
      await secrets.remove(secretOf(userId))
    },
    stop: async (): Promise<void> => {
      closed = true
      await Promise.all([...runs.keys()].map(stopOf))
    },
  }
}

const listed = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
