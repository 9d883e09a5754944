import type { CopierLive } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { startThread, type Thread } from '../../threads/start-thread.ts'
import type { CopierMainCalls } from './calls.ts'
import type { CopierCalls } from './engine.ts'

/** The copier thread's settings. */
export type CopierSettings = {
  /** The copier's own database file. */
  readonly file: string
  readonly migrationsFolder: string
  /** The backup folder for migrations. */
  readonly backupFolder: string
  /** Broker calls per login in a rolling hour. */
  readonly callsPerHour: number
}

/** The thread that copies, and nothing else. */
export type CopierThread = Thread<CopierCalls>['calls']

/** Dependencies of the thread. `main` has the functions that it calls back; `broken` is called if it dies. */
export type CopierThreadDeps = { readonly settings: CopierSettings; readonly main: CopierMainCalls; readonly log: Log; readonly broken?: () => void }

/** The thread's answers while nobody has a group or watches positions, so it need not run; `now` is UTC ms. */
export const withoutGroups = (now: () => number): Pick<CopierThread, 'state' | 'pause' | 'isWorking' | 'hasOrdersIn' | 'dropGone' | 'accountsChanged' | 'woke'> => {
  const live = (): Promise<CopierLive> => Promise.resolve({ seq: 0, at: now(), groups: [], budgets: [] })
  const done = (): Promise<void> => Promise.resolve()
  const no = (): Promise<boolean> => Promise.resolve(false)
  return { state: async () => ({ groups: [], live: await live(), stops: 0 }), pause: live, isWorking: no, hasOrdersIn: no, dropGone: no, accountsChanged: done, woke: done }
}

/** Starts the copier's thread: armed groups resume once their lines are up and `allow` was called. */
export const startCopierThread = ({ settings, main, log, broken = () => undefined }: CopierThreadDeps): CopierThread => {
  const { calls, watch } = startThread<CopierCalls>(new URL('./worker.ts', import.meta.url), {
    name: 'copier',
    data: settings,
    main,
    // Fewer, later scavenges: each would fall between a leader's fill and its copies.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  })
  watch(log, broken)
  return calls
}
