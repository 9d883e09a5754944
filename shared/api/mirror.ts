import { z } from 'zod'
import { mirrorParts, mirrorRecord } from '../mirror/record.ts'
import { identifier } from './fields.ts'
import { cloudStorage } from './mirror-state.ts'
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
    answer: z.object({
      journal: journal.nullable(),
      head: seq,
      /** Number of existing records per kind; null if not requested. */
      rows: z.record(z.string(), z.number().int()).nullable(),
      /** Missing from older clouds, and if rows are counted. */
      storage: cloudStorage.optional(),
      agrees: z.boolean().optional(),
      hashes: hashes.optional(),
      /** Pictures in the journal whose files the cloud lacks, at most a hundred. Missing from older clouds. */
      lacking: z.array(z.string()).optional(),
    }),
  },
} as const satisfies Record<string, Route>
