import { once } from 'node:events'
import { parentPort, type MessagePort } from 'node:worker_threads'
import type { StoreFaultCode } from '../db/fault.ts'
import type { JournalPlace } from './journal.ts'
import type { JournalServer } from './journal-server.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

/** Tells a thread, before all else, that it may open the file, and where that is. */
export type OpenOrder = JournalPlace

/** What a thread of the journal is told. */
export type Order = { readonly serve: MessagePort } | { readonly close: true } | { readonly refuseBut: readonly string[] }

/** What it says: that it is ready, why it can't be, or that it has ended. */
export type Report<T> = { readonly ready: T } | { readonly failed: { readonly code: StoreFaultCode; readonly message: string } }

/** Something a thread has opened and will close. */
export type Opened<T> = { readonly server: JournalServer; readonly close: () => void; readonly report: T }

/** Runs a thread of the journal: opens once it is told where, reports, serves ports as they come, and at the end lets what runs finish. */
export const runThread = async <T>(open: (place: JournalPlace) => Promise<Opened<T>>): Promise<void> => {
  if (parentPort === null) throw new Error('This is the body of a thread')
  const parent = parentPort
  const say = (report: Report<T>) => {
    parent.postMessage(report)
  }
  const [place] = (await once(parent, 'message')) as [OpenOrder]
  try {
    const { server, close, report } = await open(place)
    parent.on('message', (order: Order) => {
      if ('serve' in order) server.serve(order.serve)
      else if ('refuseBut' in order) server.refuseBut(order.refuseBut)
      else {
        void server.finish().then(() => {
          close()
          process.exit(0)
        })
      }
    })
    say({ ready: report })
  } catch (error) {
    const { code, message } = sqliteFault(error)
    say({ failed: { code, message } })
  }
}
