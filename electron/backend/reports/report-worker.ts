import { computeReport, type ReportRequest } from './compute-report.ts'
import { closeReader, openSnapshot } from '../db/database.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { threadBody } from '../threads/thread-body.ts'

/** The calls of the report thread. */
export type ReportCalls = typeof calls

const calls = {
  /** Computes a report over one snapshot of the journal in `file`. */
  compute: ({ file, ...order }: ReportRequest & { readonly file: string }) => {
    const reader = openSnapshot(file)
    try {
      return computeReport(reader, order)
    } finally {
      closeReader(reader)
    }
  },
}

threadBody().serve(calls, { faultOf: sqliteFault })
