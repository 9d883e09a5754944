import type { CloseReport, PositionsLive } from '#shared/api/positions.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { CopierCalls } from '../copier/engine/engine.ts'
import type { PositionsNow } from '../brokers/live.ts'
import type { Client } from '../threads/rpc.ts'
import type { Events } from '../events.ts'
import { computePositions } from './compute-positions.ts'
import type { SyncThread } from '../sync/service.ts'
import type { Rights } from '../plans/rights.ts'
import type { RulesOfAccounts } from '../rules/service.ts'
import { stillMs } from '../rules/settled-facts.ts'
import { createKeyedMutex } from '../mutex.ts'

/** How long changes are pushed after a read, of positions or of what follows from them. */
const watchMs = 30_000

/** `now` is UTC ms. */
type Deps = {
  readonly calls: Pick<Client<CopierCalls>, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount'>
  /** The live accounts of logins with a key. */
  readonly keyLogins: Pick<SyncThread, 'watch' | 'positionsOf'>
  readonly rules: RulesOfAccounts
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  /** Sends added and removed accounts to the thread. */
  readonly accountsMayHaveChanged: (userId: string) => Promise<void>
  readonly log: Pick<Log, 'warn'>
  readonly now: () => number
}

type Source = 'lines' | 'keys'
type Watch = { until: number; kept: boolean; on: boolean; timer: NodeJS.Timeout | undefined }

/** A user's open positions, live. */
export type Positions = ReturnType<typeof createPositions>

