import { z } from 'zod'
import { moment, nameText } from './fields.ts'
import type { Route } from './route.ts'

/** A whole journal as one file: `GET` returns the signed-in user's; `POST` validates an uploaded one without changing anything and answers `receivedJournal`. */
export const journalFilePath = '/api/journal-file'
/** The largest file that is taken, in bytes: a hundred years of a busy trader. */
export const largestJournalFile = 1_000_000_000

const count = z.number().int().nonnegative()

/** A file that was checked and waits: what it would bring, under the id that `bringJournal` takes. */
export const receivedJournal = z.object({
  success: z.literal(true),
  id: z.uuid(),
  /** When it was written, and the zone of its days. */
  at: moment,
  timeZone: nameText,
  /** `annotated` counts trades with annotations, `fills` the base fills (without imports). */
  holds: z.object({ accounts: count, fills: count, pairs: count, entered: count, annotated: count, finances: count, pictures: count, imports: count, other: count }),
})
export type ReceivedJournal = z.infer<typeof receivedJournal>

/** Trades entered by hand count as pairs. */
const totals = z.object({ fills: count, pairs: count })

/** How far a file is; `share` of the phase is done, from 0 to 1. Nothing is changed while it is checked. */
export const journalFileProgress = z.object({ phase: z.enum(['checking', 'bringing', 'settling']), share: z.number().min(0).max(1) })
export type JournalFileProgress = z.infer<typeof journalFileProgress>

/** What becomes of a file that was received. */
export const journalFileRoutes = {
  /** Merges it into the signed-in user's journal and returns the counts before and after. Idempotent. */
  bringJournal: { method: 'POST', path: '/api/journal-file/bring', body: z.object({ id: z.uuid() }), answer: z.object({ success: z.literal(true), before: totals, after: totals }) },
  /** Forgets it. */
  dropJournalFile: { method: 'POST', path: '/api/journal-file/drop', body: z.object({ id: z.uuid() }), answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
