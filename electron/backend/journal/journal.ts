import type { MessagePort } from 'node:worker_threads'
import type { ReportRequest } from '../reports/compute-report.ts'
import { storeFault } from '../db/fault.ts'
import { connect, type Client, type ClientOptions } from '../threads/rpc.ts'
import type { JournalReads } from './reads.ts'
import type { JournalWrites } from './writes.ts'
import type { ComputedReport } from '../reports/rows.ts'

/** The journal's functions: `read` sees what was last committed and can't write; `write` is one transaction, or one a group where that is said. */
export type JournalCalls = { readonly read: Client<JournalReads>; readonly write: Client<JournalWrites> }

/** Ports over which another thread calls the same functions: hand both to `journalOver` there, in its transfer list. */
export type JournalPorts = { readonly reader: MessagePort; readonly writer: MessagePort }

/** An open journal. `close` lets the running transaction end, then ends both threads; later calls fail with `journal-closed`. */
export type Journal = JournalCalls & WholeJournal & ReportedJournal & {
  readonly port: () => JournalPorts
  /** From now on only sign-ins are written, without which no user could see why; the rest is refused with `damaged-database`. */
  readonly refuseWrites: () => void
  readonly close: () => Promise<void>
}

/** A journal as a whole: UTF-8 lines of `journalFileLine` as it is at one moment, but for the bytes of pictures. */
export type WholeJournal = { readonly whole: (input: { readonly userId: string }) => AsyncIterable<Uint8Array> }

/** A journal of which reports are made. */
export type ReportedJournal = { /** Rejects once `gone` aborts. */ readonly computeReport: (order: ReportRequest, gone: AbortSignal) => Promise<ComputedReport> }

/** Where the journal lies. */
export type JournalPlace = {
  readonly file: string
  readonly migrationsFolder: string
  readonly backupFolder: string
  /** For tests of what survives: a barrier of the writer at which the program kills itself, `fills-written:3`. */
  readonly killAt?: string | undefined
  /** For tests of the tests: the URL of a module whose `barrier` is called at the writer's barriers instead. */
  readonly hook?: string | undefined
}

/** What calls of a journal reject with that is closed. */
export const journalClosed = (): Error => storeFault('journal-closed', 'The journal is closed')

/** A journal that nobody waits for keeps no program alive. */
export const journalWaiting: ClientOptions = { closed: journalClosed, keepsAlive: false }

/** The journal's functions over ports that `Journal.port` gave, in whatever thread the ports were sent to. */
export const journalOver = ({ reader, writer }: JournalPorts): JournalCalls => ({ read: connect(reader, journalWaiting), write: connect(writer, journalWaiting) })
