import type { LastKnown } from '#shared/api/mirror.ts'
import type { ContentOf, MirrorEntity, MirrorPart, MirrorRecord } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Stored } from './storage.ts'

/** A record with the number of its last change. */
export type ChangedRecord = MirrorRecord & { readonly seq: number }

/** One user's journal, read in one state. */
export type JournalView = {
  readonly get: <E extends MirrorEntity>(entity: E, id: string) => Promise<ContentOf<E> | null>
  /** The same of several kinds at once. */
  readonly getEach: <E extends MirrorEntity>(entities: readonly E[], id: string) => Promise<{ readonly [Kind in E]: ContentOf<Kind> | null }>
  /** Every record of some kinds, by id; pairs that are gone are left out. */
  readonly list: <E extends MirrorEntity>(...entities: readonly E[]) => Promise<{ readonly [Kind in E]: readonly Listed<Kind>[] }>
}

/** A record that is not gone, of a kind that is known. */
export type Listed<E extends MirrorEntity> = { readonly id: string; readonly content: NonNullable<ContentOf<E>> }

/** One user's journal while nobody else changes it. */
export type JournalChange = JournalView & {
  /** The cloud's next stamp, later than all that it has seen of this user; `now` is UTC ms. */
  readonly stamp: (now: number) => Stamp
  /** Writes records; one that is there with the same content stays as it is. */
  readonly put: (records: readonly MirrorRecord[]) => Promise<void>
}

/** What came of a push; see `mirrorRoutes.push`. */
export type Pushed = { readonly outcome: 'taken' | 'behind'; readonly journal: string; readonly head: number; readonly hashes?: string }

/** What a device tells; see `mirrorRoutes.push`. */
export type Push = {
  readonly journal: string | null
  readonly after: LastKnown
  readonly hash?: string | undefined
  readonly id?: string | undefined
  readonly records: readonly MirrorRecord[]
}

/** Up to which change a device knows a journal, and the hash of what it then knew. */
export type Known = { readonly cursor?: number | undefined; readonly hash?: string | undefined }

/** The journals of all users in PostgreSQL. A write that takes its user beyond the plan's storage throws `StorageFull`. Writes of one user follow each other, whichever instance they come to. */
export type Journals = {
  readonly view: <T>(userId: string, work: (journal: JournalView) => Promise<T>) => Promise<T>
  /** All of `work` or nothing of it. */
  readonly change: <T>(userId: string, work: (journal: JournalChange) => Promise<T>) => Promise<T>
  readonly push: (userId: string, push: Push) => Promise<Pushed>
  readonly changes: (userId: string, page: { readonly part: MirrorPart; readonly after: number; readonly upTo: number; readonly buckets?: string | undefined }) => Promise<{ readonly journal: string; readonly records: readonly ChangedRecord[]; readonly next: number | null }>
  /** Which journal a user has, and the number of its last change, null and 0 before the first; what is kept of the user; and whether that agrees with what a device knows, see `mirrorRoutes.journal`. */
  readonly head: (userId: string, known?: Known) => Promise<{ readonly journal: string | null; readonly head: number; readonly storage: Stored; readonly agrees?: boolean; readonly hashes?: string; readonly lacking?: string[] }>
  /** The same with the number of records of each kind, which reads the whole journal. */
  readonly state: (userId: string) => Promise<{ readonly journal: string | null; readonly head: number; readonly rows: Readonly<Record<string, number>> }>
}
