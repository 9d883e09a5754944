import { boundReached, dayNetOf, openOf, type DayNet } from '#shared/copier/day-bounds.ts'
import { flattens, locked, onDay } from '#shared/copier/lock.ts'
import { moneyMoved, noMoney } from '#shared/copier/session-money.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Log } from '#shared/base/log.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import { betweenOf } from './between-cash.ts'
import { heldByOthers } from './followers.ts'
import { positionsOf, snapshotOf } from './snapshots.ts'
import { beginAgain } from './follower-start.ts'
import { activeFollowers } from './copy-and-repair.ts'
import { brokerTime, type Account, type Follower, type Group, type World } from './world.ts'

/** A fill arrives before its cash: a change since the last check may be incomplete and waits for the next one, at most this often in a row. */
const mostPutOff = 2
/** A limit triggers only on prices at most this old; an older price may have recovered, so a newer one is requested. */
const freshMs = 2_500
/** If none comes for this long, the stale price counts. */
const patienceMs = 15_000

/** Dependencies of the day watch. */
export type DayWatchDeps = {
  readonly world: World
  readonly timing: Timing
  /** Requests the broker's open P&L of accounts. */
  readonly want: (accounts: readonly Account[]) => void
  /** Called when a limit locked a follower that must be flattened. */
  readonly close: (group: Group, follower: Follower) => void
  readonly changed: (group: Group) => void
  readonly log: Pick<Log, 'info'>
}

/** An account's net P&L of the day in its currency at `wall` (UTC ms, the computer's clock), open P&L included; null while any part is unknown. */
export const dayNet = (world: World, account: Account, wall: number): DayNet | null => {
  const cash = account.book.cash()
  if (cash === null) return null
  const now = brokerTime(world, account, wall)
  const { byId, marks } = account.contracts
  let changedAt = 0
  const positions = account.book.contracts().flatMap((id) => {
    const net = account.book.net(id)
    const row = account.book.row(id)
    changedAt = Math.max(changedAt, (row?.time ?? 0) + wall - now)
    const contract = byId.get(id)
    return net === 0 || contract === undefined ? [] : [{ net, netPrice: row?.netPrice ?? '', mark: marks.get(id) ?? null, valuePerPoint: contract.valuePerPoint, currencyId: contract.currencyId }]
  })
  const moved = account.money?.session === cash.session ? account.money.transfers.moved : 0
  return dayNetOf(cash, openOf(positions, cash.currencyId, snapshotOf(account), changedAt), tradingDay(now), moved)
}

/** Whether the copier holds nothing in an account, for any group. */
const holdsNothing = (world: World, { userId, key }: Account): boolean =>
  [...world.groups.values()].every((group) => group.userId !== userId || [...(group.followers.get(key)?.states.values() ?? [])].every(({ held }) => held === 0))

/** Whether the user's own trades push an account over the follower's max position, which only the copier enforces. */
const isTooLarge = (world: World, group: Group, follower: Follower, account: Account): boolean => {
  const { maxPosition } = follower.rule
  // An uncounted fill's owner is unknown.
  if (maxPosition === null || account.uncounted.size > 0) return false
  let copied = 0
  for (const { held } of follower.states.values()) copied += Math.abs(held)
  const inAll = account.book.open().reduce((sum, { contractId, net }) => sum + Math.abs(net - heldByOthers(world, group, follower, account.contracts.byId.get(contractId)?.name ?? '')), 0)
  return copied <= maxPosition && inAll > maxPosition
}

/** Tracks deposits and withdrawals: a payout is not a loss. */
const lookAtMoney = (account: Account): void => {
  const session = account.book.cash()?.session
  if (session === undefined) return
  const before = account.money?.session === session ? account.money.transfers : noMoney
  account.money = { session, transfers: moneyMoved(before, betweenOf(account, session)) }
}

/** Watches daily limits, locks, and day changes. */
export const createDayWatch = ({ world, timing, want, close, changed, log }: DayWatchDeps) => {
  const looked = new WeakMap<Follower, { readonly fingerprint: string; readonly putOff: number }>()
  /** Since when (UTC ms) stale prices reach a limit. */
  const staleLimitSince = new WeakMap<Follower, number>()
  const isSure = (follower: Follower, { openAt }: DayNet, now: number): boolean => {
    if (openAt === null || now - openAt <= freshMs) return true
    const since = staleLimitSince.get(follower) ?? now
    staleLimitSince.set(follower, since)
    return now - since >= patienceMs
  }
  /** The limit that a follower's day has certainly reached. */
  const reachedBy = (follower: Follower, net: DayNet, now: number): ReturnType<typeof boundReached> => {
    const reached = boundReached(net.net, follower.rule)
    if (reached !== null && !isSure(follower, net, now)) return null
    staleLimitSince.delete(follower)
    return reached
  }
  const isUnchanged = (follower: Follower, account: Account): boolean => {
    const fingerprint = `${positionsOf(account)} ${String(account.book.cash()?.amount)}`
    const before = looked.get(follower)
    const putOff = before === undefined || before.fingerprint === fingerprint || before.putOff === mostPutOff ? 0 : before.putOff + 1
    looked.set(follower, { fingerprint, putOff })
    return putOff === 0
  }

  const watch = (group: Group, follower: Follower, account: Account, now: number): void => {
    const { lock, rejects, day } = follower
    const wall = wallOf(timing)
    // By the same clock as its limits: a day that ends before their losses do would be locked by them again.
    const today = tradingDay(brokerTime(world, account, wall))
    let next = onDay({ lock, rejects, day }, today)
    if (account.restricted || account.closed) next = locked(next, 'account-restricted')
    const unchanged = isUnchanged(follower, account)
    if (unchanged) lookAtMoney(account)
    // A reject lock keeps the position.
    const net = (next.lock === null || next.lock === 'rejects' || next.lock === 'guard') && !group.settings.dryRun ? dayNet(world, account, wall) : null
    const reached = unchanged && net !== null ? reachedBy(follower, net, now) : null
    // The copier does not close the user's own trades.
    const byUser = follower.rule.guard && !group.settings.dryRun && (isTooLarge(world, group, follower, account) || (reached !== null && holdsNothing(world, account)))
    const bound = byUser ? null : reached
    // Before the first fill the day was that of the computer's clock, which may be ahead.
    if (byUser) next = { ...locked(next, 'guard'), day: today }
    if (bound !== null) next = { ...locked(next, bound), day: today }
    if (next.lock === lock && next.rejects === rejects && next.day === day) return
    follower.lock = next.lock
    follower.rejects = next.rejects
    follower.day = next.day
    follower.changed = true
    if (lock !== next.lock && next.lock !== null) log.info({ group: group.id, account: account.key, lock: next.lock }, 'follower locked')
    // The leader's current position is not copied.
    if (lock !== next.lock && flattens(lock) && next.lock === null) beginAgain(world, group, follower, account)
    if (bound !== null) close(group, follower)
    changed(group)
  }

  return {
    look: (): void => {
      const now = timing.now()
      const bounded: Account[] = []
      for (const group of world.groups.values()) {
        if (group.state === 'off') continue
        for (const { follower, account } of activeFollowers(world, group)) {
          if (!follower.begun) continue
          watch(group, follower, account, now)
          if (follower.rule.dailyLoss !== null || follower.rule.dailyProfit !== null) bounded.push(account)
        }
      }
      want(bounded)
    },
  }
}
