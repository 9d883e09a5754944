import type { MessagePort } from 'node:worker_threads'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'
import { journalClosed, type JournalPlace } from './journal.ts'
import { storeFault } from '../db/fault.ts'
import { createServer, type Functions, type Server } from '../threads/rpc.ts'

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

/** Runs a thread of the journal: it opens once it gets the path, and at its end lets running calls finish. */
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

// So long a call takes where it went through a large part of the journal.
const longCallMs = 1_000

/** Answers the journal's calls. From `refuseBut` on all functions but those named are refused with `damaged-database`. */
type JournalServer = Server & { readonly refuseBut: (names: readonly string[]) => void }

/** Makes functions callable; what they throw arrives as a code, and so does what `before` each of them throws. */
export const journalServer = (functions: Functions, before: () => void = () => undefined): JournalServer => {
  let taken: ReadonlySet<string> | null = null
  const server = createServer(functions, {
    faultOf: sqliteFault,
    closed: journalClosed,
    before: (name) => {
      if (taken?.has(name) === false) throw storeFault('damaged-database', 'The journal is damaged: nothing more is written to it')
      before()
    },
    // V8 would keep hundreds of megabytes of garbage until this thread next needs as much, which may be never.
    answered: (ms) => {
      if (ms > longCallMs) globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    },
  })
  return {
    ...server,
    refuseBut: (names) => {
      taken = new Set(names)
    },
  }
}
