import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { MirrorState } from '#shared/api/mirror.ts'
import type { Log, LogFields } from '#shared/base/log.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudAccess } from '../cloud/identity.ts'
import type { Journal, JournalPorts } from '../journal/journal.ts'
import { answerCalls, callsOver } from '../sync/port-calls.ts'

type OfUser = { readonly userId: string }

/** What the mirror's thread is given at its start. `picturesFolder` holds the pictures of all profiles. */
export type WorkerStart = { readonly journal: JournalPorts; readonly main: MessagePort; readonly picturesFolder: string }

/** What the thread can be asked, of profiles whose mirror was begun. */
export type WorkerCalls = {
  readonly begin: (input: OfUser) => void
  readonly poke: (input: OfUser) => void
  readonly now: (input: OfUser) => void
  readonly state: (input: OfUser) => Promise<MirrorState>
  readonly rowsInCloud: (input: OfUser) => Promise<Result<number, CloudFailure>>
  readonly end: (input: OfUser) => Promise<void>
  readonly stop: (input: null) => Promise<void>
}

/** What the thread asks and tells the main one, which alone knows tokens, pages and the log. */
export type MainCalls = {
  readonly access: (input: OfUser & { readonly refused: string | null }) => Promise<Result<CloudAccess, CloudFailure>>
  readonly told: (input: OfUser & { readonly state: MirrorState }) => void
  readonly changed: (input: OfUser) => void
  readonly log: (line: { readonly level: keyof Log; readonly fields: LogFields; readonly message: string }) => void
}

/** The names of both kinds of call, as they cross. */
export const workerCalls = ['begin', 'poke', 'now', 'state', 'rowsInCloud', 'end', 'stop'] as const satisfies (keyof WorkerCalls)[]
export const mainCalls = ['access', 'told', 'changed', 'log'] as const satisfies (keyof MainCalls)[]

/** The thread that makes journals and their mirrors equal. */
export type MirrorThread = {
  /** Begins to mirror a profile; a second time it does nothing. */
  readonly begin: (userId: string) => Promise<void>
  /** Tells that the profile's journal changed. */
  readonly poke: (userId: string) => Promise<void>
  /** Tries at once. */
  readonly now: (userId: string) => Promise<void>
  readonly state: (userId: string) => Promise<MirrorState>
  /** How many records the cloud holds of the user. */
  readonly rowsInCloud: (userId: string) => Promise<Result<number, CloudFailure>>
  /** Ends the mirror of a profile, which `begin` begins again. */
  readonly end: (userId: string) => Promise<void>
  /** Gives up what is on its way, lets the running transaction end, and ends the thread. */
  readonly stop: () => Promise<void>
}

/** What the thread works with. */
export type MirrorThreadParts = {
  readonly journal: Journal
  readonly picturesFolder: string
  readonly answers: Pick<MainCalls, 'access' | 'told' | 'changed'>
  readonly log: Log
  /** Told where the thread dies. */
  readonly broken?: () => void
}

/** Starts the mirror's thread. */
export const startMirrorThread = ({ journal, picturesFolder, answers, log, broken = () => undefined }: MirrorThreadParts): MirrorThread => {
  const { port1: here, port2: there } = new MessageChannel()
  const ports = journal.port()
  const start: WorkerStart = { journal: ports, main: there, picturesFolder }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { name: 'mirror', workerData: start, transferList: [there, ports.reader, ports.writer] })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (error) => {
    log.error({ error }, 'The mirror thread failed')
    broken()
  })
  const calls: MainCalls = { ...answers, log: ({ level, fields, message }) => log[level](fields, message) }
  answerCalls(here, calls)
  const { stop, ...asked } = callsOver<WorkerCalls>(worker, workerCalls)

  return {
    begin: (userId) => asked.begin({ userId }),
    poke: (userId) => asked.poke({ userId }),
    now: (userId) => asked.now({ userId }),
    state: (userId) => asked.state({ userId }),
    rowsInCloud: (userId) => asked.rowsInCloud({ userId }),
    end: (userId) => asked.end({ userId }),
    stop: async () => {
      await stop(null).catch(() => undefined)
      await exited
      here.close()
    },
  }
}
