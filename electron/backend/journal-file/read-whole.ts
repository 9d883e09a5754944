import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { storeFault } from '../db/fault.ts'
import type { WholeOrder, WholePart } from './whole-journal-worker.ts'

/** Reads whole journals of one file, each on a thread of its own; `close` ends those that are under way. */
export type WholeReading = { readonly read: (order: Pick<WholeOrder, 'userId'>) => AsyncGenerator<Uint8Array>; readonly close: () => Promise<void> }

/** Begins with none. A reading sees one state of the journal, and is no further than its reader. */
export const wholeReading = (file: string): WholeReading => {
  const running = new Set<Worker>()

  async function* read({ userId }: Pick<WholeOrder, 'userId'>): AsyncGenerator<Uint8Array> {
    const worker = new Worker(new URL('./whole-journal-worker.ts', import.meta.url), { workerData: { file, userId } satisfies WholeOrder })
    const ended = once(worker, 'exit')
    ended.catch(() => undefined)
    running.add(worker)
    try {
      for (;;) {
        worker.postMessage('next')
        const [part] = (await Promise.race([once(worker, 'message'), ended.then(() => [null])])) as [WholePart | null]
        if (part === null) throw storeFault('journal-closed', 'The journal was closed before it was read to its end')
        if (!part.ok) throw storeFault(part.code, part.message)
        if (part.lines === null) return
        yield part.lines
      }
    } finally {
      running.delete(worker)
      await worker.terminate()
    }
  }
  return {
    read,
    close: async () => {
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}
