import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { FetchProgress } from '#shared/api/price-fetch.ts'
import type { priceRoutes } from '#shared/api/prices.ts'
import { wrongField, type Refused } from '#shared/api/refused.ts'
import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import { isKey } from '#shared/base/endpoint-rules.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { addAmounts, exactMoney, parseAmount, zero, type Amount } from '#shared/money/money.ts'
import { databentoSymbol, projectxContractId } from '#shared/prices/feed-names.ts'
import { isPartial, priceFeeds, type FeedFailure, type PriceFeed, type VendorDetail } from '#shared/prices/feeds.ts'
import type { BarsRead } from '../brokers/bars.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import { sleepUnlessAborted, type Timing } from '../brokers/timing.ts'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createKeyedMutex } from '../mutex.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { BarRequest } from '../sync/bars.ts'
import { createDatabento, type Databento, type DatabentoFailure } from './databento/client.ts'
import type { FeedChoice, WantedSession } from './feed-queries.ts'
import type { PriceThread } from './price-thread.ts'
import type { Fetched } from './save-fetched.ts'

type Routes = typeof priceRoutes
type Login = Awaited<ReturnType<JournalCalls['read']['logins']>>[number]

/** `folder` holds files while they are being fetched; `progress` is called at each step of a fetch, and with null at its end; `stored` is called with a user who has new prices. */
type Deps = {
  readonly read: Pick<JournalCalls['read'], 'fillPrices' | 'neededPrices' | 'logins' | 'projectxContracts'>
  readonly bars: { readonly read: (request: BarRequest) => Promise<Result<BarsRead, BrokerFailure>>; readonly stop: (userId: string) => Promise<void> }
  readonly thread: PriceThread
  readonly secrets: Secrets
  readonly databentoUrl: string
  readonly folder: string
  readonly progress: (userId: string, progress: FetchProgress | null) => void
  readonly stored: (userId: string) => void
  readonly timing: Timing
  readonly log: Log
}

/** Fetching prices: the feeds and their settings, and one running fetch per user. */
export type PriceFeeds = ReturnType<typeof createPriceFeeds>

type Choice = Omit<FeedChoice, 'failure'>
/** Why a request failed. `aborted`: the user, or the program, stopped it. */
type FailedFetch = { readonly code: FeedFailure; readonly waitMs?: number } | { readonly code: 'aborted' }
type FeedRun = {
  readonly stopping: AbortController
  readonly ended: Promise<void>
  now: FetchProgress | null
  /** When new prices were last announced (UTC ms), and whether some were stored since. */
  announcedAt: number
  hasNew: boolean
}

const hour = 3_600_000
const second = 1_000_000
/** The finest grain that a feed may have, in µs: prices stored at this grain or finer are not requested. */
const finestGrain: Record<PriceFeed, (detail: VendorDetail) => number> = { projectx: () => second, databento: (detail) => (detail === 'trades' ? 0 : second), tradovate: () => 60 * second }
/** How old prices must be: Databento sells them after a day. */
const delayMs: Record<PriceFeed, number> = { projectx: 0, databento: 24 * hour, tradovate: 0 }
const defaults: Record<PriceFeed, Choice> = {
  projectx: { feed: 'projectx', on: true, spendLimit: null, detail: null },
  databento: { feed: 'databento', on: true, spendLimit: 50_000 as Amount, detail: 'ohlcv-1s' },
  // Off by default: without a permission for the account, the exchange's prices from a broker are for display there only.
  tradovate: { feed: 'tradovate', on: false, spendLimit: null, detail: null },
}
/** A wait that a feed requests is honored up to this; a longer one ends the feed's part of the fetch. */
const longestWaitMs = 5 * 60_000
const mostWaits = 3
const betweenAnnouncementsMs = 5_000
const costsAtOnce = 4
/** With less free disk space nothing is requested: paid prices must have room. */
const leastFreeBytes = 256 * 1024 ** 2
const unfinished = /^fetched-.*\.csv$/

