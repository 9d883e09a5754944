import type { AccountKey } from '#shared/fills/fill.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { ImportPreviewAnswer } from '#shared/api/imports.ts'
import type { FileRows } from '#shared/imports/file-rows.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import type { Result } from '#shared/base/result.ts'
import type { OfUser } from '../journal/journal-reads.ts'
import type { Changes } from '../db/rows.ts'

/** A file to be looked at: the accounts that its rows name, with how many do, and what they say, as lists of `Reading` in JSON. */
export type PreviewedFile = Omit<FileRows, 'readings'> & {
  /** Its number among all that were sent, from 0. */
  readonly place: number
  readonly seen: readonly (AccountNamed & { readonly rows: number })[]
  readonly readings: readonly Uint8Array[]
}

/** What is to be looked at before it is imported; `isTooMuch` where what the rows say is too much to be put together, and not given. */
export type PreviewInput = { readonly files: readonly PreviewedFile[]; readonly isTooMuch: boolean }

type OfImport = OfUser & { readonly importId: string }
type At = { readonly at: number }

/** One file of an import; `place` is its number among them, from 0. */
export type ImportedFile = {
  readonly place: number
  readonly name: string
  readonly kind: ExportKind
  readonly rows: number
  readonly accepted: number
  readonly refused: number
  /** Whose its rows are that name no account; missing or null where the user did not say it of this file. */
  readonly account?: string | null
}

/** An import that stands or was undone; times are UTC ms. */
export type KeptImport = {
  readonly id: string
  readonly at: number
  /** In which its local times were read. */
  readonly zone: string
  /** Whose the rows are that name no account and tell of no fill that is known; null where the user did not say it. */
  readonly account: string | null
  readonly undoneAt: number | null
  /** Whether the broker's reporting service gave it, and not the user. */
  readonly fromBroker: boolean
  readonly files: readonly ImportedFile[]
  /** The names of the accounts that its rows name; none of one that was undone. */
  readonly accounts: readonly string[]
}

/** What it changed that fills were put together anew. */
export type Settled = {
  readonly fills: Changes
  readonly pairs: Changes
  readonly trips: Changes
  /** Fills that lie on no tick of their contract as the broker tells it: they are left out. */
  readonly offTick: number
}

/** What can be asked of imports. */
export type ImportReads = {
  /** The newest first; one whose files are still being read is not among them. */
  readonly imports: (input: OfUser) => KeptImport[]
  /** What was told of an account by the API and all standing imports, put together: its fills, and the broker's own pairs, cash and balances to hold them against. */
  readonly brokerFacts: (input: OfUser & { readonly account: AccountKey }) => Omit<Assembly, 'accounts' | 'warnings'>
  /** What an import of these readings would come to; nothing is written. */
  readonly previewImport: (input: OfUser & PreviewInput) => Pick<ImportPreviewAnswer, 'accounts' | 'unnamed' | 'outcome' | 'without'>
  /** Of an import that was read and does not stand yet, the places of those files whose account nobody knows, where there are others that it may be. */
  readonly openFiles: (input: OfImport) => readonly number[]
  /** Whose a row is that names an account so: the key, its name, and whether its user removed it; null for a name that imports would make an account of. */
  readonly accountNamed: (input: OfUser & { readonly id: string | null; readonly name: string | null }) => { readonly key: AccountKey; readonly name: string; readonly removed: boolean } | null
}

/**
 * How imports are kept. Readings come in as files are read and count for nothing before `finishImport`: what the
 * journal then holds is what was told without imports and what all standing imports say, put together anew. A program
 * that dies in the midst of that goes on with it when the journal is opened again.
 */
export type ImportWrites = {
  readonly beginImport: (input: OfImport & At & { readonly zone: string; readonly account: string | null }) => void
  readonly addReadings: (input: OfImport & { readonly place: number; readonly readings: readonly Reading[] }) => void
  readonly addImportFile: (input: OfImport & ImportedFile) => void
  /** Forgets what was read of a file that turns out to be none. */
  readonly dropImportFile: (input: OfImport & { readonly place: number }) => void
  /** Forgets an import that was begun and not finished. */
  readonly dropImport: (input: OfImport) => void
  /** Lets an import stand. Where that fails it is forgotten again. Throws `not-found` for one that was not begun. */
  readonly finishImport: (input: OfImport & At) => Promise<Settled>
  /** Takes away what an import brought; `not-found` where it does not stand. */
  readonly undoImport: (input: OfImport & At) => Promise<Result<Settled, 'not-found'>>
  /** Puts fills together anew where something that was told since asks for it. */
  readonly settleImports: (input: OfUser & At) => Promise<Settled | null>
}
