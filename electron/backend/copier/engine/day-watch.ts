import { boundReached, dayNetOf, openOf, type DayNet } from '#shared/copier/day-bounds.ts'
import { flattens, locked, onDay } from '#shared/copier/lock.ts'
import { moneyMoved, noMoney } from '#shared/copier/session-money.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Log } from '#shared/base/log.ts'
import type { CopierStore } from '../store/rows.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { betweenOf } from './between-cash.ts'
import { heldByOthers } from './followers.ts'
import { followerRow } from './groups-kept.ts'
import { positionsOf, snapshotOf } from './snapshots.ts'
import { beginAgain } from './starts.ts'
import { following } from './steps.ts'
import type { Account, Follower, Group, World } from './world.ts'

/** A fill is told before its money: what changed since the last look may speak of the half, and is judged with the next; at most so often in a row. */
const mostPutOff = 2
/** A bound is reached by prices of at most this age: an older one may have come back meanwhile, and a newer one is asked for. */
const freshMs = 2_500
/** Where none comes for so long, what is known counts. */
const patienceMs = 15_000

/** What watching the days works with. */
export type DayParts = {
  readonly world: World
  readonly store: CopierStore
  readonly timing: Timing
  /** Has the broker asked for the open P&L of accounts. */
  readonly want: (accounts: readonly Account[]) => void
  /** A bound was reached: the follower is locked already, and is to be closed. */
  readonly close: (group: Group, follower: Follower) => void
  readonly changed: (group: Group) => void
  readonly log: Pick<Log, 'info'>
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
  const cash = account.book.cash()
  const moved = account.money !== null && account.money.session === cash?.session ? account.money.told.moved : 0
  return dayNetOf(cash, openOf(positions, snapshotOf(account), changedAt), now, moved)
}

/** Whether nothing is open in an account that the copier traded, for whichever group. */
const holdsNothing = (world: World, { userId, key }: Account): boolean =>
  [...world.groups.values()].every((group) => group.userId !== userId || [...(group.followers.get(key)?.stands.values() ?? [])].every(({ held }) => held === 0))

/** Whether what its user trades brings an account beyond the follower's largest position, which the copier alone keeps. */
const isTooLarge = (world: World, group: Group, follower: Follower, account: Account): boolean => {
  const { maxPosition } = follower.rule
  // Whose a fill is that is not counted yet, nobody knows.
  if (maxPosition === null || account.untaken.size > 0) return false
  let copied = 0
  for (const { held } of follower.stands.values()) copied += Math.abs(held)
  const inAll = account.book.open().reduce((sum, { contractId, net }) => sum + Math.abs(net - heldByOthers(world, group, follower, account.contracts.byId.get(contractId)?.name ?? '')), 0)
  return copied <= maxPosition && inAll > maxPosition
}

/** Looks what went into an account or out of it: a payout is no loss. */
const lookAtMoney = (account: Account): void => {
  const session = account.book.cash()?.session
  if (session === undefined) return
  const before = account.money?.session === session ? account.money.told : noMoney
  account.money = { session, told: moneyMoved(before, betweenOf(account, session)) }
}

/** Watches bounds, locks and days. */
export type DayWatch = { readonly look: () => void }

/** The watch of one engine. */
export const createDayWatch = ({ world, store, timing, want, close, changed, log }: DayParts): DayWatch => {
  const looked = new WeakMap<Follower, { readonly word: string; readonly putOff: number }>()
  /** Since when (UTC ms) a bound seems to be reached, by prices that are old. */
  const seemsSince = new WeakMap<Follower, number>()
  const isSure = (follower: Follower, { openAt }: DayNet, now: number): boolean => {
    if (openAt === null || now - openAt <= freshMs) return true
    const since = seemsSince.get(follower) ?? now
    seemsSince.set(follower, since)
    return now - since >= patienceMs
  }
  /** The bound that a follower's day has reached for sure. */
  const reachedBy = (follower: Follower, net: DayNet, now: number): ReturnType<typeof boundReached> => {
    const reached = boundReached(net.net, follower.rule)
    if (reached !== null && !isSure(follower, net, now)) return null
    seemsSince.delete(follower)
    return reached
  }
  const isStill = (follower: Follower, account: Account): boolean => {
    const word = `${positionsOf(account)} ${String(account.book.cash()?.amount)}`
    const before = looked.get(follower)
    const putOff = before === undefined || before.word === word || before.putOff === mostPutOff ? 0 : before.putOff + 1
    looked.set(follower, { word, putOff })
    return putOff === 0
  }

  const watch = (group: Group, follower: Follower, account: Account, now: number): void => {
    const { lock, rejects, day } = follower
    const state = onDay({ lock, rejects, day }, tradingDay(now))
    let next = state
    if (account.restricted || account.closed) next = locked(next, 'account-restricted')
    const still = isStill(follower, account)
    if (still) lookAtMoney(account)
    // What is locked for its rejects still holds what it held.
    const net = (next.lock === null || next.lock === 'rejects' || next.lock === 'guard') && !group.kept.dryRun && account.book.cash() !== null ? dayNet(account, now) : null
    const reached = still && net !== null ? reachedBy(follower, net, now) : null
    // What its user's own trades came to is not the copier's to close.
    const byUser = follower.rule.guard && !group.kept.dryRun && (isTooLarge(world, group, follower, account) || (reached !== null && holdsNothing(world, account)))
    const bound = byUser ? null : reached
    if (byUser) next = locked(next, 'guard')
    if (bound !== null) next = locked(next, bound)
    if (next.lock === lock && next.rejects === rejects && next.day === day) return
    follower.lock = next.lock
    follower.rejects = next.rejects
    follower.day = next.day
    store.saveFollower(followerRow(follower))
    if (lock !== next.lock && next.lock !== null) log.info({ group: group.id, account: account.key, lock: next.lock }, 'A follower was locked')
    // What the leader holds by now is not copied.
    if (lock !== next.lock && flattens(lock) && next.lock === null) beginAgain(world, group, follower, account)
    if (bound !== null) close(group, follower)
    changed(group)
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
      want(bounded)
    },
  }
}
