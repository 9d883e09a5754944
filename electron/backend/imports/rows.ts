import type { FileRows } from '#shared/imports/file-rows.ts'
import type { AccountNamed } from '#shared/imports/reading.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { OfUser } from '../db/rows.ts'

/** A file to be looked at: the accounts that its rows name, with how many do, and what they say, as lists of `Reading` in JSON. */
export type PreviewedFile = Omit<FileRows, 'readings'> & {
  /** Its number among all that were sent, from 0. */
  readonly place: number
  readonly seen: readonly (AccountNamed & { readonly rows: number })[]
  readonly readings: readonly Uint8Array[]
}

/** The files of a preview; `isTooMuch` if their rows are too many to be assembled: then it has no readings. */
export type PreviewInput = { readonly files: readonly PreviewedFile[]; readonly isTooMuch: boolean }

/** One import of a user. */
export type OfImport = OfUser & { readonly importId: string }

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

/** An import, active or undone; times are UTC ms. */
export type StoredImport = {
  readonly id: string
  readonly at: number
  /** In which its local times were read. */
  readonly zone: string
  /** The account of rows that name none and have no known fill; null if the user did not say. */
  readonly account: string | null
  readonly undoneAt: number | null
  /** Whether the broker's reporting service gave it, and not the user. */
  readonly fromBroker: boolean
  readonly files: readonly ImportedFile[]
  /** The names of the accounts that its rows name; none of one that was undone. */
  readonly accounts: readonly string[]
}
