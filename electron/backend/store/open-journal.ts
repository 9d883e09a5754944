import { once } from 'node:events'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { storeFault } from './fault.ts'
import type { Journal, JournalPlace, JournalPorts } from './journal.ts'
import { journalOver } from './journal-client.ts'
import type { Migrated } from './migrate.ts'
import type { Order, Report } from './thread-body.ts'

type Thread<T> = { readonly report: T; readonly serve: (port: MessagePort) => void; readonly close: () => Promise<void> }

const startThread = async <T>(body: URL, place: JournalPlace, log: Log): Promise<Thread<T>> => {
  const worker = new Worker(body, { workerData: place })
  let ended = false
  worker.on('error', (error) => {
    log.error({ thread: body.pathname.split('/').at(-1), message: error.message }, 'journal thread failed')
  })
  worker.once('exit', () => (ended = true))
  const tell = (order: Order, transfer: MessagePort[] = []) => {
    worker.postMessage(order, transfer)
  }
  const [report] = (await once(worker, 'message')) as [Report<T>]
  if ('failed' in report) {
    await worker.terminate()
    throw storeFault(report.failed.code, report.failed.message)
  }
  return {
    report: report.ready,
    serve: (port) => {
      tell({ serve: port }, [port])
    },
    close: async () => {
      if (ended) return
      const exit = once(worker, 'exit')
      tell({ close: true })
      await exit
    },
  }
}

/**
 * Opens the journal on a thread that writes and one that reads, and brings it to this program's version first.
 * Rejects with a StoreFault: `newer-database`, `damaged-database`, `migration-changed` or `disk-full`.
 */
export const openJournal = async ({ log, ...place }: JournalPlace & { readonly log: Log }): Promise<Journal> => {
  const writer = await startThread<Migrated>(new URL('writer-thread.ts', import.meta.url), place, log)
  log.info({ ...writer.report }, 'journal opened')
  const reader = await startThread<null>(new URL('reader-thread.ts', import.meta.url), place, log).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  const port = (): JournalPorts => {
    const [reading, writing] = [new MessageChannel(), new MessageChannel()]
    reader.serve(reading.port2)
    writer.serve(writing.port2)
    return { reader: reading.port1, writer: writing.port1 }
  }
  return {
    ...journalOver(port()),
    port,
    close: async () => {
      await Promise.all([reader.close(), writer.close()])
    },
  }
}
