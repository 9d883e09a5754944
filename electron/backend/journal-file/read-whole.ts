import { journalClosed } from '../journal/journal.ts'
import { startThread, type Thread } from '../threads/start-thread.ts'
import type { WholeCalls, WholeData } from './whole-journal-worker.ts'

/** Reads whole journals from one file, each on its own thread; `close` ends running reads, which reject with `journal-closed`. */
export type WholeReading = { readonly read: (order: Pick<WholeData, 'userId'>) => AsyncGenerator<Uint8Array>; readonly close: () => Promise<void> }

/** Starts without a read. A read sees one snapshot of the journal, and never runs ahead of its consumer. */
export const wholeReading = (file: string): WholeReading => {
  const running = new Set<Thread<WholeCalls>>()

  async function* read({ userId }: Pick<WholeData, 'userId'>): AsyncGenerator<Uint8Array> {
    const thread = startThread<WholeCalls>(new URL('./whole-journal-worker.ts', import.meta.url), { name: 'whole-journal', data: { file, userId } satisfies WholeData, closed: journalClosed })
    running.add(thread)
    try {
      for (let lines = await thread.calls.next(); lines !== null; lines = await thread.calls.next()) yield lines
    } finally {
      running.delete(thread)
      await thread.terminate()
    }
  }
  return {
    read,
    close: async () => {
      await Promise.all([...running].map((thread) => thread.terminate()))
    },
  }
}
