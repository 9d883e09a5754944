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
  /** Bytes that a restore of it takes on the disk while it runs. */
  restoreNeeds: count,
})
export type Backup = z.infer<typeof backup>

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
  /** Makes one at once. */
  makeBackup: { method: 'POST', path: '/api/backups/make', answer: z.object({ success: z.literal(true), name: nameText }) },
  /**
   * Makes the signed-in user's journal what it was in a backup, after one was made of what it is: `now`. Where the file is
   * damaged the whole backup takes its place, for every profile of this computer, when the program is started again: `next-start`.
   */
  restoreBackup: {
    method: 'POST',
    path: '/api/backups/restore',
    body: z.object({ name: nameText }),
    answer: z.discriminatedUnion('when', [
      z.object({ success: z.literal(true), when: z.literal('now'), holds: journalHolds, kept: nameText }),
      z.object({ success: z.literal(true), when: z.literal('next-start') }),
    ]),
  },
} as const satisfies Record<string, Route>
