import type { MessagePort } from 'node:worker_threads'
import type { ReportRequest } from '../reports/compute-report.ts'
import { storeFault } from '../db/fault.ts'
import { connect, type Client, type ClientOptions } from '../threads/rpc.ts'
import type { JournalReads } from './reads.ts'
import type { JournalWrites } from './writes.ts'
import type { ComputedReport } from '../reports/rows.ts'

/** The journal's functions: `read` sees the last commit and cannot write; each `write` is one transaction, or where documented one per group. */
export type JournalCalls = { readonly read: Client<JournalReads>; readonly write: Client<JournalWrites> }

/** Ports over which another thread can call the same functions: pass both to `connectJournal` there, in the transfer list. */
export type JournalPorts = { readonly reader: MessagePort; readonly writer: MessagePort }

/** An open journal. `close` lets the running transaction finish, then ends both threads; later calls reject with `journal-closed`. */
export type Journal = JournalCalls & WholeJournal & ReportedJournal & {
  readonly port: () => JournalPorts
  /** Rejects all further writes with `damaged-database`, except those of sessions, without which no user could see the message. */
  readonly refuseWrites: () => void
  readonly close: () => Promise<void>
}

/** A journal as a whole: UTF-8 lines of `journalFileLine` from one snapshot, without the bytes of pictures. */
export type WholeJournal = { readonly whole: (input: { readonly userId: string }) => AsyncIterable<Uint8Array> }

/** The journal as reports use it. */
export type ReportedJournal = {
  /** Rejects once `gone` aborts. */
  readonly computeReport: (order: ReportRequest, signal: AbortSignal) => Promise<ComputedReport>
}

/** The journal's files. */
export type JournalPaths = {
  readonly file: string
  readonly migrationsFolder: string
  readonly backupFolder: string
  /** For crash tests: a barrier of the writer at which the program kills itself, `fills-written:3`. */
  readonly killAt?: string | undefined
  /** For tests of the tests: the URL of a module whose `barrier` is called at the writer's barriers instead. */
  readonly hook?: string | undefined
}

/** The rejection of calls to a closed journal. */
export const journalClosed = (): Error => storeFault('journal-closed', 'The journal is closed')

/** An idle journal does not keep a program alive. */
export const journalWaiting: ClientOptions = { closed: journalClosed, keepsAlive: false }

/** The journal's functions over ports from `Journal.port`, in whichever thread received them. */
export const connectJournal = ({ reader, writer }: JournalPorts): JournalCalls => ({ read: connect(reader, journalWaiting), write: connect(writer, journalWaiting) })

/** Works with the journal over these ports, and closes them. */
export const withJournal = async <T>(ports: JournalPorts, work: (journal: JournalCalls) => Promise<T>): Promise<T> => {
  try {
    return await work(connectJournal(ports))
  } finally {
    ports.reader.close()
    ports.writer.close()
  }
}
