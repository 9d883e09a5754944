import type { MirrorState } from '#shared/api/mirror-state.ts'
import { err, type Result } from '#shared/base/result.ts'
import { createCloudClient, type CloudAccess } from '../cloud/client.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import { createCloudMirror } from '../cloud/mirror-calls.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import { createPictures } from '../pictures/pictures.ts'
import { connectJournal, type JournalPorts } from '../journal/journal.ts'
import { threadBody } from '../threads/thread-body.ts'
import { systemTiming } from '../brokers/timing.ts'
import { synchronize, startLoop, type Loop } from './loop.ts'
import type { RefusedPicture } from './deps.ts'
import { rowsInCloud } from './pull.ts'

type OfUser = { readonly userId: string }

/** The main thread's calls: only it has tokens and pages. */
export type MainCalls = {
  readonly access: (input: OfUser & { readonly refused: string | null }) => Promise<Result<CloudAccess, CloudFailure>>
  readonly stateChanged: (input: OfUser & { readonly state: MirrorState }) => void
  readonly changed: (input: OfUser) => void
}

/** The start data of the mirror's thread. `picturesFolder` has the pictures of all profiles. */
export type MirrorData = { readonly journal: JournalPorts; readonly picturesFolder: string }

/** The calls of the mirror's thread, for profiles whose mirror is running. */
export type MirrorCalls = typeof calls

const { data, main, log, serve } = threadBody<MirrorData, MainCalls>()
const journal = connectJournal(data.journal)
const pictures = createPictures(data.picturesFolder)
const stopping = new AbortController()
const { signal } = stopping
// During a shutdown the main thread may be gone.
const ignoreFailure = (call: Promise<void>): void => void call.catch(() => undefined)

// The main thread may wait long for a starting cloud; ending a mirror or the program must not.
const abortedBy = (signal: AbortSignal): Promise<Result<never, CloudFailure>> => new Promise((resolve) => signal.addEventListener('abort', () => resolve(err({ kind: 'aborted' }))))

type Mirror = { readonly loop: Loop; readonly cloud: CloudMirror; readonly end: () => Promise<void> }
const mirrors = new Map<string, Mirror>()

const beginMirror = (userId: string): Mirror => {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping.signal, ending.signal])
  const aborted = abortedBy(signal)
  const cloud = createCloudMirror(createCloudClient({ access: (refused) => Promise.race([main.access({ userId, refused }), aborted]) }))
  const refused = new Map<string, RefusedPicture>()
  const deps = { userId, journal, cloud, pictures, refused, now: systemTiming.now, signal, log }
  const loop = startLoop({
    turn: (reports) => synchronize({ ...deps, ...reports }),
    position: () => journal.read.mirror({ userId }),
    refused,
    timing: systemTiming,
    signal,
    log,
    publish: (state) => ignoreFailure(main.stateChanged({ userId, state })),
    changed: () => ignoreFailure(main.changed({ userId })),
  })
  const end = (): Promise<void> => {
    ending.abort()
    return loop.ended
  }
  return { loop, cloud, end }
}

const mirrorOf = (userId: string): Mirror => {
  const mirror = mirrors.get(userId)
  if (mirror === undefined) throw new Error('The mirror of this profile was not begun')
  return mirror
}

const calls = {
  /** Starts mirroring a profile; does nothing the second time. */
  begin: (userId: string) => {
    if (!mirrors.has(userId) && !signal.aborted) mirrors.set(userId, beginMirror(userId))
  },
  /** The profile's journal changed. */
  poke: (userId: string) => mirrorOf(userId).loop.poke(),
  /** Retries immediately. */
  now: (userId: string) => mirrorOf(userId).loop.now(),
  state: (userId: string) => mirrorOf(userId).loop.state(),
  /** The number of the user's records in the cloud. */
  rowsInCloud: (userId: string) => rowsInCloud({ cloud: mirrorOf(userId).cloud, signal }),
  /** Ends the mirror of a profile, which `begin` starts again. */
  end: async (userId: string) => {
    const mirror = mirrors.get(userId)
    mirrors.delete(userId)
    await mirror?.end()
  },
}

serve({
  ...calls,
  // Drops what is being transferred, and lets the running transaction finish.
  stop: async () => {
    stopping.abort()
    await Promise.allSettled([...mirrors.values()].map(({ loop }) => loop.ended))
    data.journal.reader.close()
    data.journal.writer.close()
  },
})
