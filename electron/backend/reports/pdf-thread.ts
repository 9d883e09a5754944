import type { ReportDocument } from '#shared/api/reports.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { PdfCalls } from './pdf-worker.ts'

/** Why a document became no PDF: it took too long, or too many wait for theirs. */
export type PdfRefusal = { readonly code: 'report-too-large' } | { readonly code: 'too-many-calls'; readonly retryAfterMs: number }

/** Makes a PDF of a document; rejects once `gone` aborts. */
export type DrawPdf = (document: ReportDocument, gone: AbortSignal) => Promise<Result<Uint8Array, PdfRefusal>>

/** How long a drawing may take, and how many documents may wait for theirs. */
export type PdfBounds = { readonly longestMs: number; readonly mostWaiting: number }

const standardBounds: PdfBounds = { longestMs: 30_000, mostWaiting: 4 }

/** Draws documents as PDFs one at a time, each on a thread that lives for it; those that come meanwhile wait. */
export const createPdfs = ({ longestMs, mostWaiting } = standardBounds): DrawPdf => {
  const threads = createJobs<PdfCalls>(new URL('./pdf-worker.ts', import.meta.url), 'pdf')
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const draw: DrawPdf = async (document, gone) => {
    // Nobody waits for it any more.
    gone.throwIfAborted()
    const tooLong = AbortSignal.timeout(longestMs)
    const either = AbortSignal.any([gone, tooLong])
    try {
      return ok(await threads.run('draw', document, either))
    } catch (error) {
      if (!gone.aborted && tooLong.aborted) return err({ code: 'report-too-large' })
      throw error
    }
  }
  return async (document, gone) => {
    if (waiting > mostWaiting) return err({ code: 'too-many-calls', retryAfterMs: longestMs })
    waiting += 1
    const drawing = last.then(() => draw(document, gone)).finally(() => { waiting -= 1 })
    last = drawing.catch(() => undefined)
    return drawing
  }
}
