import { journalClosed } from '../journal/journal.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { BackupWork } from './backup-work.ts'

/**
 * Backup work as promises, each call alone on a thread; `close`, or the call's signal, ends what is running, which
 * rejects with `journal-closed`. Failures reject with a StoreFault: `disk-full`, `unwritable`, `damaged-database`.
 */
export type BackupThreads = { readonly [Name in keyof BackupWork]: (order: Parameters<BackupWork[Name]>[0], signal?: AbortSignal) => Promise<Awaited<ReturnType<BackupWork[Name]>>> } & { readonly close: () => Promise<void> }

/** Starts without a thread. */
export const backupThreads = (): BackupThreads => {
  const { run, close } = createJobs<BackupWork>(new URL('./backup-worker.ts', import.meta.url), 'backup', journalClosed)
  const work = <Name extends keyof BackupWork>(name: Name): BackupThreads[Name] => (async (order: Parameters<BackupWork[Name]>[0], signal?: AbortSignal) => {
    try {
      return await run(name, order, signal)
    } catch (error) {
      throw signal?.aborted === true ? journalClosed() : error
    }
  }) as BackupThreads[Name]
  return { make: work('make'), check: work('check'), holds: work('holds'), preview: work('preview'), stage: work('stage'), forget: work('forget'), close }
}
