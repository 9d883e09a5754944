import type { MessagePort } from 'node:worker_threads'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'
import { journalClosed, type JournalPaths } from './journal.ts'
import { storeFault } from '../db/fault.ts'
import { createServer, type Functions, type Server } from '../threads/rpc.ts'

/** What a thread has opened and will close. */
export type Opened<T> = { readonly server: JournalServer; readonly close: () => void; readonly report: T }

/** The calls that the main thread makes to a journal thread. */
export type JournalThreadCalls<T> = {
  /** Opens the file; the first call. */
  readonly open: (paths: JournalPaths) => Promise<T>
  /** Answers journal calls from this port. */
  readonly answer: (port: MessagePort) => void
  readonly refuseBut: (names: readonly string[]) => void
}

/** What a journal thread answers: it opens the journal when called with its place, and `stop` lets running calls finish. */
export const journalCalls = <T>(open: (paths: JournalPaths) => Promise<Opened<T>>): JournalThreadCalls<T> & { readonly stop: () => Promise<void> } => {
  let opened: Opened<T> | null = null
  return {
    open: async (paths) => {
      opened = await open(paths)
      return opened.report
    },
    answer: (port) => opened?.server.serve(port),
    refuseBut: (names) => opened?.server.refuseBut(names),
    stop: async () => {
      await opened?.server.finish()
      opened?.close()
    },
  }
}

/** Runs a journal thread. */
export const runThread = <T>(open: (paths: JournalPaths) => Promise<Opened<T>>): void => {
  const { stop, ...calls } = journalCalls(open)
  threadBody().serve({
    ...calls,
    stop: async () => {
      try {
        await stop()
      } finally {
        // Its ports would keep it alive. Send the answer first.
        setImmediate(() => process.exit(0))
      }
    },
  }, { faultOf: sqliteFault })
}

// A call that takes this long went through a large part of the journal.
const longCallMs = 1_000

/** Answers the journal's calls. After `refuseBut` all functions except the named ones reject with `damaged-database`. */
type JournalServer = Server & { readonly refuseBut: (names: readonly string[]) => void }

/** Serves functions; converts what they throw, and what `before` throws, to a code. */
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
