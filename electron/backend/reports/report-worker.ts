import { parentPort, workerData } from 'node:worker_threads'
import { computeReport, type ReportOrder } from './compute-report.ts'
import { closeReader, openSnapshot } from '../db/database.ts'
import type { StoreFaultCode } from '../db/fault.ts'
import type { ComputedReport } from './reports-calls.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

/** What one report is computed from, and where the journal lies. */
export type ReportJob = ReportOrder & { readonly file: string }

/** What the thread answers before it ends. */
export type ReportReply = { readonly ok: true; readonly report: ComputedReport } | { readonly ok: false; readonly code: StoreFaultCode; readonly message: string }

const answer = ({ file, ...order }: ReportJob): ReportReply => {
  try {
    const reader = openSnapshot(file)
    try {
      return { ok: true, report: computeReport(reader, order) }
    } finally {
      closeReader(reader)
    }
  } catch (error) {
    const { code, message } = sqliteFault(error)
    return { ok: false, code, message }
  }
}

if (parentPort === null) throw new Error('This is the body of a thread')
parentPort.postMessage(answer(workerData as ReportJob))
