import type { z } from 'zod'
import type { changedRecord } from '#shared/api/mirror.ts'

/** The content of the cloud's journal after the change `head`, by its own hashes. */
export type Proof = { readonly head: number; readonly hashes: string }

/** A record from the cloud. */
export type ChangedRecord = z.infer<typeof changedRecord>

/** The mirror state of a user's journal. Times are UTC ms. */
export type MirrorPosition = {
  /** The user's id in that cloud; null before the first contact. */
  readonly cloudUser: string | null
  /** The cloud's journal that this one is a copy of; null before the first contact. */
  readonly journal: string | null
  /** The cloud's last change that is known here. */
  readonly cursor: number
  /** What the cloud held at the cursor, or if its last answer was a page, what it holds at the end; null if it did not report it. */
  readonly proof: Proof | null
  /** Records not sent yet. */
  readonly waiting: number
  readonly waitingSince: number | null
  /** Records that no cloud accepts. */
  readonly setAside: number
  readonly lastSentAt: number | null
  /** True if the user's journal is still empty: no account, trade or finance. */
  readonly empty: boolean
}
