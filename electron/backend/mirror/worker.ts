import { parentPort, workerData } from 'node:worker_threads'
import { err } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { createCloudClient } from '../cloud/client.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import { createCloudMirror } from '../cloud/mirror-calls.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import { createPictures } from '../pictures/pictures.ts'
import { journalOver } from '../journal/journal-client.ts'
import { answerCalls, callsOver } from '../sync/port-calls.ts'
import { systemTiming } from '../brokers/tradovate/timing.ts'
import { startLoop } from './loop.ts'
import type { Loop } from './loop.ts'
import type { RefusedPicture } from './parts.ts'
import { mainCalls, type MainCalls, type WorkerCalls, type WorkerStart } from './thread.ts'
import { rowsInCloud } from './rows-in-cloud.ts'
import { makeEqual } from './turn.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')
const port = parentPort
const start = workerData as WorkerStart
const main = callsOver<MainCalls>(start.main, mainCalls)
const journal = journalOver(start.journal)
const pictures = createPictures(start.picturesFolder)
const stopping = new AbortController()
const { signal } = stopping
// What is told while the program ends may find nobody to hear it.
const tell = (told: Promise<void>): void => void told.catch(() => undefined)
const say = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string): void => tell(main.log({ level, fields: { ...fields }, message }))
const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }

// The main thread may wait long for a cloud that starts; the end of a mirror or of the program does not.
const abortedBy = (signal: AbortSignal): Promise<Result<never, CloudFailure>> => new Promise((resolve) => signal.addEventListener('abort', () => resolve(err({ kind: 'aborted' }))))

type Mirror = { readonly loop: Loop; readonly cloud: CloudMirror; readonly end: () => Promise<void> }
const mirrors = new Map<string, Mirror>()

const beginMirror = (userId: string): Mirror => {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping.signal, ending.signal])
  const aborted = abortedBy(signal)
  const cloud = createCloudMirror(createCloudClient({ access: (refused) => Promise.race([main.access({ userId, refused }), aborted]) }))
  const refused = new Map<string, RefusedPicture>()
  const parts = { userId, journal, cloud, pictures, refused, now: systemTiming.now, signal, log }
  const loop = startLoop({
    turn: (reports) => makeEqual({ ...parts, ...reports }),
    place: () => journal.read.mirror({ userId }),
    refused,
    timing: systemTiming,
    signal,
    log,
    told: (state) => tell(main.told({ userId, state })),
    changed: () => tell(main.changed({ userId })),
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

const calls: WorkerCalls = {
  begin: ({ userId }) => {
    if (!mirrors.has(userId) && !signal.aborted) mirrors.set(userId, beginMirror(userId))
  },
  poke: ({ userId }) => mirrorOf(userId).loop.poke(),
  now: ({ userId }) => mirrorOf(userId).loop.now(),
  state: ({ userId }) => mirrorOf(userId).loop.state(),
  rowsInCloud: ({ userId }) => rowsInCloud({ cloud: mirrorOf(userId).cloud, signal }),
  end: async ({ userId }) => {
    const mirror = mirrors.get(userId)
    mirrors.delete(userId)
    await mirror?.end()
  },
  stop: async () => {
    stopping.abort()
    await Promise.allSettled([...mirrors.values()].map(({ loop }) => loop.ended))
    // The answer leaves first.
    setImmediate(() => {
      start.main.close()
      start.journal.reader.close()
      start.journal.writer.close()
      port.close()
    })
  },
}
answerCalls(port, calls)
