import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReportDocument } from '#shared/api/reports.ts'

/** What the thread answers. */
export type PdfReply = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string }

/** Draws a document as a PDF on a thread of its own, which lives for it. Rejects once `gone` aborts, and the thread is ended. */
export const drawPdf = async (document: ReportDocument, gone: AbortSignal): Promise<Uint8Array> => {
  gone.throwIfAborted()
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { name: 'pdf', workerData: document })
  const end = (): void => void worker.terminate()
  gone.addEventListener('abort', end, { once: true })
  try {
    const ended = once(worker, 'exit').then(() => [null] as const)
    const [reply] = (await Promise.race([once(worker, 'message'), ended])) as [PdfReply | null]
    gone.throwIfAborted()
    if (reply === null) throw new Error('The thread of the PDF ended')
    if (!reply.ok) throw new Error(reply.message)
    return reply.bytes
  } finally {
    gone.removeEventListener('abort', end)
    await worker.terminate()
  }
}
