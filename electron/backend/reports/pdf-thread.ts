import type { ReportDocument } from '#shared/api/reports.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { PdfCalls } from './pdf-worker.ts'

/** Why no PDF was made: it took too long, or the queue is full. */
export type PdfRefusal = { readonly code: 'report-too-large' } | { readonly code: 'too-many-calls'; readonly retryAfterMs: number }

/** Draws a document as a PDF; rejects once `gone` aborts. */
export type DrawPdf = (document: ReportDocument, signal: AbortSignal) => Promise<Result<Uint8Array, PdfRefusal>>

/** The timeout of a drawing, and the length of the queue. */
type PdfLimits = { readonly timeoutMs: number; readonly maxWaiting: number }

const defaultLimits: PdfLimits = { timeoutMs: 30_000, maxWaiting: 4 }

/** Draws documents as PDFs one at a time, on a thread. Others queue. */
export const createPdfs = ({ timeoutMs, maxWaiting } = defaultLimits): DrawPdf => {
  const threads = createJobs<PdfCalls>(new URL('./pdf-worker.ts', import.meta.url), 'pdf')
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const draw: DrawPdf = async (document, signal) => {
    signal.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      return ok(await threads.run('draw', document, either))
    } catch (error) {
      if (!signal.aborted && timeout.aborted) return err({ code: 'report-too-large' })
      throw error
    }
  }
  return async (document, signal) => {
    if (waiting > maxWaiting) return err({ code: 'too-many-calls', retryAfterMs: timeoutMs })
    waiting += 1
    const drawing = last.then(() => draw(document, signal)).finally(() => { waiting -= 1 })
    last = drawing.catch(() => undefined)
    return drawing
  }
}
