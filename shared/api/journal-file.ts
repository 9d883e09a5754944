import { z } from 'zod'
import { moment, nameText } from './fields.ts'
import type { Route } from './route.ts'

/** A whole journal as one file: `GET` returns the signed-in user's; `POST` validates an uploaded one without changing anything and answers `receivedJournal`. */
export const journalFilePath = '/api/journal-file'
/** The largest accepted file, in bytes: a hundred years of a busy trader. */
export const largestJournalFile = 1_000_000_000

const count = z.number().int().nonnegative()

/** A validated file that waits: what it would add, under the id that `importJournal` takes. */
export const receivedJournal = z.object({
  success: z.literal(true),
  id: z.uuid(),
  /** When it was written, and the time zone of its days. */
  at: moment,
  timeZone: nameText,
  /** `annotated` counts trades (not fill pairs) with a note, a tag, a picture, or a stop, `fills` the base fills (without imports). */
  holds: z.object({ accounts: count, fills: count, pairs: count, entered: count, annotated: count, finances: count, pictures: count, imports: count, other: count }),
})
export type ReceivedJournal = z.infer<typeof receivedJournal>

/** Trades entered by hand count as pairs. */
const totals = z.object({ fills: count, pairs: count })

/** Progress on a file: `share` of the phase is done, from 0 to 1. The `checking` phase changes nothing. */
export const journalFileProgress = z.object({ phase: z.enum(['checking', 'importing', 'settling']), share: z.number().min(0).max(1) })
export type JournalFileProgress = z.infer<typeof journalFileProgress>

/** Calls on an uploaded journal file. */
export const journalFileRoutes = {
  /** Merges it into the signed-in user's journal and returns the counts before and after. Idempotent. */
  importJournal: { method: 'POST', path: '/api/journal-file/bring', body: z.object({ id: z.uuid() }), answer: z.object({ success: z.literal(true), before: totals, after: totals }) },
  /** Deletes the uploaded file. */
  dropJournalFile: { method: 'POST', path: '/api/journal-file/drop', body: z.object({ id: z.uuid() }), answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
