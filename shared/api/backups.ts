import { z } from 'zod'
import { calendarDay, moment, nameText } from './fields.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()

/** What a journal holds of the signed-in user: pairs in view, the session of the last, and connected accounts. */
export const journalHolds = z.object({ pairs: count, lastTradeDay: calendarDay.nullable(), accounts: count })
export type JournalHolds = z.infer<typeof journalHolds>

/** Why a backup was made: daily, on request, before a restore, or before a migration. */
export const backupKinds = ['daily', 'by-hand', 'before-restore', 'before-update'] as const

/** A copy of the journal's file. */
export const backup = z.object({
  name: nameText,
  kind: z.enum(backupKinds),
  at: moment,
  bytes: count,
  /** Whether the copy passed an integrity check when it was made; a restore always checks again. */
  checked: z.boolean(),
  /** Null if the file is unreadable or older than this profile. */
  holds: journalHolds.nullable(),
  readable: z.boolean(),
  /** The user who requested it; null for automatic backups. */
  by: z.enum(['you', 'another']).nullable(),
  /** Number of other profiles in it, without the demo; nothing else about them is revealed. Null if unreadable. */
  others: count.nullable(),
  /** Bytes that a restore of it takes on the disk while it runs. */
  restoreNeeds: count,
})
export type Backup = z.infer<typeof backup>

/** What a restore brings back, changes, or keeps because it is newer than the backup. */
export const restoreFates = ['back', 'changed', 'added'] as const
export const restoreKinds = ['trades', 'notes', 'days', 'finances', 'accounts', 'settings', 'imports', 'reports', 'fills'] as const

/** One example: its name and day if it has them, the changed field, and the field's value in the backup and now. */
const restoreExample = z.object({
  kind: z.enum(restoreKinds),
  fate: z.enum(restoreFates),
  what: z.string().nullable(),
  day: calendarDay.nullable(),
  field: z.enum(['notes', 'tags', 'stop', 'screenshot', 'screenshotHeadline', 'screenshot2', 'screenshot2Headline', 'drawings', 'commission', 'point', 'rules']).nullable(),
  then: z.string().nullable(),
  now: z.string().nullable(),
})
export type RestoreExample = z.infer<typeof restoreExample>

/** What a restore would do to the current journal: counts of each kind, with a few examples. */
export const restorePreview = z.object({
  counts: z.record(z.enum(restoreKinds), z.record(z.enum(restoreFates), count)),
  examples: z.array(restoreExample),
})
export type RestorePreview = z.infer<typeof restorePreview>

/** Why the last backup failed. */
export const backupTroubles = ['disk-full', 'unwritable', 'damaged', 'busy', 'failed'] as const
export type BackupTrouble = (typeof backupTroubles)[number]

/** Result of the integrity check of the journal's file at each start. */
const health = z.enum(['checking', 'sound', 'damaged'])

/** Backups of the journal on this computer. */
export const backupRoutes = {
  /** Once the file is found damaged, nothing more is written to it. */
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
      /** The last failure, and which file it concerned. */
      trouble: z.object({ at: moment, of: z.enum(['journal', 'copier']), why: z.enum(backupTroubles) }).nullable(),
      /** Bytes that a backup would take now, and bytes free in the backups' folder; null if the system does not report them. */
      room: z.object({ needed: count, free: count }).nullable(),
      waiting: nameText.nullable(),
    }),
  },
  /** Previews a restore. Null if that takes too long to compute. */
  previewRestore: { method: 'GET', path: '/api/backups/preview', query: z.object({ name: nameText }), answer: z.object({ preview: restorePreview.nullable() }) },
  /** Makes a backup now. */
  makeBackup: { method: 'POST', path: '/api/backups/make', answer: z.object({ success: z.literal(true), name: nameText }) },
  /**
   * Restores the signed-in user's journal from a backup, after backing up the current one: `now`. Records added since
   * the backup stay, unless `whole` is set; the broker's data always stays. If the journal's file is damaged, the whole
   * backup replaces it at the next start, for every profile on this computer: `next-start`.
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
