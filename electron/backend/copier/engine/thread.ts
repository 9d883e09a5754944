import type { CopierLive } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { startThread, type Thread } from '../../threads/start-thread.ts'
import type { CopierCalls, CopierMainCalls } from './calls.ts'

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

/** The thread that copies, and nothing else. */
export type CopierThread = Thread<CopierCalls>['calls']

/** What the thread is started with. `main` answers what it asks; `broken` is told where it dies. */
export type CopierThreadParts = { readonly settings: CopierSettings; readonly main: CopierMainCalls; readonly log: Log; readonly broken?: () => void }

/** What the thread would answer while nobody has a group or watches positions, so that it need not run for it; `now` is UTC ms. */
export const withoutGroups = (now: () => number): Pick<CopierThread, 'state' | 'pause' | 'isWorking' | 'accountsChanged' | 'woke'> => {
  const live = (): Promise<CopierLive> => Promise.resolve({ seq: 0, at: now(), groups: [], budgets: [] })
  const done = (): Promise<void> => Promise.resolve()
  return { state: async () => ({ groups: [], live: await live(), stops: 0 }), pause: live, isWorking: () => Promise.resolve(false), accountsChanged: done, woke: done }
}

/** Starts the copier's thread: groups that stood armed go on by themselves once their lines are up and `allow` was heard. */
export const startCopierThread = ({ settings, main, log, broken = () => undefined }: CopierThreadParts): CopierThread => {
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
