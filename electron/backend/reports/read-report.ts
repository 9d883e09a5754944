import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReportOrder } from './compute-report.ts'
import { storeFault } from '../db/fault.ts'
import type { ReportJob, ReportReply } from './report-worker.ts'
import type { ComputedReport } from './reports-calls.ts'

/** Computes reports over one file, each on a thread of its own that lives for one; `close` ends those that are under way, which reject with `journal-closed`. Rejects once `gone` aborts, and the thread is ended. */
export type ReportReading = { readonly compute: (order: ReportOrder, gone: AbortSignal) => Promise<ComputedReport>; readonly close: () => Promise<void> }

/** Begins with none. A report sees one state of the journal. */
export const reportReading = (file: string): ReportReading => {
  const running = new Set<Worker>()
  return {
    compute: async (order, gone) => {
      gone.throwIfAborted()
      const worker = new Worker(new URL('./report-worker.ts', import.meta.url), { name: 'report', workerData: { file, ...order } satisfies ReportJob })
      running.add(worker)
      const end = (): void => void worker.terminate()
      gone.addEventListener('abort', end, { once: true })
      try {
        const ended = once(worker, 'exit').then(() => [null] as const)
        const [reply] = (await Promise.race([once(worker, 'message'), ended])) as [ReportReply | null]
        gone.throwIfAborted()
        if (reply === null) throw storeFault('journal-closed', 'The journal was closed before the report was made')
        if (!reply.ok) throw storeFault(reply.code, reply.message)
        return reply.report
      } finally {
        gone.removeEventListener('abort', end)
        running.delete(worker)
        await worker.terminate()
      }
    },
    close: async () => {
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}
