import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BackupJob, BackupReply } from './backup-worker.ts'
import type { BackupWork } from './backup-work.ts'
import { storeFault } from '../db/fault.ts'

/** The work on backups as promises, each piece on a thread of its own; `close`, or its signal, ends what is under way, which rejects with `journal-closed`. What fails rejects with a StoreFault: `disk-full`, `unwritable`, `damaged-database`. */
export type BackupThreads = { readonly [Name in keyof BackupWork]: (order: Parameters<BackupWork[Name]>[0], signal?: AbortSignal) => Promise<Awaited<ReturnType<BackupWork[Name]>>> } & { readonly close: () => Promise<void> }

/** Begins with no thread. */
export const backupThreads = (): BackupThreads => {
  const running = new Set<Worker>()
  let open = true

  const run = (name: keyof BackupWork) => async (order: unknown, signal?: AbortSignal): Promise<unknown> => {
    if (!open) throw storeFault('journal-closed', 'The program is ending')
    const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { name: 'backup', workerData: { name, order: order as never } satisfies BackupJob })
    const end = (): void => void worker.terminate()
    signal?.addEventListener('abort', end)
    running.add(worker)
    try {
      const ended = once(worker, 'exit').then(() => [null] as const)
      const [reply] = (await Promise.race([once(worker, 'message'), ended])) as [BackupReply | null]
      if (reply === null) throw storeFault('journal-closed', 'The program ended before the backup was done')
      if (!reply.ok) throw storeFault(reply.code, reply.message)
      return reply.value
    } finally {
      signal?.removeEventListener('abort', end)
      running.delete(worker)
      await worker.terminate()
    }
  }
  const threads = { make: run('make'), check: run('check'), holds: run('holds'), preview: run('preview'), stage: run('stage'), forget: run('forget') }
  return {
    ...(threads as Omit<BackupThreads, 'close'>),
    close: async () => {
      open = false
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}
