import type { LockReason } from '#shared/api/copier.ts'

/** A follower's lock and its reject count; `day` is the trading day of both, `YYYY-MM-DD`. */
export type LockState = { readonly lock: LockReason | null; readonly rejects: number; readonly day: string }

const ofTheDay: readonly LockReason[] = ['daily-loss', 'daily-profit', 'rejects', 'guard']
const flattening: readonly LockReason[] = ['daily-loss', 'daily-profit', 'flattened']

// Weakest first: a lock is only replaced by a stronger one.
const strength: readonly LockReason[] = ['rejects', 'guard', 'daily-profit', 'daily-loss', 'flattened', 'permission-missing', 'account-restricted']

/** Whether a lock ends with the trading day. */
const endsWithDay = (lock: LockReason): boolean => ofTheDay.includes(lock)

/** Whether a lock flattens the follower; the others let it follow the leader's reductions. */
export const flattens = (lock: LockReason | null): boolean => lock !== null && flattening.includes(lock)

/** The state on a trading day: a new day ends its daily locks and resets the reject count. */
export const onDay = <S extends LockState>(state: S, day: string): S =>
  day <= state.day ? state : { ...state, day, rejects: 0, lock: state.lock !== null && endsWithDay(state.lock) ? null : state.lock }

/** The state locked for a reason; a stronger lock stays. */
export const locked = <S extends LockState>(state: S, reason: LockReason): S =>
  state.lock !== null && strength.indexOf(state.lock) >= strength.indexOf(reason) ? state : { ...state, lock: reason }

/** The state after one more rejected order: number `maxRejects` of the day locks. */
export const rejected = <S extends LockState>(state: S, maxRejects: number): S => {
  const counted = { ...state, rejects: state.rejects + 1 }
  return counted.rejects >= maxRejects ? locked(counted, 'rejects') : counted
}

/** The state after the user unlocked it: the reject count starts again at 0. */
export const unlocked = <S extends LockState>(state: S): S => ({ ...state, lock: null, rejects: 0 })
