import path from 'node:path'
import type { CloudFailure } from '#backend/cloud/failure.ts'
import type { CloudMirror } from '#backend/cloud/mirror-calls.ts'
import type { RefusedPicture, Restored } from '#backend/mirror/deps.ts'
import { synchronize } from '#backend/mirror/loop.ts'
import { createPictures, type Pictures } from '#backend/pictures/pictures.ts'
import type { JournalCalls } from '#backend/journal/journal.ts'
import type { Result } from '#shared/base/result.ts'
import { openEmptyStore, temporaryFolder, user, type TestStore } from './store.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A computer with a journal of its own and a mirror that works when the test lets it. */
export type MirrorDevice = {
  readonly store: TestStore
  readonly journal: JournalCalls
  readonly pictures: Pictures
  /** Pictures that the cloud refused. */
  readonly refused: ReadonlyMap<string, RefusedPicture>
  /** Makes journal and cloud equal, once. */
  readonly turn: (signal?: AbortSignal) => Promise<Result<null, CloudFailure>>
  /** What the turns published so far. */
  readonly published: { readonly restoring: (Restored | null)[]; readonly comparing: (Restored | null)[]; changed: number; moved: number }
  /** Moves its clock on. */
  readonly pass: (ms: number) => void
}

const promised = <T extends object>(functions: T): never => new Proxy(functions, { get: (target, name) => async (input: unknown) => (target[name as keyof T] as (input: unknown) => unknown)(input) }) as never

/** The journal on this thread, called as from another one. */
export const callsOf = (store: TestStore): JournalCalls => ({ read: promised(store.read), write: promised(store.write) })

/** A device with an empty journal, or the one given, with its clock at `start` (UTC ms). */
export const mirrorDevice = (cloud: CloudMirror, given: { readonly store?: TestStore; readonly start?: number } = {}): MirrorDevice => {
  const { store = openEmptyStore(), start = Date.UTC(2026, 0, 6) } = given
  const journal = callsOf(store)
  const pictures = createPictures(path.join(temporaryFolder(), 'pictures'))
  const published: MirrorDevice['published'] = { restoring: [], comparing: [], changed: 0, moved: 0 }
  let now = start
  const refused = new Map<string, RefusedPicture>()
  return {
    store,
    journal,
    pictures,
    refused,
    published,
    pass: (ms) => void (now += ms),
    turn: (signal = new AbortController().signal) =>
      synchronize({
        ...user, journal, cloud, pictures, refused, signal, log: quiet,
        now: () => now,
        moved: () => void (published.moved += 1),
        changed: () => void (published.changed += 1),
        stored: () => undefined,
        comparing: (progress) => void published.comparing.push(progress),
        restoring: (progress) => void published.restoring.push(progress),
      }),
  }
}
