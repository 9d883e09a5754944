import { once } from 'node:events'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { storeFault } from './fault.ts'
import { apart } from './heavy-reads.ts'
import type { Journal, JournalPlace, JournalPorts } from './journal.ts'
import { journalOver, readsOver } from './journal-client.ts'
import type { JournalWrites } from './journal-writes.ts'
import { reportReading } from './reports/read-report.ts'
import { wholeReading } from './mirror/read-whole.ts'
import type { OpenOrder, Order, Report } from './thread-body.ts'
import type { WriterReport } from './writer-thread.ts'

type Thread<T> = { readonly report: T; readonly serve: () => MessagePort; readonly refuseBut: (names: readonly string[]) => void; readonly close: () => Promise<void> }

type Starting<T> = { readonly worker: Worker; readonly report: Promise<Report<T>> }

const startThread = <T>(body: URL, place: JournalPlace, log: Log, broken: () => void): Starting<T> => {
  const worker = new Worker(body, { workerData: place })
  worker.on('error', (error) => {
    log.error({ thread: body.pathname.split('/').at(-1), error }, 'journal thread failed')
    broken()
  })
  const report = once(worker, 'message').then(([first]) => first as Report<T>)
  // Whoever awaits the report hears of a failure, even if it came before.
  report.catch(() => undefined)
  return { worker, report }
}

const readyThread = async <T>({ worker, report: reported }: Starting<T>): Promise<Thread<T>> => {
  let ended = false
  worker.once('exit', () => (ended = true))
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
const writesOfVisits = ['saveSession', 'prolongSession', 'endSession', 'endSessionsOf', 'updateProfile', 'ensureProfile'] as const satisfies readonly (keyof JournalWrites)[]

const readerBody = new URL('./reader-thread.ts', import.meta.url)

const readyReader = (starting: Starting<null>): Promise<Thread<null>> => {
  starting.worker.postMessage('open' satisfies OpenOrder)
  return readyThread(starting)
}

/**
 * Opens the journal on a thread that writes and one that reads, and brings it to this program's version first. Reads
 * that may take seconds get a second one, begun with the first of them.
 * `broken` is told where a thread dies later. Rejects with a StoreFault: `newer-database`, `damaged-database`, `migration-changed` or `disk-full`.
 */
export const openJournal = async ({ log, broken = () => undefined, ...place }: JournalPlace & { readonly log: Log; readonly broken?: () => void }): Promise<Journal> => {
  // Both load at once; the reader opens the file when the writer has brought it up to date.
  const writing = startThread<WriterReport>(new URL('./writer-thread.ts', import.meta.url), place, log, broken)
  const reading = startThread<null>(readerBody, place, log, broken)
  const writer = await readyThread(writing).catch(async (error: unknown) => {
    await reading.worker.terminate()
    throw error
  })
  const { putBack, ...opened } = writer.report
  log.info(opened, 'journal opened')
  if (putBack !== null && 'aside' in putBack) log.warn(putBack, 'A backup took the place of the journal, which is kept aside')
  else if (putBack !== null) log.error(putBack, 'No backup took the place of the journal, though one was asked for')
  const reader = await readyReader(reading).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  const port = (): JournalPorts => ({ reader: reader.serve(), writer: writer.serve() })
  const wholes = wholeReading(place.file)
  const reporting = reportReading(place.file)
  const { read, write } = journalOver(port())
  const heavy = apart(read, async (broke) => {
    // Without it nothing else is lost: the next heavy read begins another.
    const thread = await readyReader(startThread<null>(readerBody, place, log, broke))
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
