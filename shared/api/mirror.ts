import { z } from 'zod'
import { mirrorParts, mirrorRecord } from '../mirror/record.ts'
import { identifier, moment } from './fields.ts'
import type { Route } from './route.ts'

/** Names the journal that a cloud keeps for a user: another one under the same user has nothing in common with what was sent before. */
const journal = z.uuid()
const seq = z.number().int().nonnegative()

/** A record of the cloud's journal with the number of its last change. */
export const changedRecord = z.intersection(mirrorRecord, z.object({ seq }))

/** Records in one push, and on one page of changes. */
export const mostRecords = 2_000

/** The last change that a device knows: its number, or the push of its own that makes it. */
const lastKnown = z.union([seq, z.object({ push: z.uuid() })])
export type LastKnown = z.infer<typeof lastKnown>

/** Hashes of what the cloud's journal holds, one of 16 hexadecimal digits for each of its buckets. They mean nothing but that equal ones stand for equal records. */
const hashes = z.string().regex(/^[0-9a-f]{4096}$/)
/** The MD5 of such hashes. */
const hash = z.string().regex(/^[0-9a-f]{32}$/)
/** In how many buckets the records of a journal are hashed: that of a record is the first byte of the MD5 of its kind, a slash and its id. */
export const bucketCount = 256

const behind = z.object({ outcome: z.literal('behind'), journal, head: seq })

/** Bytes that a cloud keeps of a user, and that the user's plan allows there. */
const storage = z.object({ bytes: z.number().int().nonnegative(), limit: z.number().int().nonnegative() })
export type CloudStorage = z.infer<typeof storage>

/** How a journal and its mirror talk; served by the cloud. */
export const mirrorRoutes = {
  /**
   * Takes records whole or not at all, and only from a device that has seen every change before: `after` is the number
   * of the last change it knows, otherwise the answer is `behind`, and it asks for `changes` first. A device may send a push
   * ahead, before the one before it was answered: `after` then names that one, whatever `journal` says, and nobody may have come in between. Sent twice
   * it has the effect of once. `journal` is null from a device that never spoke with this cloud, and `hash` is that of what
   * it knows; where the cloud's is another at the same number, it is `behind` too. Older clouds tell no `hashes`.
   */
  push: {
    method: 'POST',
    path: '/api/mirror/push',
    body: z.object({ userId: identifier, journal: journal.nullable(), after: lastKnown, hash: hash.optional(), id: z.uuid().optional(), records: z.array(mirrorRecord).min(1).max(mostRecords) }),
    answer: z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('taken'), journal, head: seq, hashes: hashes.optional() }), behind]),
    bodyLimit: '8mb',
  },
  /** Records of one part that changed after `after` and not after `upTo`, oldest change first, of some buckets or all; `next` is where the next page begins, null at the end. */
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
   * What the cloud holds of the user. `journal` is null, and `head` 0, before the first push. A device says up to which change it knows
   * the journal, and the hash that it then had: `agrees` where the cloud's was the same after that change, or none was said. `hashes` are those of now, told to
   * devices that do not have them. Older devices say nothing of it, and older clouds tell nothing. Rows are counted on demand only: every computer asks this each minute.
   */
  journal: {
    method: 'GET',
    path: '/api/mirror/journal',
    query: z.object({ userId: identifier, rows: z.literal('counted').optional(), cursor: z.coerce.number().int().nonnegative().optional(), hash: hash.optional() }),
    answer: z.object({ journal: journal.nullable(), head: seq, /** Records that are not gone, of each kind; null where they were not to be counted. */ rows: z.record(z.string(), z.number().int()).nullable(), /** Not told by older clouds, nor where rows are counted. */ storage: storage.optional(), agrees: z.boolean().optional(), hashes: hashes.optional(), /** Pictures that the journal names and whose files the cloud does not have, a hundred at most. Not told by older clouds. */ lacking: z.array(z.string()).optional() }),
  },
} as const satisfies Record<string, Route>

/** Pictures go as files: `POST` with the bytes as body, `GET` for them; `?name=` is their SHA-256 with its ending. Both the cloud and the program on this computer serve it. */
export const picturePath = '/api/pictures'
/** The largest picture, in bytes. */
export const largestPicture = 10_000_000

const progress = z.object({ done: z.number().int(), total: z.number().int() })

/** How things stand with the copy in the cloud. */
export const mirrorState = z.object({
  /** `account-gone`: the account that the journal was mirrored to was deleted, or its user has another one by now; `full`: the plan's share of the cloud; `no-room`: the disk under the cloud. */
  state: z.enum(['this-computer-only', 'up-to-date', 'sending', 'restoring', 'comparing', 'pictures-waiting', 'offline', 'refused', 'account-gone', 'full', 'no-room']),
  /** Records that the cloud was not told yet, and since when the oldest of them waits. */
  waiting: z.number().int().nonnegative(),
  waitingSince: moment.nullable(),
  /** Records that no cloud takes as they are; each is told again once it changes. */
  setAside: z.number().int().nonnegative(),
  lastSentAt: moment.nullable(),
  /** What the cloud keeps of the user; null until it has told. */
  storage: storage.nullable(),
  /** While offline: when it is tried again. */
  nextTryAt: moment.nullable(),
  /** From the first page of a journal that is brought back to its last, also while that is broken off: changes taken, of all. `total` is 0 while it is not known. */
  restoring: progress.nullable(),
  /** While this computer and the cloud, which do not speak of one history, are compared: records taken, of about so many. `total` is 0 while it is not known. */
  comparing: progress.nullable(),
  /** Pictures that the cloud, or what stands before it, refused, the bytes of the largest, with which status the last was refused, and when the next is tried again. */
  pictures: z.object({ waiting: z.number().int().positive(), bytes: z.number().int(), status: z.number().int(), nextTryAt: moment }).nullable(),
})
export type MirrorState = z.infer<typeof mirrorState>

/** The mirror as the screens of this computer ask for it; changes are pushed as `mirror-changed`. */
export const mirrorStateRoutes = {
  mirrorState: { method: 'GET', path: '/api/mirror', answer: mirrorState },
  /** Tries again at once. */
  mirrorNow: { method: 'POST', path: '/api/mirror', answer: z.object({ success: z.literal(true) }) },
  /** Where the state is `account-gone`: sends the whole journal to the account that its user has in the cloud now. */
  mirrorToNewAccount: { method: 'POST', path: '/api/mirror/new-account', answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
