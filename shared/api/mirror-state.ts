import { z } from 'zod'
import { moment } from './fields.ts'
import type { Route } from './route.ts'

/** Bytes that a cloud stores for a user, and the limit of the user's plan. */
export const cloudStorage = z.object({ bytes: z.number().int().nonnegative(), limit: z.number().int().nonnegative() })
export type CloudStorage = z.infer<typeof cloudStorage>

const progress = z.object({ done: z.number().int(), total: z.number().int() })

/** State of the cloud copy. */
export const mirrorState = z.object({
  /**
   * `account-gone`: the cloud account of this journal was deleted, or the user has a different one now; `full`: the
   * plan's storage in the cloud is used up; `no-room`: the cloud's disk is full.
   */
  state: z.enum(['this-computer-only', 'up-to-date', 'sending', 'restoring', 'comparing', 'pictures-waiting', 'offline', 'refused', 'account-gone', 'full', 'no-room']),
  /** The number of records in the outbox, and the time of the oldest. */
  waiting: z.number().int().nonnegative(),
  waitingSince: moment.nullable(),
  /** Records that the cloud refuses; each is sent again when it changes. */
  setAside: z.number().int().nonnegative(),
  lastSentAt: moment.nullable(),
  /** The user's storage in the cloud; null until the cloud has reported it. */
  storage: cloudStorage.nullable(),
  /** While offline: the time of the next try. */
  nextTryAt: moment.nullable(),
  /** Progress of downloading a journal, also while interrupted: changes received of the total. `total` is 0 while unknown. */
  restoring: progress.nullable(),
  /** Progress of comparing this computer with a cloud that has a different history: records received of an approximate total. `total` is 0 while unknown. */
  comparing: progress.nullable(),
  /** Pictures refused by the cloud or a proxy: the size of the largest in bytes, the last HTTP status, and the time of the next retry. */
  pictures: z.object({ waiting: z.number().int().positive(), bytes: z.number().int(), status: z.number().int(), nextTryAt: moment }).nullable(),
})
export type MirrorState = z.infer<typeof mirrorState>

/** The mirror's state, for this computer's screens; changes are pushed as `mirror-changed`. */
export const mirrorStateRoutes = {
  mirrorState: { method: 'GET', path: '/api/mirror', answer: mirrorState },
  /** Retries immediately. */
  mirrorNow: { method: 'POST', path: '/api/mirror', answer: z.object({ success: z.literal(true) }) },
  /** In state `account-gone`: sends the whole journal to the cloud account that the user has now. */
  mirrorToNewAccount: { method: 'POST', path: '/api/mirror/new-account', answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
