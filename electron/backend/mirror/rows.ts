import type { z } from 'zod'
import type { changedRecord } from '#shared/api/mirror.ts'

/** What the cloud's journal held after the change `head`, by its own hashes. */
export type Proof = { readonly head: number; readonly hashes: string }

/** A record as the cloud gives it. */
export type ChangedRecord = z.infer<typeof changedRecord>

/** How far the mirror of a user's journal is. Times are UTC ms. */
export type MirrorPlace = {
  /** Whose journal in the cloud that is: the user's id there; null before they met. */
  readonly cloudUser: string | null
  /** The cloud's journal that this one is a copy of; null before they met. */
  readonly journal: string | null
  /** The last change of the cloud that is known here. */
  readonly cursor: number
  /** What the cloud held at the cursor, or where a page of it was the last that came, what it holds at the end; null if it did not say. */
  readonly proof: Proof | null
  /** Records that were not sent yet. */
  readonly waiting: number
  readonly waitingSince: number | null
  /** Records that no cloud takes as they are. */
  readonly setAside: number
  readonly lastSentAt: number | null
  /** True where the journal holds nothing of its user yet: no account, trade or finance. */
  readonly empty: boolean
}
