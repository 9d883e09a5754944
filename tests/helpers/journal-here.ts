import { MessageChannel } from 'node:worker_threads'
import { sqliteFault } from '#backend/db/sqlite-fault.ts'
import { journalClosed, type JournalPaths } from '#backend/journal/journal.ts'
import { journalCalls, type JournalThreadCalls, type Opened } from '#backend/journal/journal-thread.ts'
import type { JournalThreads } from '#backend/journal/open-journal.ts'
import { openReading } from '#backend/journal/reader.ts'
import { openWriter } from '#backend/journal/writer.ts'
import { asking, clientOf, createServer } from '#backend/threads/rpc.ts'
import type { Thread } from '#backend/threads/start-thread.ts'

/** The body of a journal thread, answering here over the product's own RPC. */
const bodyHere = <T>(open: (place: JournalPaths) => Promise<Opened<T>>): Thread<JournalThreadCalls<T>> => {
  const { port1, port2 } = new MessageChannel()
  createServer(journalCalls(open), { faultOf: sqliteFault }).serve(port2)
  const ask = asking(port1, { closed: journalClosed, keepsAlive: false })
  const exited = new Promise<void>((resolve) => port1.once('close', resolve))
  const terminate = (): Promise<void> => {
    port1.close()
    return exited
  }
  const stop = async (): Promise<void> => {
    await ask('stop', null)
    await terminate()
  }
  const keepsAlive = (does: boolean): void => (does ? port1.ref() : port1.unref())
  return { calls: Object.assign(clientOf<JournalThreadCalls<T>>(ask), { stop }), ask, watch: () => undefined, exited, terminate, keepsAlive }
}

/**
 * The journal's threads, both on this one, for tests of what works with a journal: it takes most of a start to load two
 * threads. What they are for, `scenarios/open-journal.test.ts` shows.
 */
export const journalHere = (): JournalThreads => {
  const [writing, reading] = [bodyHere(openWriter), bodyHere(openReading)]
  return {
    writing,
    reading,
    end: async () => {
      await Promise.all([writing.terminate(), reading.terminate()])
    },
  }
}
