import { parentPort, workerData } from 'node:worker_threads'
import { killAtBarrier } from '../db/barrier.ts'
import { journalOver } from '../journal/journal-client.ts'
import { systemTiming } from '../brokers/tradovate/timing.ts'
import { createLogins } from './logins.ts'
import { answerCalls, callsOver } from './port-calls.ts'
import { reportOf } from './report.ts'
import { runSync, type RunParts } from './sync.ts'
import { mainCalls, type MainCalls, type WorkerCalls, type WorkerStart } from './thread.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')
const port = parentPort
const start = workerData as WorkerStart
const main = callsOver<MainCalls>(start.main, mainCalls)
const journal = journalOver(start.journal)
const stopping = new AbortController()
// What is told while the program ends may find nobody to hear it.
const tell = (told: Promise<void>): void => void told.catch(() => undefined)
const say = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string): void => tell(main.log({ level, fields: { ...fields }, message }))

const logins = createLogins({ main, timing: systemTiming, stop: stopping.signal })
const parts: RunParts = {
  journal,
  login: logins.open,
  waits: new Map(),
  now: systemTiming.now,
  progress: (progress) => tell(main.progress(progress)),
  barrier: killAtBarrier(start.killAt),
  log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
}
const underWay = new Set<Promise<unknown>>()
const awaited = <T>(work: Promise<T>): Promise<T> => {
  underWay.add(work)
  const leave = (): void => void underWay.delete(work)
  work.then(leave, leave)
  return work
}

const calls: WorkerCalls = {
  run: (request) => awaited(runSync(parts, request, stopping.signal)),
  keepAlive: (userId) => awaited(logins.keepAlive(journal, userId)),
  forget: logins.forget,
  report: ({ userId, loginId, ...wish }) => awaited(reportOf(logins, { userId, loginId }, wish, stopping.signal)),
  stop: async () => {
    stopping.abort()
    await Promise.allSettled(underWay)
    // A run that ended leaves its renewal behind.
    await logins.settled()
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
