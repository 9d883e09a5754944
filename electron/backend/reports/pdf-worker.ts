import type { ReportDocument } from '#shared/api/reports.ts'
import { threadBody } from '../threads/thread-body.ts'
import { toPdf } from './pdf.ts'

/** The calls of the PDF thread. */
export type PdfCalls = typeof calls

const calls = { draw: (document: ReportDocument) => toPdf(document) }

threadBody().serve(calls)
