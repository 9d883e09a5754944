import type { LockReason } from '#shared/api/copier.ts'

/** What a lock and its counting rest on: `day` is the trading day, `YYYY-MM-DD`, to which both belong. */
export type LockState = { readonly lock: LockReason | null; readonly rejects: number; readonly day: string }

const ofTheDay: readonly LockReason[] = ['daily-loss', 'daily-profit', 'rejects', 'guard']
const flattening: readonly LockReason[] = ['daily-loss', 'daily-profit', 'flattened']

// The weaker first: what stands is only replaced by what locks more.
const strength: readonly LockReason[] = ['rejects', 'guard', 'daily-profit', 'daily-loss', 'flattened', 'permission-missing', 'account-restricted']

/** Whether a lock ends by itself with the trading day. */
export const endsWithDay = (lock: LockReason): boolean => ofTheDay.includes(lock)

/** Whether a lock closes what the follower holds; the others let it follow the leader's reductions. */
export const flattens = (lock: LockReason | null): boolean => lock !== null && flattening.includes(lock)

/** A state as it stands on a trading day: a new one ends the locks that are the day's, and begins the count of rejects anew. */
export const onDay = <S extends LockState>(state: S, day: string): S =>
  day <= state.day ? state : { ...state, day, rejects: 0, lock: state.lock !== null && endsWithDay(state.lock) ? null : state.lock }

/** The same state locked for a reason; a lock that holds more stays. */
export const locked = <S extends LockState>(state: S, reason: LockReason): S =>
  state.lock !== null && strength.indexOf(state.lock) >= strength.indexOf(reason) ? state : { ...state, lock: reason }

/** One more rejected order: the one that makes it `maxRejects` of the day locks. */
export const rejected = <S extends LockState>(state: S, maxRejects: number): S => {
  const counted = { ...state, rejects: state.rejects + 1 }
  return counted.rejects >= maxRejects ? locked(counted, 'rejects') : counted
}

/** The state after its user unlocked it: the rejects of the day count from nothing again. */
export const unlocked = <S extends LockState>(state: S): S => ({ ...state, lock: null, rejects: 0 })
