import type { ImportLine } from '#shared/mirror/journal-file.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { OfUser } from '../journal/journal-reads.ts'
import type { Settled } from '../imports/import-calls.ts'

type At = { readonly at: number }

/**
 * How the file of a journal is brought back in: its records page by page, then its imports as by `beginImport`,
 * `addReadings` and `addImportFile`, and at last `endJournalFile`. A program that dies in the midst of that keeps what
 * was merged so far; the same file completes it.
 */
export type JournalFileWrites = {
  /** Merges records by the mirror's rules: fields and records by stamp, balances by age, fills and figures by source. `importedSpecs` are contracts whose figures no more than imports told there. */
  readonly mergeJournalFile: (input: OfUser & At & { readonly records: readonly MirrorRecord[]; readonly importedSpecs: readonly string[] }) => Promise<void>
  /** Lets the imports stand that were begun, knows those that were undone elsewhere (one that stands here is undone), and puts fills together once for all. */
  readonly endJournalFile: (input: OfUser & At & { readonly standing: readonly string[]; readonly undone: readonly (ImportLine & { readonly undoneAt: number })[] }) => Promise<Settled>
  /** Says again, at `at`, what `staged` says of a user, the file of a backup that was made ready; with `whole` takes back what was only added since. Throws `not-found` where the backup does not know the user, and `busy` where the file changed since `changesSoFar` gave `unchangedSince`. */
  readonly restoreJournal: (input: OfUser & At & { readonly staged: string; readonly whole?: boolean; readonly unchangedSince?: number }) => Promise<void>
  /** How many rows of any user were changed since the journal was opened: the same number twice means that nothing was written between. */
  readonly changesSoFar: () => number
}
