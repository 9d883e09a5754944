import type { Log } from '#shared/base/log.ts'
import type { CloudStorage } from '#shared/api/mirror.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** How far a journal is that is brought back, or compared with the cloud's, in records. */
export type Restored = { readonly done: number; readonly total: number }

/** A picture that the cloud, or a proxy before it, refused: how often in a row, and when it is tried again (UTC ms). */
export type RefusedPicture = { readonly bytes: number; readonly status: number; readonly failures: number; readonly nextTryAt: number }

/** What the mirror of one profile works with. */
export type MirrorParts = {
  readonly userId: string
  readonly journal: JournalCalls
  readonly cloud: CloudMirror
  readonly pictures: Pick<Pictures, 'read' | 'keep' | 'has'>
  /** Pictures that the cloud refused, by name; it lives as long as the mirror. */
  readonly refused: Map<string, RefusedPicture>
  /** UTC ms. */
  readonly now: () => number
  readonly signal: AbortSignal
  readonly log: Log
  /** Told when a batch or a page is through. */
  readonly moved: () => void
  /** Called with the progress of a restore, and with null once it is done; if it breaks off, the last progress stays. */
  readonly restoring: (progress: Restored | null) => void
  /** Told how far the comparison of two histories is, as `restoring`. */
  readonly comparing: (progress: Restored | null) => void
  /** Told what the cloud keeps of the user. */
  readonly stored: (storage: CloudStorage) => void
  /** Told when something of the cloud came into the journal. */
  readonly changed: () => void
}
