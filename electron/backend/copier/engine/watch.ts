import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import type { DayNet } from '#shared/copier/day-bounds.ts'
import type { Fact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Log } from '#shared/base/log.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Logins } from '../../sync/logins.ts'
import { limitsOf, type ReportedLimits } from '../../brokers/tradovate/limit-rows.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import type { CopierMainCalls } from './calls.ts'
import type { LineEvent } from './line-reading.ts'
import type { Lines } from './lines-open.ts'
import type { PositionsNow } from '../../brokers/live.ts'
import { createSnapshots } from './snapshots.ts'
import { createWatchQuotes } from './watch-quotes.ts'
import { accountNow, brokersSession, dayNow, type ReceivedSession, type Reached } from './watch-state.ts'
import { accountsOf } from './fact-intake.ts'
import { isCurrent, lineKey, lineOf, type Account, type RoutedLine, type World } from './world.ts'

/** Minimum interval between reports per user. */
const spacingMs = 200
/** Maximum interval between reports while watching, even without changes. */
const aliveMs = 4_000
/** Without a price for this long, the broker's open P&L is requested too. */
const oldMs = 30_000
/** Interval of reading a line's broker limits; a trailing limit changes while trading. */
const limitsMs = 60_000
/** The same after the balance changed: a floor that trails it moves with it, and is not pushed. */
const movedLimitsMs = 5_000

/** Dependencies of watching. */
export type WatchDeps = {
  readonly world: World
  readonly main: Pick<Client<CopierMainCalls>, 'positions'>
  readonly logins: Pick<Logins, 'open'>
  readonly timing: Timing
  readonly takeCall: (account: Account, kind: CallKind) => CallAllowance
  readonly lines: Pick<Lines, 'readAccounts' | 'failed'>
  readonly keepLines: () => void
  /** Milliseconds until pending copies are on the wire; nothing is computed meanwhile. */
  readonly quietMs: () => number
  readonly log: Log
}