const brokerFailures: Record<BrokerFailure['kind'], FeedFailure | 'aborted'> = {
  'login-needed': 'login-needed', 'no-tokens': 'login-needed', 'session-pushed-out': 'login-needed', 'permission-missing': 'no-permission', 'not-found': 'unknown-contract', 'wrong-host': 'unreachable', 'rate-limited': 'rate-limited',
  penalty: 'rate-limited', captcha: 'rate-limited', 'refused-by-broker': 'refused', unreachable: 'unreachable', 'unreadable-answer': 'unreadable', database: 'refused', aborted: 'aborted',
}
const vendorFailures: Record<DatabentoFailure['kind'], FeedFailure | 'aborted'> = {
  'key-refused': 'key-refused', 'payment-needed': 'payment-needed', 'no-permission': 'no-permission', 'unknown-symbol': 'unknown-contract', 'not-available': 'not-available', unreachable: 'unreachable', refused: 'refused', unreadable: 'unreadable', 'too-large': 'unreadable', aborted: 'aborted', 'rate-limited': 'rate-limited',
}
/** Failures before any prices are sent, which Databento does not charge. After a lost connection nobody knows. */
const uncharged: ReadonlySet<DatabentoFailure['kind']> = new Set(['key-refused', 'payment-needed', 'no-permission', 'unknown-symbol', 'not-available', 'refused', 'rate-limited'])
const failedAs = (code: FeedFailure | 'aborted', failure: object): FailedFetch =>
  code !== 'aborted' && 'waitMs' in failure && typeof failure.waitMs === 'number' ? { code, waitMs: failure.waitMs } : { code }

const secretOf = (userId: string): string => `databento-key:${userId}`
const isoDay = (us: number): string => new Date(us / 1000).toISOString().slice(0, 10)

