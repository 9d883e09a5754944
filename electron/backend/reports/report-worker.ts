import { computeReport, type ReportOrder } from './compute-report.ts'
import { closeReader, openSnapshot } from '../db/database.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'

/** What the thread can be asked. */
export type ReportCalls = typeof calls

const calls = {
  /** Computes a report over one state of the journal that lies in `file`. */
  compute: ({ file, ...order }: ReportOrder & { readonly file: string }) => {
    const reader = openSnapshot(file)
    try {
      return computeReport(reader, order)
    } finally {
      closeReader(reader)
    }
  },
}

threadBody().serve(calls, { faultOf: sqliteFault })
