import { z } from 'zod'
import { mirrorParts, mirrorRecord } from '../mirror/record.ts'
import { identifier, moment } from './fields.ts'
import type { Route } from './route.ts'

/** Id of the journal that a cloud stores for a user. A different id means a new journal, unrelated to what was sent before. */
const journal = z.uuid()
const seq = z.number().int().nonnegative()

/** A record of the cloud's journal with the number of its last change. */
export const changedRecord = z.intersection(mirrorRecord, z.object({ seq }))

/** Records in one push, and on one page of changes. */
export const mostRecords = 2_000

/** The last change that a device knows: its number, or the device's own push that creates it. */
const lastKnown = z.union([seq, z.object({ push: z.uuid() })])
export type LastKnown = z.infer<typeof lastKnown>

/** Hashes of the cloud's journal, 16 hexadecimal digits per bucket. Equal hashes mean equal records. */
const hashes = z.string().regex(/^[0-9a-f]{4096}$/)
/** The MD5 of such hashes. */
const hash = z.string().regex(/^[0-9a-f]{32}$/)
/** The number of buckets in which a journal's records are hashed. A record's bucket is the first byte of the MD5 of its kind, a slash, and its id. */
export const bucketCount = 256

const behind = z.object({ outcome: z.literal('behind'), journal, head: seq })

/** Bytes that a cloud stores for a user, and the limit of the user's plan. */
const storage = z.object({ bytes: z.number().int().nonnegative(), limit: z.number().int().nonnegative() })
export type CloudStorage = z.infer<typeof storage>

/** The mirror protocol between a journal and the cloud, served by the cloud. */
export const mirrorRoutes = {
  /**
   * Writes all records or none, and only from a device that has seen every earlier change: `after` is the last change it
   * knows. Otherwise the answer is `behind`, and the device pulls `changes` first. A device may pipeline pushes: `after`
   * then names its previous, unanswered push, whatever `journal` says, and no other device may have pushed in between.
   * Idempotent. `journal` is null from a device that is new to this cloud. `hash` is the device's hash at `after`; if the
   * cloud's differs there, the answer is `behind` too. Older clouds return no `hashes`.
   */
  push: {
    method: 'POST',
    path: '/api/mirror/push',
    body: z.object({ userId: identifier, journal: journal.nullable(), after: lastKnown, hash: hash.optional(), id: z.uuid().optional(), records: z.array(mirrorRecord).min(1).max(mostRecords) }),
    answer: z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('taken'), journal, head: seq, hashes: hashes.optional() }), behind]),
    bodyLimit: '8mb',
  },
  /** Records of one part that changed after `after` and not after `upTo`, oldest change first, of some buckets or all; the next page begins at `next`, null at the end. */
  changes: {
    method: 'GET',
    path: '/api/mirror/changes',
    query: z.object({
      userId: identifier,
      part: z.enum(Object.keys(mirrorParts) as [keyof typeof mirrorParts]),
      after: z.coerce.number().int().nonnegative(),
      upTo: z.coerce.number().int().nonnegative(),
      buckets: z.string().regex(/^\d{1,3}(,\d{1,3}){0,255}$/).optional(),
    }),
    answer: z.object({ journal, records: z.array(changedRecord), next: seq.nullable() }),
  },
  /**
   * The state of the user's journal in the cloud. `journal` is null and `head` 0 before the first push. A device sends the last change
   * it knows and its hash at that change: `agrees` if the cloud had the same hash, or if the device sent none. `hashes` are the current
   * ones, for devices that lack them. Older devices send no hashes, and older clouds return none. Rows are counted only on request, because every computer polls this each minute.
   */
  journal: {
    method: 'GET',
    path: '/api/mirror/journal',
    query: z.object({ userId: identifier, rows: z.literal('counted').optional(), cursor: z.coerce.number().int().nonnegative().optional(), hash: hash.optional() }),
    answer: z.object({ journal: journal.nullable(), head: seq, /** Number of existing records per kind; null if not requested. */ rows: z.record(z.string(), z.number().int()).nullable(), /** Missing from older clouds, and if rows are counted. */ storage: storage.optional(), agrees: z.boolean().optional(), hashes: hashes.optional(), /** Pictures in the journal whose files the cloud lacks, at most a hundred. Missing from older clouds. */ lacking: z.array(z.string()).optional() }),
  },
} as const satisfies Record<string, Route>

/** Picture files: `POST` with the bytes as body, `GET` to download; `?name=` is the SHA-256 with the file extension. Served by the cloud and by the program on this computer. */
export const picturePath = '/api/pictures'
/** The largest picture, in bytes. */
export const largestPicture = 10_000_000

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
  storage: storage.nullable(),
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
