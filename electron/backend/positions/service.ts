import type { CloseReport, PositionsLive } from '#shared/api/positions.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { CopierCalls } from '../copier/engine/calls.ts'
import type { PositionsNow } from '../copier/engine/positions.ts'
import type { Client } from '../threads/rpc.ts'
import type { Events } from '../events.ts'
import { reckonPositions } from './position-reckoning.ts'
import { refuse, type Refused } from '../refused.ts'
import type { Rights } from '../plans/rights.ts'
import type { RulesOfAccounts } from '../rules/service.ts'
import { stillMs } from '../rules/settled-facts.ts'
import { createKeyedMutex } from '../mutex.ts'

/** Whoever reads positions hears of their changes for so long. */
const watchedMs = 30_000

/** All open positions of a user, live. */
export type Positions = {
  /** How all accounts stand now; for half a minute from now changes are pushed. */
  readonly read: (userId: string) => Promise<Result<PositionsLive, Refused>>
  /** Closing what one holds wants no plan. */
  readonly close: (userId: string, account: string, contract: string) => Promise<Result<CloseReport, Refused>>
  readonly flatten: (userId: string, account: string) => Promise<Result<CloseReport, Refused>>
  /** Keeps positions coming, whether a page reads them or not. */
  readonly watch: (userId: string, on: boolean) => void
  /** Hears of every change of whoever is watched. */
  readonly onLive: (hear: (userId: string, live: PositionsLive) => void) => void
  /** Reckons anew and tells of it where somebody watches: rules changed. */
  readonly again: (userId: string) => Promise<void>
  /** The thread told of a change. */
  readonly told: (userId: string, now: PositionsNow) => void
  /** Nobody's positions are watched any more. */
  readonly stop: () => void
}

/** What positions work with; `now` is UTC ms. */
type Deps = {
  readonly calls: Pick<Client<CopierCalls>, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount'>
  readonly rules: RulesOfAccounts
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  /** Tells the thread of accounts that came or went. */
  readonly accountsMayHaveChanged: (userId: string) => Promise<void>
  readonly log: Pick<Log, 'warn'>
  readonly now: () => number
}

type Watched = { until: number; kept: boolean; on: boolean; timer: NodeJS.Timeout | undefined }

/** Positions over the copier's thread. */
export const createPositions = ({ calls, rules, rights, events, accountsMayHaveChanged, log, now }: Deps): Positions => {
  const users = new Map<string, Watched>()
  const numbers = new Map<string, number>()
  const waiting = new Map<string, PositionsNow>()
  const settling = new Map<string, NodeJS.Timeout>()
  const reckoning = new Set<string>()
  const hearers: ((userId: string, live: PositionsLive) => void)[] = []
  const runExclusive = createKeyedMutex()
  let stopped = false

  const userOf = (userId: string): Watched => {
    const known = users.get(userId) ?? { until: 0, kept: false, on: false, timer: undefined }
    users.set(userId, known)
    return known
  }
  const isWanted = ({ kept, until }: Watched): boolean => !stopped && (kept || now() < until)

  /** Brings the thread to what is wanted now; where that fails it is tried again with the next wish. */
  const bring = (userId: string): Promise<void> =>
    runExclusive(userId, async () => {
      const user = userOf(userId)
      const wanted = isWanted(user)
      if (wanted === user.on) return
      // So that the thread hears of accounts that come later.
      if (wanted) await accountsMayHaveChanged(userId)
      await calls.watch({ userId, on: wanted })
      user.on = wanted
    })
  const later = (userId: string): void => void bring(userId).catch((error: unknown) => log.warn({ error }, 'The copier was not told who watches positions'))

  const reckon = async (userId: string, told: PositionsNow): Promise<PositionsLive> => {
    const entries = await rules.rulesFor(userId)
    const seen = await rules.seen.of(userId, tradingDay(told.at))
    const { live, settles } = reckonPositions({ rules, seen }, entries, told)
    rules.seen.keep(userId)
    clearTimeout(settling.get(userId))
    // Where nothing more is told, this counts a moment later.
    const again = (): void => {
      if (!waiting.has(userId)) heard(userId, { ...told, at: told.at + stillMs })
    }
    if (settles && !stopped) settling.set(userId, setTimeout(again, stillMs).unref())
    const seq = (numbers.get(userId) ?? 0) + 1
    numbers.set(userId, seq)
    return { seq, ...live }
  }

  const tell = async (userId: string, told: PositionsNow): Promise<void> => {
    const live = await reckon(userId, told)
    events.push(userId, { type: 'positions', live })
    for (const hear of hearers) hear(userId, live)
  }

  /** Reckons what was told last, one after another; what came meanwhile is passed over for the newest. */
  const reckonAll = async (userId: string): Promise<void> => {
    if (reckoning.has(userId)) return
    reckoning.add(userId)
    try {
      for (let told = waiting.get(userId); told !== undefined && !stopped; told = waiting.get(userId)) {
        waiting.delete(userId)
        await tell(userId, told)
      }
    } finally {
      reckoning.delete(userId)
    }
  }

  const heard = (userId: string, told: PositionsNow): void => {
    waiting.set(userId, told)
    void reckonAll(userId).catch((error: unknown) => log.warn({ error }, 'Positions could not be reckoned'))
  }

  const closed = async (userId: string, account: string, close: () => Promise<CloseReport>): Promise<Result<CloseReport, Refused>> => {
    if (!(await rules.rulesFor(userId)).has(account)) return refuse('not-found')
    // The thread looks for an account that it does not know by itself: nothing here is to stand in the way.
    await accountsMayHaveChanged(userId).catch((error: unknown) => log.warn({ error }, 'The copier was not told of changed accounts'))
    return ok(await close())
  }

  return {
    read: async (userId) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const user = userOf(userId)
      user.until = now() + watchedMs
      clearTimeout(user.timer)
      user.timer = setTimeout(() => later(userId), watchedMs + 1_000).unref()
      await bring(userId)
      return ok(await reckon(userId, await calls.positionsOf({ userId })))
    },
    close: (userId, account, contract) => closed(userId, account, () => calls.closePosition({ userId, account, contract })),
    flatten: (userId, account) => closed(userId, account, () => calls.flattenAccount({ userId, account })),
    watch: (userId, on) => {
      userOf(userId).kept = on
      later(userId)
    },
    onLive: (hear) => void hearers.push(hear),
    again: async (userId) => {
      if (userOf(userId).on) await tell(userId, await calls.positionsOf({ userId }))
    },
    told: heard,
    stop: () => {
      stopped = true
      for (const { timer } of users.values()) clearTimeout(timer)
      for (const timer of settling.values()) clearTimeout(timer)
    },
  }
}