/** Reports all accounts of watching users. */
export const createWatch = ({ world, main, logins, timing, takeCall, lines, keepLines, quietMs, log }: WatchDeps) => {
  const watched = new Set<string>()
  /** What was reported last, by user. */
  const reported = new Map<string, { text: string; at: number; sentAt: number }>()
  /** By line. */
  const sessions = new Map<string, ReceivedSession>()
  const due = new Map<string, NodeJS.Timeout>()
  const downSince = new Map<string, number>()
  /** Lines that wait for the user's consent. */
  const consentless = new Set<string>()
  const limits = new WeakMap<Account['book'], Partial<ReportedLimits>>()
  const askedLimits = new WeakMap<RoutedLine, number>()
  const movedLimits = new WeakSet<RoutedLine>()
  let stopped = false

  const ofUser = (userId: string): Account[] => [...world.accounts.values()].filter((account) => account.userId === userId && !account.gone)

  const reached = (account: Account): Reached => {
    const line = lineOf(world, account)
    const brokerLimits = limits.get(account.book)
    const known = { prices: quotes.pricesOf(account), limits: brokerLimits === undefined ? null : limitsOf(brokerLimits) }
    if (line === null) return { ...known, line: lines.failed(account) ? 'none' : 'connecting', downSince: null }
    if (consentless.has(line.key)) return { ...known, line: 'none', downSince: null }
    return { ...known, line: isCurrent(world, account) ? 'up' : line.state === 'up' ? 'connecting' : line.state, downSince: downSince.get(line.key) ?? null }
  }
  const nowOf = (account: Account, now: number): PositionsNow['accounts'][number] =>
    accountNow(account, reached(account), { day: tradingDay(now), received: brokersSession(sessions.get(lineKey(account)), now) })
  const collect = (userId: string): PositionsNow['accounts'] => {
    const now = wallOf(timing)
    return ofUser(userId).map((account) => nowOf(account, now))
  }

  const recordSession = (line: RoutedLine, facts: readonly Fact[]): void => {
    let session = ''
    for (const fact of facts) if ((fact.kind === 'fill' || fact.kind === 'position' || fact.kind === 'cash') && fact.session > session) session = fact.session
    if (session !== '') sessions.set(line.key, { session, at: wallOf(timing) })
  }

  const publish = (userId: string): void => {
    due.delete(userId)
    if (stopped || !watched.has(userId)) return
    const quiet = quietMs()
    if (quiet > 0) {
      due.set(userId, setTimeout(() => publish(userId), quiet))
      return
    }
    const accounts = collect(userId)
    const text = JSON.stringify(accounts)
    const at = performance.now()
    const before = reported.get(userId)
    const isDue = text !== before?.text || at - before.sentAt >= aliveMs
    reported.set(userId, { text, at, sentAt: isDue ? at : before.sentAt })
    if (isDue) void main.positions({ userId, now: { at: wallOf(timing), accounts } }).catch(() => undefined)
  }
  const touch = (userId: string): void => {
    if (stopped || !watched.has(userId) || due.has(userId)) return
    const since = performance.now() - (reported.get(userId)?.at ?? -Infinity)
    due.set(userId, setTimeout(() => publish(userId), Math.max(0, spacingMs - since)))
  }

  const quotes = createWatchQuotes({ world, logins, timing, received: touch, log })
  const snapshots = createSnapshots({ world, timing, takeCall, received: ({ userId }) => touch(userId) })

  const readLimits = (): void => {
    const now = timing.now()
    for (const line of world.lines.values()) {
      const [account] = accountsOf(world, line).values()
      if (line.state !== 'up' || !watched.has(line.userId) || account === undefined || now - (askedLimits.get(line) ?? -Infinity) < (movedLimits.has(line) ? movedLimitsMs : limitsMs) || !takeCall(account, 'poll').ok) continue
      askedLimits.set(line, now)
      movedLimits.delete(line)
      void line.connection.readLimits()
    }
  }

  /** Whether current prices do not cover an account's open P&L. */
  const lacksPrices = (account: Account): boolean => {
    const { book, contracts: { marks } } = account
    const oldest = timing.now() - oldMs
    return quotes.pricesOf(account) !== 'live' || book.contracts().some((id) => book.net(id) !== 0 && (marks.get(id)?.at ?? -Infinity) < oldest)
  }

  /** Call every second. */
  const look = (): void => {
    const accounts = [...world.accounts.values()].filter(({ userId, gone }) => watched.has(userId) && !gone)
    quotes.look(accounts)
    snapshots.want(accounts.filter(lacksPrices))
    snapshots.look()
    readLimits()
    for (const userId of watched) touch(userId)
  }

  return {
    calls: {
      /** While on, keeps the lines of all the user's accounts open and reports changes as `positions`. */
      watch: async ({ userId, on }: { readonly userId: string; readonly on: boolean }): Promise<void> => {
        if (!on) {
          watched.delete(userId)
          reported.delete(userId)
          keepLines()
          look()
          return
        }
        await lines.readAccounts(userId)
        watched.add(userId)
        keepLines()
        look()
      },
      /** The positions of all accounts of a user, as far as open lines know them. */
      positionsOf: ({ userId }: { readonly userId: string }): PositionsNow => ({ at: wallOf(timing), accounts: collect(userId) }),
    },
    isWatched: (userId: string): boolean => watched.has(userId),
    /** A line emitted an event. */
    take: (line: RoutedLine, event: LineEvent): void => {
      if (event.kind === 'state') {
        if (event.state === 'up') downSince.delete(line.key)
        else if (!downSince.has(line.key)) downSince.set(line.key, timing.now())
        if (event.why === 'login-needed') consentless.add(line.key)
        else if (event.state === 'up') consentless.delete(line.key)
      }
      if (event.kind === 'limits') {
        const accounts = accountsOf(world, line)
        for (const { accountId, limits: row } of event.rows) {
          const account = accounts.get(accountId)
          if (account !== undefined) limits.set(account.book, { ...limits.get(account.book), ...row })
        }
      }
      if (event.kind === 'facts' && event.source === 'socket') {
        recordSession(line, event.facts)
        if (event.facts.some(({ kind }) => kind === 'cash')) movedLimits.add(line)
      }
      touch(line.userId)
    },
    /** Requests the open P&L of accounts, watched or not. */
    wantOpen: snapshots.want,
    /** An account's net P&L of the day, from the same figures as the reports. */
    dayOf: (account: Account): DayNet | null => {
      return dayNow(account, nowOf(account, wallOf(timing)), timing.now())
    },
    look,
    /** A user's tokens were replaced. */
    renew: quotes.renew,
    /** Pauses work for `ms` while copies are being sent. */
    hush: quotes.hush,
    stop: (): void => {
      stopped = true
      quotes.stop()
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}
