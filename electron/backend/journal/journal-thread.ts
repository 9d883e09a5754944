import type { MessagePort } from 'node:worker_threads'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'
import type { JournalPlace } from './journal.ts'
import type { JournalServer } from './journal-server.ts'

/** Something a thread has opened and will close. */
export type Opened<T> = { readonly server: JournalServer; readonly close: () => void; readonly report: T }

/** What a thread of the journal can be asked by the one that started it. */
export type JournalThreadCalls<T> = {
  /** Opens the file; before all else. */
  readonly open: (place: JournalPlace) => Promise<T>
  /** Answers the journal's calls that come over this port. */
  readonly answer: (port: MessagePort) => void
  readonly refuseBut: (names: readonly string[]) => void
}

/** Runs a thread of the journal: it opens once it is told where, and at its end lets what runs finish. */
export const runThread = <T>(open: (place: JournalPlace) => Promise<Opened<T>>): void => {
  let opened: Opened<T> | null = null
  const calls: JournalThreadCalls<T> = {
    open: async (place) => {
      opened = await open(place)
      return opened.report
    },
    answer: (port) => opened?.server.serve(port),
    refuseBut: (names) => opened?.server.refuseBut(names),
  }
  threadBody().serve({
    ...calls,
    stop: async () => {
      try {
        await opened?.server.finish()
        opened?.close()
      } finally {
        // Its ports would keep it alive. The answer leaves first.
        setImmediate(() => process.exit(0))
      }
    },
  }, { faultOf: sqliteFault })
}
