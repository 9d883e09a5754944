import type { Log } from '#shared/base/log.ts'
import type { CloudStorage } from '#shared/api/mirror-state.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** Progress of a restore or a comparison, in records. */
export type Restored = { readonly done: number; readonly total: number }

/** A picture that the cloud, or a proxy before it, refused: how often in a row, and the time of the next try (UTC ms). */
export type RefusedPicture = { readonly bytes: number; readonly status: number; readonly failures: number; readonly nextTryAt: number }

/** Dependencies of one profile's mirror. */
export type MirrorDeps = {
  readonly userId: string
  readonly journal: JournalCalls
  readonly cloud: CloudMirror
  readonly pictures: Pick<Pictures, 'read' | 'keep' | 'has'>
  /** Pictures that the cloud refused, by name; lives as long as the mirror. */
  readonly refused: Map<string, RefusedPicture>
  /** UTC ms. */
  readonly now: () => number
  readonly signal: AbortSignal
  readonly log: Log
  /** Called when a batch or a page is done. */
  readonly moved: () => void
  /** Called with the progress of a restore, and with null once it is done; if it is interrupted, the last progress stays. */
  readonly restoring: (progress: Restored | null) => void
  /** Called with the progress of comparing two histories, like `restoring`. */
  readonly comparing: (progress: Restored | null) => void
  /** Called with the user's storage in the cloud. */
  readonly stored: (storage: CloudStorage) => void
  /** Called when something from the cloud entered the journal. */
  readonly changed: () => void
}
