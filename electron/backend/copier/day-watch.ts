import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import { boundReached, dayNetOf, openOf, type DayNet } from '#shared/copier/day-bounds.ts'
import { flattens, locked, onDay } from '#shared/copier/lock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { parseAmount } from '#shared/money/money.ts'
import type { CopierStore } from '../store/copier/rows.ts'
import type { Timing } from '../tradovate/timing.ts'
import { followerRow } from './groups-kept.ts'
import { following } from './steps.ts'
import { isUp, lineOf, type Account, type Follower, type Group, type World } from './world.ts'

/** Each login is asked for the open P&L of one account at most so often. */
const pollMs = 1_000
/** A snapshot is good for so long. */
const freshMs = 5_000

/** What watching the days works with. */
export type DayParts = {
  readonly world: World
  readonly store: CopierStore
  readonly timing: Timing
  readonly leave: (account: Account, kind: CallKind) => CallLeave
  /** A bound was reached: the follower is locked already, and is to be closed. */
  readonly close: (group: Group, follower: Follower) => void
  /** A lock that had closed the follower's positions ended: what the leader holds by now is not copied. */
  readonly beginAgain: (group: Group, follower: Follower) => void
  readonly changed: (group: Group) => void
}

/** The day's net of an account, open P&L included; null while a part of it is not known. */
export const dayNet = (account: Account, now: number): DayNet | null => {
  const { byId, marks } = account.contracts
  let changedAt = 0
  const positions = account.book.contracts().flatMap((id) => {
    const net = account.book.net(id)
    const row = account.book.row(id)
    changedAt = Math.max(changedAt, row?.time ?? 0)
    const contract = byId.get(id)
    return net === 0 || contract === undefined ? [] : [{ net, netPrice: row?.netPrice ?? '', mark: marks.get(id) ?? null, valuePerPoint: contract.valuePerPoint }]
  })
  const told = account.open?.positions === positionsOf(account) ? account.open : null
  return dayNetOf(account.book.cash(), openOf(positions, told, changedAt), now)
}

/** What an account holds, and how it came there, as one word. The broker's clock and ours differ, so that times do not tell whether a snapshot is of these positions. */
const positionsOf = ({ book }: Account): string => book.contracts().map((id) => [id, book.net(id), book.row(id)?.bought ?? '', book.row(id)?.sold ?? ''].join(' ')).join(',')

/** Watches bounds, locks and days. */
export type DayWatch = { readonly look: () => void }

/** The watch of one engine. */
export const createDayWatch = ({ world, store, timing, leave, close, beginAgain, changed }: DayParts): DayWatch => {
  const polledAt = new Map<string, number>()
  const askedAt = new Map<string, number>()

  const watch = (group: Group, follower: Follower, account: Account, now: number): void => {
    const { lock, rejects, day } = follower
    const state = onDay({ lock, rejects, day }, tradingDay(now))
    let next = state
    if (account.restricted || account.closed) next = locked(next, 'account-restricted')
    // What is locked for its rejects still holds what it held.
    const net = (next.lock === null || next.lock === 'rejects') && !group.kept.dryRun && account.book.cash() !== null ? dayNet(account, now) : null
    const bound = net === null ? null : boundReached(net.net, follower.rule)
    if (bound !== null) next = locked(next, bound)
    if (next.lock === lock && next.rejects === rejects && next.day === day) return
    follower.lock = next.lock
    follower.rejects = next.rejects
    follower.day = next.day
    store.saveFollower(followerRow(follower))
    if (lock !== next.lock && flattens(lock) && next.lock === null) beginAgain(group, follower)
    if (bound !== null) close(group, follower)
    changed(group)
  }

  /** Asks for the account whose snapshot is the oldest, of those that hold something and have a bound. */
  const poll = (accounts: readonly Account[], now: number): void => {
    const open = accounts.filter((account) => isUp(world, account) && account.book.contracts().some((id) => account.book.net(id) !== 0))
    const oldest = new Map<string, Account>()
    for (const account of open) {
      const best = oldest.get(account.loginId)
      if (best === undefined || (askedAt.get(account.key) ?? 0) < (askedAt.get(best.key) ?? 0)) oldest.set(account.loginId, account)
    }
    for (const [loginId, account] of oldest) {
      if (now - (polledAt.get(loginId) ?? 0) < pollMs || now - (askedAt.get(account.key) ?? 0) < freshMs || !leave(account, 'poll').ok) continue
      polledAt.set(loginId, now)
      askedAt.set(account.key, now)
      const positions = positionsOf(account)
      void lineOf(world, account)?.line.cashOf(account.id).then((cash) => {
        const pnl = cash === null || cash.openPnl === null ? null : parseAmount(cash.openPnl, 'half-even')
        if (pnl?.ok === true) account.open = { pnl: pnl.value, at: now, positions }
      })
    }
  }

  return {
    look: () => {
      const now = timing.now()
      const bounded: Account[] = []
      for (const group of world.groups.values()) {
        if (group.state === 'off') continue
        for (const { follower, account } of following(world, group)) {
          if (!follower.begun) continue
          watch(group, follower, account, now)
          if (follower.rule.dailyLoss !== null || follower.rule.dailyProfit !== null) bounded.push(account)
        }
      }
      poll(bounded, now)
    },
  }
}