export const createPriceFeeds = ({ read, bars, thread, secrets, databentoUrl, folder, progress, stored, timing, log }: Deps) => {
  const { jobs, pathsOf, hasFile, guarded, writing } = thread
  const runs = new Map<string, FeedRun>()
  /** The feed that a full disk stopped, and when (UTC ms), by user. In memory: that disk may have no room to record it. */
  const stoppedByDisk = new Map<string, { readonly feed: PriceFeed; readonly at: number }>()
  // Starts and stops of one user's fetch must not overlap.
  const inOrder = createKeyedMutex()
  let closed = false
  // Files that a killed program left behind.
  for (const name of filesIn(folder)) if (unfinished.test(name)) rmSync(join(folder, name), { force: true })

  const write = async (userId: string, work: () => Promise<unknown>): Promise<Result<null, Refused>> => {
    const done = await writing(userId, work)
    return done.ok ? ok(null) : done
  }
  /** The value, or a throw: a damaged price file ends the fetch. */
  const orThrow = async <T>(work: Promise<Result<T, Refused>>): Promise<T> => {
    const done = await work
    if (!done.ok) throw new Error(`Prices could not be stored: ${done.error.code}`)
    return done.value
  }

  const choiceOf = (choices: readonly FeedChoice[], feed: PriceFeed): FeedChoice => {
    const found = choices.find((one) => one.feed === feed)
    if (found === undefined) return { ...defaults[feed], failure: null }
    return { ...found, spendLimit: found.spendLimit ?? defaults[feed].spendLimit, detail: found.detail ?? defaults[feed].detail }
  }
  const stateOf = (userId: string) => guarded(() => jobs.run('feeds', { paths: pathsOf(userId) }))
  const wantedOf = async (userId: string, choice: Choice, feed: PriceFeed | null) => {
    const needed = await read.neededPrices({ userId })
    if (needed.length === 0) return ok({ wanted: [], isFull: false })
    const now = timing.now()
    return guarded(() => jobs.run('wanted', { paths: pathsOf(userId), needed, feed, grain: feed === null ? 60 * second : finestGrain[feed](choice.detail ?? 'ohlcv-1s'), now, latest: now - (feed === null ? 0 : delayMs[feed]) }))
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

  const requestOf = ({ key, span }: WantedSession, { detail }: Choice) => ({ symbol: databentoSymbol(key), detail: detail ?? 'ohlcv-1s', ...span })

  const fetchBars = async (userId: string, feed: 'projectx' | 'tradovate', wanted: WantedSession): Promise<Result<Fetched, FailedFetch>> => {
    const { contract, key, tickSize, span } = wanted
    const brokerContractId = feed === 'projectx' ? projectxContractId(key, await read.projectxContracts({ userId })) : null
    let failure: FailedFetch = { code: 'login-needed' }
    // One login may have a permission that another lacks.
    for (const { id: loginId, broker } of await loginsOf(userId, feed)) {
      const answer = await bars.read({ userId, loginId, broker, contract, brokerContractId, tickSize, from: Math.floor(span.from / 1000), to: Math.ceil(span.to / 1000) })
      if (answer.ok) {
        const facts = await read.fillPrices({ userId, contract })
        return ok(await orThrow(writing(userId, () => jobs.run('saveBars', { paths: pathsOf(userId), wanted, facts, now: timing.now(), source: feed === 'projectx' ? 'projectx-bars' : 'tradovate-bars', lists: answer.value.lists }))))
      }
      failure = failedAs(brokerFailures[answer.error.kind], answer.error)
      if (failure.code !== 'no-permission' && failure.code !== 'login-needed') break
    }
    return err(failure)
  }

  const fetchFile = async (userId: string, vendor: Databento, choice: Choice, wanted: WantedSession, signal: AbortSignal): Promise<Result<Fetched, FailedFetch>> => {
    const ask = requestOf(wanted, choice)
    const cost = await vendor.cost(ask, signal)
    if (!cost.ok) return err(failedAs(vendorFailures[cost.error.kind], cost.error))
    if (!(await orThrow(writing(userId, () => jobs.run('spend', { paths: pathsOf(userId), amount: cost.value }))))) return err({ code: 'over-limit' })
    const path = join(folder, `fetched-${randomUUID()}.csv`)
    try {
      const done = await vendor.download(ask, path, signal)
      if (!done.ok) {
        if (uncharged.has(done.error.kind)) await orThrow(writing(userId, () => jobs.run('unspend', { paths: pathsOf(userId), amount: cost.value })))
        if (done.error.kind === 'too-large') await orThrow(writing(userId, () => jobs.run('recordRefusal', { paths: pathsOf(userId), feed: 'databento', wanted, failure: 'unreadable', now: timing.now() })))
        return err(failedAs(vendorFailures[done.error.kind], done.error))
      }
      const facts = await read.fillPrices({ userId, contract: wanted.contract })
      return ok(await orThrow(writing(userId, () => jobs.run('saveVendorFile', { paths: pathsOf(userId), wanted, facts, now: timing.now(), path }))))
    } finally {
      await rm(path, { force: true })
    }
  }

  /** Fetches one session from one feed, honoring the waits that the feed requests. */
  const fetchOne = async (userId: string, run: FeedRun, feed: PriceFeed, choice: Choice, vendor: Databento | null, wanted: WantedSession): Promise<Result<Fetched, FailedFetch>> => {
    for (let waits = 0; ; waits += 1) {
      const { signal } = run.stopping
      const fetched = feed === 'databento' ? (vendor === null ? err({ code: 'key-refused' as const }) : await fetchFile(userId, vendor, choice, wanted, signal)) : await fetchBars(userId, feed, wanted)
      if (fetched.ok || fetched.error.code !== 'rate-limited' || !('waitMs' in fetched.error)) return fetched
      const waitMs = fetched.error.waitMs ?? 0
      if (waits === mostWaits || waitMs > longestWaitMs) return fetched
      report(userId, run, { waitsUntil: new Date(timing.now() + waitMs).toISOString() })
      if (!(await sleepUnlessAborted(timing, waitMs, signal))) return err({ code: 'aborted' })
      report(userId, run, { waitsUntil: null })
    }
  }

  const report = (userId: string, run: FeedRun, changes: Partial<FetchProgress>): void => {
    if (run.now === null || runs.get(userId) !== run) return
    run.now = { ...run.now, ...changes }
    progress(userId, run.now)
  }

  /** Throws if the disk is nearly full. */
  const requireRoom = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < leastFreeBytes) throw storeFault('disk-full', 'Too little room to fetch prices')
  }

  /** Fetches the missing sessions from one feed, newest first, until the feed fails as a whole. */
  const fetchFeed = async (userId: string, run: FeedRun, choice: FeedChoice): Promise<void> => {
    const { feed } = choice
    const { signal } = run.stopping
    const { wanted, isFull } = await orThrow(wantedOf(userId, choice, feed))
    const recordFailure = (code: FeedFailure, contract: string | null) => orThrow(write(userId, () => jobs.run('recordFailure', { paths: pathsOf(userId), feed, failure: { code, contract, at: timing.now() } })))
    if (isFull && wanted.length > 0) return void (await recordFailure('room-full', null))
    if (choice.failure !== null) await orThrow(write(userId, () => jobs.run('recordFailure', { paths: pathsOf(userId), feed, failure: null })))
    if (wanted.length === 0) return
    const vendor = feed === 'databento' ? await vendorOf(userId) : null
    const unknown = new Set<string>()
    run.now = { feed, done: 0, total: wanted.length, contract: null, day: null, waitsUntil: null }
    for (const [done, one] of wanted.entries()) {
      if (signal.aborted) return
      report(userId, run, { done, contract: one.contract, day: isoDay(one.core.to) })
      if (unknown.has(one.contract)) continue
      await requireRoom()
      const fetched = await fetchOne(userId, run, feed, choice, vendor, one)
      if (!fetched.ok && fetched.error.code === 'aborted') return
      const failure = fetched.ok ? fetched.value.failure : fetched.error.code === 'aborted' ? null : fetched.error.code
      if (failure !== null) {
        await recordFailure(failure, isPartial(failure) ? one.contract : null)
        if (!isPartial(failure)) return
        if (failure === 'unknown-contract') {
          unknown.add(one.contract)
          await orThrow(write(userId, () => jobs.run('recordNothing', { paths: pathsOf(userId), feed, wanted: one, now: timing.now() })))
        }
      }
      if (fetched.ok && fetched.value.added > 0) run.hasNew = true
      if (timing.now() - run.announcedAt > betweenAnnouncementsMs) announce(userId, run)
    }
    report(userId, run, { done: wanted.length })
  }

  /** Announces new prices: pages read them, and excursions are recomputed. Not after each session, because that is slow. */
  const announce = (userId: string, run: FeedRun): void => {
    if (!run.hasNew || closed) return
    Object.assign(run, { hasNew: false, announcedAt: timing.now() })
    stored(userId)
  }

  const fetchAll = async (userId: string, run: FeedRun): Promise<void> => {
    let asked: PriceFeed = priceFeeds[0]
    try {
      for (const feed of priceFeeds) {
        asked = feed
        const { choices } = await orThrow(stateOf(userId))
        const choice = choiceOf(choices, feed)
        if (choice.on && !run.stopping.signal.aborted && (await isReady(userId, feed))) await fetchFeed(userId, run, choice)
      }
    } catch (error) {
      if (sqliteFault(error).code === 'disk-full') stoppedByDisk.set(userId, { feed: asked, at: timing.now() })
      else if (!closed) log.warn({ error }, 'fetching prices failed')
    } finally {
      // At a shutdown the fetch stays recorded, so that the next start resumes it.
      if (!closed) await write(userId, () => jobs.run('endFetch', { paths: pathsOf(userId) })).catch((error: unknown) => { log.warn({ error }, 'recording the end of a fetch failed') })
      announce(userId, run)
      runs.delete(userId)
      progress(userId, null)
    }
  }

  const begin = (userId: string): void => {
    const stopping = new AbortController()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const run: FeedRun = { stopping, ended: promise, now: null, announcedAt: 0, hasNew: false }
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
    /** The feeds with their settings, and the running fetch. */
    state: async (userId: string): Promise<Result<AnswerOf<Routes['priceFeeds']>, Refused>> => {
      const state = await stateOf(userId)
      if (!state.ok) return state
      const missing = await wantedOf(userId, defaults.projectx, null)
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
      const hasKey = (await secrets.get(secretOf(userId))) !== null
      const run = runs.get(userId)
      return ok({
        feeds,
        databento: { hasKey, limit: exactMoney(spendLimit ?? zero), detail: detail ?? 'ohlcv-1s' },
        missing: missing.value.wanted.length,
        fetching: run === undefined ? null : (run.now ?? { feed: null, done: 0, total: 0, contract: null, day: null, waitsUntil: null }),
      })
    },
    set: async (userId: string, { feed, on }: BodyOf<Routes['setPriceFeed']>): Promise<Result<null, Refused>> => {
      const state = await stateOf(userId)
      if (!state.ok) return state
      const { failure: _, ...choice } = choiceOf(state.value.choices, feed)
      return write(userId, () => jobs.run('setFeed', { paths: pathsOf(userId), choice: { ...choice, on } }))
    },
    /** Saves the key in the secret store, and the rest with the prices. */
    setDatabento: async (userId: string, { key, limit, detail }: BodyOf<Routes['setDatabento']>): Promise<Result<null, Refused>> => {
      const amount = parseAmount(limit)
      if (!amount.ok || amount.value < 0) return wrongField('limit', 'not an amount')
      if (typeof key === 'string' && !isKey(key)) return wrongField('key', 'not a key')
      const state = await stateOf(userId)
      if (!state.ok) return state
      if (key === null) await secrets.remove(secretOf(userId))
      else if (key !== undefined) await secrets.set(secretOf(userId), key)
      const { failure: _, ...choice } = choiceOf(state.value.choices, 'databento')
      return write(userId, () => jobs.run('setFeed', { paths: pathsOf(userId), choice: { ...choice, spendLimit: amount.value, detail } }))
    },
    /** Databento's price for the newest sessions without prices, as many as the limit allows. Spends nothing. */
    cost: async (userId: string): Promise<Result<AnswerOf<Routes['databentoCost']>, Refused>> => {
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
        const costs = await Promise.all(wanted.slice(place, place + costsAtOnce).map((one) => vendor.cost(requestOf(one, choice), new AbortController().signal)))
        for (const cost of costs) {
          // Databento does not charge for what it does not have.
          if (!cost.ok && (cost.error.kind === 'unknown-symbol' || cost.error.kind === 'not-available')) continue
          if (!cost.ok) {
            const code = vendorFailures[cost.error.kind]
            return ok({ ...none, of: wanted.length, failure: code === 'aborted' ? 'unreachable' : code })
          }
          if (addAmounts(sum, cost.value) > limit) return ok({ ...none, amount: exactMoney(sum), sessions, of: wanted.length })
          sum = addAmounts(sum, cost.value)
          sessions += 1
        }
      }
      return ok({ ...none, amount: exactMoney(sum), sessions, of: wanted.length })
    },
    /** Starts fetching the prices that trades need; does nothing while a fetch runs. `spend` is what Databento may charge for it. */
    fetch: (userId: string, { spend }: BodyOf<Routes['fetchPrices']>): Promise<Result<null, Refused>> =>
      inOrder(userId, async () => {
        if (runs.has(userId) || closed) return ok(null)
        const allowed = spend === null ? null : parseAmount(spend)
        if (allowed !== null && (!allowed.ok || allowed.value < 0)) return wrongField('spend', 'not an amount')
        const state = await stateOf(userId)
        if (!state.ok) return state
        const limit = choiceOf(state.value.choices, 'databento').spendLimit ?? zero
        if (allowed !== null && allowed.value > limit) return wrongField('spend', 'above the limit')
        const noted = await write(userId, () => jobs.run('beginFetch', { paths: pathsOf(userId), allowed: allowed?.value ?? null, now: timing.now() }))
        if (noted.ok) begin(userId)
        return noted
      }),
    /** Resumes a fetch that the end of the program interrupted. */
    resume: (userId: string): Promise<void> =>
      inOrder(userId, async () => {
        if (runs.has(userId) || closed || !hasFile(userId)) return
        const state = await stateOf(userId)
        if (state.ok && state.value.underWay !== null) begin(userId)
      }).catch((error: unknown) => { log.warn({ error }, 'price fetch could not be resumed') }),
    /** Stops the fetch of a user; settles when it has ended. */
    stopFetch: (userId: string): Promise<void> => inOrder(userId, () => stopOf(userId)),
    /** Stops the fetch of a user, and deletes the key. */
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

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
