import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { createServer, type Functions, type Server } from '../threads/rpc.ts'
import { journalClosed } from './journal.ts'

// So long a call takes where it went through a large part of the journal.
const longCallMs = 1_000

/** Answers the journal's calls. From `refuseBut` on all functions but those named are refused with `damaged-database`. */
export type JournalServer = Server & { readonly refuseBut: (names: readonly string[]) => void }

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
