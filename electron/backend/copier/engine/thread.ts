import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { CopierLive } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import type { Remote } from '../../journal/journal.ts'
import { answerCalls, callsOver } from '../../sync/port-calls.ts'
import { copierCalls, type CopierCalls, type CopierMainCalls } from './calls.ts'

/** What the copier's thread works with that can cross into it. */
export type CopierSettings = {
  /** The copier's own database file. */
  readonly file: string
  readonly migrationsFolder: string
  /** Where the file is copied before it is migrated. */
  readonly backupFolder: string
  /** The calls that a login may make in a rolling hour. */
  readonly callsPerHour: number
}

/** What the worker is given at its start. */
export type CopierStart = CopierSettings & { readonly main: MessagePort }

/** The thread that copies, and nothing else. */
export type CopierThread = Remote<CopierCalls>

/** What the thread is started with. `main` answers what it asks; `broken` is told where it dies. */
export type CopierThreadParts = { readonly settings: CopierSettings; readonly main: Omit<CopierMainCalls, 'log'>; readonly log: Log; readonly broken?: () => void }

/** What the thread would answer while nobody has a group or watches positions, so that it need not run for it; `now` is UTC ms. */
export const withoutGroups = (now: () => number): Pick<CopierThread, 'state' | 'pause' | 'isWorking' | 'accountsChanged' | 'woke'> => {
  const live = (): Promise<CopierLive> => Promise.resolve({ seq: 0, at: now(), groups: [], budgets: [] })
  const done = (): Promise<void> => Promise.resolve()
  return { state: async () => ({ groups: [], live: await live(), stops: 0 }), pause: live, isWorking: () => Promise.resolve(false), accountsChanged: done, woke: done }
}

/** Starts the copier's thread: groups that stood armed go on by themselves once their lines are up and `allow` was heard. */
export const startCopierThread = ({ settings, main, log, broken = () => undefined }: CopierThreadParts): CopierThread => {
  const { port1: here, port2: there } = new MessageChannel()
  const start: CopierStart = { ...settings, main: there }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'copier',
    workerData: start,
    transferList: [there],
    // Fewer, later scavenges: each would fall between a leader's fill and its copies.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (error) => {
    log.error({ error }, 'The copier thread failed')
    broken()
  })
  answerCalls(here, { ...main, log: ({ level, fields, message }: Parameters<CopierMainCalls['log']>[0]) => log[level](fields, message) })
  const calls = callsOver<CopierCalls>(worker, copierCalls)
  return {
    ...calls,
    stop: async () => {
      await calls.stop(null).catch(() => undefined)
      await exited
      here.close()
    },
  }
}