export const createPositions = ({ calls, keyLogins, rules, rights, events, accountsMayHaveChanged, log, now }: Deps) => {
  const users = new Map<string, Watch>()
  const numbers = new Map<string, number>()
  const newest = new Map<string, PositionsNow>()
  /** The last report of each source, by user. */
  const sources = new Map<string, Partial<Record<Source, PositionsNow>>>()
  const settling = new Map<string, NodeJS.Timeout>()
  const publishing = new Set<string>()
  const listeners: ((userId: string, live: PositionsLive) => void)[] = []
  const runExclusive = createKeyedMutex()
  let stopped = false

  const userOf = (userId: string): Watch => {
    const known = users.get(userId) ?? { until: 0, kept: false, on: false, timer: undefined }
    users.set(userId, known)
    return known
  }
  const isWanted = ({ kept, until }: Watch): boolean => !stopped && (kept || now() < until)

  /** Starts or stops the thread's watch as needed; the next request retries a failure. */
  const syncWatch = (userId: string): Promise<void> =>
    runExclusive(userId, async () => {
      const user = userOf(userId)
      const wanted = isWanted(user)
      if (wanted === user.on) return
      // The thread must know accounts that were added since.
      if (wanted) await accountsMayHaveChanged(userId)
      await Promise.all([calls.watch({ userId, on: wanted }), keyLogins.watch({ userId, on: wanted })])
      user.on = wanted
    })
  const syncWatchLater = (userId: string): void => void syncWatch(userId).catch((error: unknown) => log.warn({ error }, 'watching positions failed'))

  const keepOn = (userId: string): Promise<void> => {
    const user = userOf(userId)
    user.until = now() + watchMs
    clearTimeout(user.timer)
    user.timer = setTimeout(() => syncWatchLater(userId), watchMs + 1_000).unref()
    return syncWatch(userId)
  }

  const compute = async (userId: string, now: PositionsNow): Promise<PositionsLive> => {
    const entries = await rules.rulesFor(userId)
    const seen = await rules.seen.of(userId, tradingDay(now.at))
    const { live, settles } = computePositions({ rules, seen }, entries, now)
    rules.seen.keep(userId)
    clearTimeout(settling.get(userId))
    // If no update follows, settle these figures a moment later.
    const settle = (): void => {
      if (!newest.has(userId)) publishLater(userId, { ...now, at: now.at + stillMs })
    }
    if (settles && !stopped) settling.set(userId, setTimeout(settle, stillMs).unref())
    const seq = (numbers.get(userId) ?? 0) + 1
    numbers.set(userId, seq)
    return { seq, ...live }
  }

  const publish = async (userId: string, now: PositionsNow): Promise<void> => {
    const live = await compute(userId, now)
    events.push(userId, { type: 'positions', live })
    for (const listener of listeners) listener(userId, live)
  }

  /** Publishes one update after another; skips all but the newest. */
  const publishNewest = async (userId: string): Promise<void> => {
    if (publishing.has(userId)) return
    publishing.add(userId)
    try {
      for (let next = newest.get(userId); next !== undefined && !stopped; next = newest.get(userId)) {
        newest.delete(userId)
        await publish(userId, next)
      }
    } finally {
      publishing.delete(userId)
    }
  }

  const publishLater = (userId: string, now: PositionsNow): void => {
    newest.set(userId, now)
    void publishNewest(userId).catch((error: unknown) => log.warn({ error }, 'computing positions failed'))
  }

  const merged = ({ lines, keys }: Partial<Record<Source, PositionsNow>>): PositionsNow => ({ at: Math.max(lines?.at ?? 0, keys?.at ?? 0), accounts: [...(lines?.accounts ?? []), ...(keys?.accounts ?? [])] })

  const update = (userId: string, source: Source, latest: PositionsNow): void => {
    const known = { ...sources.get(userId), [source]: latest }
    sources.set(userId, known)
    publishLater(userId, merged(known))
  }

  const readNow = async (userId: string): Promise<PositionsNow> => {
    const [lines, keys] = await Promise.all([calls.positionsOf({ userId }), keyLogins.positionsOf({ userId })])
    sources.set(userId, { lines, keys })
    return merged({ lines, keys })
  }

  const closeIn = async (userId: string, account: string, close: () => Promise<CloseReport>): Promise<Result<CloseReport, Refused>> => {
    // Orders go over Tradovate alone.
    if (platformOf(account) !== 'Tradovate' || !(await rules.rulesFor(userId)).has(account)) return refuse('not-found')
    // The thread looks up unknown accounts itself: a failure here must not block the close.
    await accountsMayHaveChanged(userId).catch((error: unknown) => log.warn({ error }, 'sending changed accounts to the copier failed'))
    return ok(await close())
  }

  return {
    /** All accounts now. Changes are pushed for the next half minute. */
    read: async (userId: string): Promise<Result<PositionsLive, Refused>> => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      await keepOn(userId)
      return ok(await compute(userId, await readNow(userId)))
    },
    /** Needs no plan. */
    close: (userId: string, account: string, contract: string): Promise<Result<CloseReport, Refused>> => closeIn(userId, account, () => calls.closePosition({ userId, account, contract })),
    flatten: (userId: string, account: string): Promise<Result<CloseReport, Refused>> => closeIn(userId, account, () => calls.flattenAccount({ userId, account })),
    /** Keeps positions live without a page that reads them. */
    watch: (userId: string, on: boolean): void => {
      userOf(userId).kept = on
      syncWatchLater(userId)
    },
    /** Keeps positions live for the next half minute if the user's plan has them: a page shows standings that follow from them. */
    keepLive: async (userId: string): Promise<void> => {
      const wasOn = userOf(userId).on
      if (!(await rights.require(userId, 'autosync')).ok) return
      await keepOn(userId)
      if (!wasOn) publishLater(userId, await readNow(userId))
    },
    /** Whether changes of a user's positions are heard. */
    isOn: (userId: string): boolean => userOf(userId).on,
    /** Calls `listener` with every change of a watched user. */
    onLive: (listener: (userId: string, live: PositionsLive) => void): void => void listeners.push(listener),
    /** Recomputes and publishes a watched user's positions, after rules changed. */
    recompute: async (userId: string): Promise<void> => {
      if (userOf(userId).on) await publish(userId, await readNow(userId))
    },
    /** Takes a change from the copier's lines, or from logins with a key. */
    update,
    /** Stops all timers and updates. */
    stop: (): void => {
      stopped = true
      for (const { timer } of users.values()) clearTimeout(timer)
      for (const timer of settling.values()) clearTimeout(timer)
    },
  }
}
