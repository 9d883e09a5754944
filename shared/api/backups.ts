import { z } from 'zod'
import { calendarDay, moment, nameText } from './fields.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()

/** What a journal holds of the signed-in user: pairs in view, the session of the last, and connected accounts. */
export const journalHolds = z.object({ trades: count, lastTradeDay: calendarDay.nullable(), accounts: count })
export type JournalHolds = z.infer<typeof journalHolds>

/** Why a backup was made: once a day, by its user's press, before another one was restored, or before a newer program changed the file. */
export const backupKinds = ['daily', 'by-hand', 'before-restore', 'before-update'] as const

/** A copy of the journal's file. */
export const backup = z.object({
  name: nameText,
  kind: z.enum(backupKinds),
  at: moment,
  bytes: count,
  /** Whether the copy itself was read through and found whole when it was made; a restore reads it through again in any case. */
  checked: z.boolean(),
  /** Null where the file cannot be read, or was made before this profile. */
  holds: journalHolds.nullable(),
  readable: z.boolean(),
  /** Who pressed for it; null where nobody did. */
  by: z.enum(['you', 'another']).nullable(),
  /** How many other profiles of this computer it holds, the demo aside; nothing else is told of them. Null where it cannot be read. */
  others: count.nullable(),
  /** Bytes that a restore of it takes on the disk while it runs. */
  restoreNeeds: count,
})
export type Backup = z.infer<typeof backup>

/** What a restore brings back, changes, or leaves as it was added since. */
export const restoreFates = ['back', 'changed', 'added'] as const
export const restoreKinds = ['trades', 'notes', 'days', 'finances', 'accounts', 'settings', 'imports', 'reports', 'fills'] as const

/** One example: its name and day where it has them, the field that is another, and what then and now say in it. */
const restoreExample = z.object({
  kind: z.enum(restoreKinds),
  fate: z.enum(restoreFates),
  what: z.string().nullable(),
  day: calendarDay.nullable(),
  field: z.enum(['notes', 'tags', 'stop', 'screenshot', 'screenshotHeadline', 'screenshot2', 'screenshot2Headline', 'commission', 'point', 'rules']).nullable(),
  then: z.string().nullable(),
  now: z.string().nullable(),
})
export type RestoreExample = z.infer<typeof restoreExample>

/** What a restore would do to the journal of now: how many of each kind, and a few examples of each. */
export const restorePreview = z.object({
  counts: z.record(z.enum(restoreKinds), z.record(z.enum(restoreFates), count)),
  examples: z.array(restoreExample),
})
export type RestorePreview = z.infer<typeof restorePreview>

/** Why the last backup came to nothing. */
export const backupTroubles = ['disk-full', 'unwritable', 'damaged', 'busy', 'failed'] as const
export type BackupTrouble = (typeof backupTroubles)[number]

/** What the check of the journal's file found that each start makes. */
const health = z.enum(['checking', 'sound', 'damaged'])

/** Backups of the journal, as they lie on this computer. */
export const backupRoutes = {
  /** From a damaged file on nothing is written to it. */
  journalHealth: { method: 'GET', path: '/api/backups/health', answer: z.object({ health }) },
  /** Newest first; `waiting` is the backup that takes the journal's place at the next start. */
  backups: {
    method: 'GET',
    path: '/api/backups',
    answer: z.object({
      now: journalHolds.nullable(),
      backups: z.array(backup),
      folder: z.string(),
      health,
      /** What failed last, and of which file. */
      trouble: z.object({ at: moment, of: z.enum(['journal', 'copier']), why: z.enum(backupTroubles) }).nullable(),
      /** Bytes that a backup made now would take, and those that are free where backups lie; null where the system does not tell. */
      room: z.object({ needed: count, free: count }).nullable(),
      waiting: nameText.nullable(),
    }),
  },
  /** What a restore of one would do. Null where that takes too long to tell beforehand. */
  previewRestore: { method: 'GET', path: '/api/backups/preview', query: z.object({ name: nameText }), answer: z.object({ preview: restorePreview.nullable() }) },
  /** Makes one at once. */
  makeBackup: { method: 'POST', path: '/api/backups/make', answer: z.object({ success: z.literal(true), name: nameText }) },
  /**
   * Says again what the signed-in user's journal said in a backup, after one was made of what it is: `now`. What was only added
   * since stays, unless the `whole` is wanted back; what the broker reported stays in any case. Where the file is damaged the
   * whole backup takes its place, for every profile of this computer, when the program is started again: `next-start`.
   */
  restoreBackup: {
    method: 'POST',
    path: '/api/backups/restore',
    body: z.object({ name: nameText, whole: z.boolean().default(false) }),
    answer: z.discriminatedUnion('when', [
      z.object({ success: z.literal(true), when: z.literal('now'), holds: journalHolds, kept: nameText }),
      z.object({ success: z.literal(true), when: z.literal('next-start') }),
    ]),
  },
} as const satisfies Record<string, Route>
