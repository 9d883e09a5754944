import { once } from 'node:events'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { storeFault } from '../db/fault.ts'
import { apart } from './heavy-reads.ts'
import type { Journal, JournalPlace, JournalPorts } from './journal.ts'
import { journalOver, readsOver } from './journal-client.ts'
import type { JournalWrites } from './journal-writes.ts'
import { reportReading } from '../reports/read-report.ts'
import { wholeReading } from '../journal-file/read-whole.ts'
import type { OpenOrder, Order, Report } from './thread-body.ts'
import type { WriterReport } from './writer-worker.ts'

type Thread<T> = { readonly report: T; readonly serve: () => MessagePort; readonly refuseBut: (names: readonly string[]) => void; readonly close: () => Promise<void> }

type Starting<T> = { readonly worker: Worker; readonly name: string; readonly failed: Promise<unknown>; readonly report: Promise<Report<T>> }

const startThread = <T>(body: URL): Starting<T> => {
  const worker = new Worker(body)
  const failed = new Promise<unknown>((resolve) => worker.once('error', resolve))
  const report = once(worker, 'message').then(([first]) => first as Report<T>)
  // Whoever awaits the report hears of a failure, even if it came before.
  report.catch(() => undefined)
  return { worker, name: body.pathname.split('/').at(-1) ?? '', failed, report }
}

type Hearing = { readonly log: Log; readonly broken: () => void }

const openThread = async <T>({ worker, name, failed, report: reported }: Starting<T>, place: JournalPlace, { log, broken }: Hearing): Promise<Thread<T>> => {
  void failed.then((error) => {
    log.error({ thread: name, error }, 'journal thread failed')
    broken()
  })
  let ended = false
  worker.once('exit', () => (ended = true))
  worker.postMessage(place satisfies OpenOrder)
  const tell = (order: Order, transfer: MessagePort[] = []) => {
    worker.postMessage(order, transfer)
  }
  const report = await reported
  if ('failed' in report) {
    await worker.terminate()
    throw storeFault(report.failed.code, report.failed.message)
  }
  return {
    report: report.ready,
    serve: () => {
      const { port1, port2 } = new MessageChannel()
      tell({ serve: port2 }, [port2])
      // A thread that dies before it takes its end would leave calls without an answer. What it answered last may be heard after its exit.
      if (ended) port1.close()
      else worker.once('exit', () => setImmediate(() => port1.close()))
      return port1
    },
    refuseBut: (names) => {
      if (!ended) tell({ refuseBut: names })
    },
    close: async () => {
      if (ended) return
      const exit = once(worker, 'exit')
      tell({ close: true })
      await exit
    },
  }
}

/** Who is signed in: their tables are small, and nobody could be told of the damage otherwise. */
const writesOfVisits = ['saveSession', 'prolongSession', 'giveKey', 'endSession', 'endSessionsOf', 'updateProfile', 'ensureProfile'] as const satisfies readonly (keyof JournalWrites)[]

const startReader = (): Starting<null> => startThread(new URL('./reader-worker.ts', import.meta.url))

/** The journal's threads, which load what they need; no file is touched before `openJournal` takes them. */
export type JournalThreads = { readonly writing: Starting<WriterReport>; readonly reading: Starting<null>; /** Ends them where nobody takes them. */ readonly end: () => Promise<void> }

/** Begins the journal's threads, so that they load while the program does. */
export const beginJournal = (): JournalThreads => {
  const writing = startThread<WriterReport>(new URL('./writer-worker.ts', import.meta.url))
  const reading = startReader()
  return {
    writing,
    reading,
    end: async () => {
      await Promise.all([writing.worker.terminate(), reading.worker.terminate()])
    },
  }
}

/**
 * Opens the journal on a thread that writes and one that reads, and brings it to this program's version first. Reads
 * that may take seconds get a second one, begun with the first of them.
 * `broken` is told where a thread dies later. Rejects with a StoreFault: `newer-database`, `damaged-database`, `migration-changed` or `disk-full`.
 */
export const openJournal = async ({ log, broken = () => undefined, threads = beginJournal(), ...place }: JournalPlace & { readonly log: Log; readonly broken?: () => void; readonly threads?: JournalThreads }): Promise<Journal> => {
  const hearing = { log, broken }
  // The reader opens the file when the writer has brought it up to date.
  const writer = await openThread(threads.writing, place, hearing).catch(async (error: unknown) => {
    await threads.reading.worker.terminate()
    throw error
  })
  const { putBack, ...opened } = writer.report
  log.info(opened, 'journal opened')
  if (putBack !== null && 'aside' in putBack) log.warn(putBack, 'A backup took the place of the journal, which is kept aside')
  else if (putBack !== null) log.error(putBack, 'No backup took the place of the journal, though one was asked for')
  const reader = await openThread(threads.reading, place, hearing).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  const port = (): JournalPorts => ({ reader: reader.serve(), writer: writer.serve() })
  const wholes = wholeReading(place.file)
  const reporting = reportReading(place.file)
  const { read, write } = journalOver(port())
  const heavy = apart(read, async (broke) => {
    // Without it nothing else is lost: the next heavy read begins another.
    const thread = await openThread(startReader(), place, { log, broken: broke })
    return { read: readsOver(thread.serve()), close: thread.close }
  })
  return {
    ...{ read: heavy.read, write, port },
    whole: wholes.read,
    computeReport: reporting.compute,
    refuseWrites: () => {
      writer.refuseBut(writesOfVisits)
    },
    close: async () => {
      await Promise.all([wholes.close(), reporting.close()])
      // The last connection folds the log into the file, which a reader may not.
      await Promise.all([reader.close(), heavy.close()])
      await writer.close()
    },
  }
}
