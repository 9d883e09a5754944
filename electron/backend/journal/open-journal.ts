import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { storeFault } from '../db/fault.ts'
import { type Client, connect } from '../threads/rpc.ts'
import { createJobs, startThread, type Thread } from '../threads/start-thread.ts'
import { journalClosed, connectJournal, journalWaiting, type Journal, type JournalPaths, type JournalPorts } from './journal.ts'
import type { ReportCalls } from '../reports/report-worker.ts'
import { wholeReading } from '../journal-file/read-whole.ts'
import type { JournalThreadCalls } from './journal-thread.ts'
import type { JournalReads } from './reads.ts'
import type { WriterReport } from './writer.ts'
import type { JournalWrites } from './writes.ts'

type Hearing = { readonly log: Log; readonly broken: () => void }

type Starting<T> = Thread<JournalThreadCalls<T>>

const start = <T>(name: string, body: URL): Starting<T> => startThread<JournalThreadCalls<T>>(body, { name, closed: journalClosed })

type Started<T> = { readonly report: T; readonly port: () => MessagePort; readonly refuseBut: (names: readonly string[]) => void; readonly close: () => Promise<void> }

const open = async <T>({ calls, ask, watch, exited, terminate }: Starting<T>, paths: JournalPaths, { log, broken }: Hearing): Promise<Started<T>> => {
  watch(log, broken)
  const report = await calls.open(paths).catch(async (error: unknown) => {
    await terminate()
    throw error
  })
  return {
    report,
    port: () => {
      const { port1, port2 } = new MessageChannel()
      // A thread that dies before its end would leave calls without an answer. Its last answer may arrive after its exit.
      void exited.then(() => setImmediate(() => port1.close()))
      ask('answer', port2, [port2]).catch(() => undefined)
      return port1
    },
    refuseBut: (names) => void calls.refuseBut(names).catch(() => undefined),
    close: calls.stop,
  }
}

/** Writes of sessions: their tables are small, and without them no user could see that the journal is damaged. */
const writesOfVisits = ['saveSession', 'prolongSession', 'issueKey', 'endSession', 'endSessionsOf', 'updateProfile', 'ensureProfile'] as const satisfies readonly (keyof JournalWrites)[]

const startReader = (): Starting<null> => start('journal-reader', new URL('./reader-worker.ts', import.meta.url))

/** The journal's threads, already loading; they touch no file before `openJournal`. */
export type JournalThreads = {
  readonly writing: Starting<WriterReport>
  readonly reading: Starting<null>
  /** Ends them where nobody takes them. */
  readonly end: () => Promise<void>
}

/** Starts the journal's threads, so that they load in parallel with the program. */
export const beginJournal = (): JournalThreads => {
  const writing = start<WriterReport>('journal-writer', new URL('./writer-worker.ts', import.meta.url))
  const reading = startReader()
  return {
    writing,
    reading,
    end: async () => {
      await Promise.all([writing.terminate(), reading.terminate()])
    },
  }
}

/**
 * Opens the journal on a writer thread and a reader thread, and migrates it to this program's version first. Reads that
 * may take seconds get a second reader, started with the first of them. `broken` is called if a thread dies later.
 * Rejects with a StoreFault: `newer-database`, `damaged-database`, `migration-changed` or `disk-full`.
 */
export const openJournal = async ({ log, broken = () => undefined, threads = beginJournal(), ...place }: JournalPaths & { readonly log: Log; readonly broken?: () => void; readonly threads?: JournalThreads }): Promise<Journal> => {
  const hearing = { log, broken }
  // The reader opens the file after the writer has migrated it.
  const writer = await open(threads.writing, place, hearing).catch(async (error: unknown) => {
    await threads.reading.terminate()
    throw error
  })
  const { putBack, ...opened } = writer.report
  log.info(opened, 'journal opened')
  if (putBack !== null && 'aside' in putBack) log.warn(putBack, 'A backup replaced the journal; the old file is kept')
  else if (putBack !== null) log.error(putBack, 'The requested backup did not replace the journal')
  const reader = await open(threads.reading, place, hearing).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  const port = (): JournalPorts => ({ reader: reader.port(), writer: writer.port() })
  const wholes = wholeReading(place.file)
  const reports = createJobs<ReportCalls>(new URL('../reports/report-worker.ts', import.meta.url), 'report', journalClosed)
  const { read, write } = connectJournal(port())
  const heavy = apart(read, async (broke) => {
    // Nothing else is lost with it: the next heavy read starts another.
    const thread = await open(startReader(), place, { log, broken: broke })
    return { read: connect(thread.port(), journalWaiting), close: thread.close }
  })
  return {
    read: heavy.read, write, port,
    whole: wholes.read,
    computeReport: (order, signal) => reports.run('compute', { file: place.file, ...order }, signal),
    refuseWrites: () => {
      writer.refuseBut(writesOfVisits)
    },
    close: async () => {
      await Promise.all([wholes.close(), reports.close()])
      // The last connection checkpoints the WAL, which a reader may not do.
      await Promise.all([reader.close(), heavy.close()])
      await writer.close()
    },
  }
}

type Reads = Client<JournalReads>

/** A reading thread. */
type ReadingThread = { readonly read: Reads; readonly close: () => Promise<void> }

// These settle all imports, or scan every trade, which takes seconds in a large journal.
const heavy: ReadonlySet<string> = new Set<keyof JournalReads>(['reconciliationJson', 'reconciledDay', 'previewImport', 'openFiles', 'brokerFacts', 'ruledAccounts', 'ruleDays', 'replayJson', 'readReportTrades', 'reportNotes'])

/**
 * The same reads, but heavy ones go to a thread of their own, so that lists and statistics never wait for them. `begin`
 * is called with the first of them, and again after a thread that died.
 */
const apart = (read: Reads, begin: (broke: () => void) => Promise<ReadingThread>): ReadingThread => {
  let open = true
  let thread: Promise<ReadingThread> | null = null
  const begun = (): Promise<ReadingThread> => {
    if (thread !== null) return thread
    const forget = (): void => {
      if (thread === starting) thread = null
    }
    const starting = begin(forget)
    thread = starting
    starting.catch(forget)
    return starting
  }
  const ask = async (name: keyof Reads, input: unknown): Promise<unknown> => {
    if (!open) throw storeFault('journal-closed', 'The journal is closed')
    const { read: asked } = await begun()
    return (asked[name] as (input: unknown) => Promise<unknown>)(input)
  }
  const routed = new Proxy(read, { get: (all, name) => (typeof name === 'string' && heavy.has(name) ? (input: unknown) => ask(name as keyof Reads, input) : Reflect.get(all, name)) })
  return {
    read: routed,
    close: async () => {
      open = false
      const running = await thread?.catch(() => null)
      await running?.close()
    },
  }
}
