import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { reportDocument, reportPdfPath } from '#shared/api/reports.ts'
import type { Reports } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, readSent, unreadableBody, type Admission } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'

// A year of findings is about 200 kB; a megabyte takes ten seconds to draw.
const largestDocument = '1mb'

/** Turns a posted document into a PDF file. */
export const mountReportPdf = (app: Express, reports: Pick<Reports, 'pdf'>, admission: Admission<Browser, Caller>): void => {
  const enter: RequestHandler = async (request, response, next) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    next()
  }
  const draw: RequestHandler = async (request, response) => {
    const document = readSent(reportDocument, request.body)
    if (!document.ok) return sendProblem(response, { code: 'invalid-request', fields: document.error })
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const drawn = await reports.pdf(document.value, gone.signal).catch((error: unknown) => {
      // The caller is gone.
      if (gone.signal.aborted) return null
      throw error
    })
    if (drawn === null) return
    if (!drawn.ok) return sendProblem(response, drawn.error)
    const bytes = drawn.value
    response.type('application/pdf').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  const unreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    const failure = unreadableBody(error)
    if (failure === null || response.headersSent) return next(error)
    sendProblem(response, failure.code === 'body-too-large' ? { code: 'report-too-large' } : failure)
  }
  app.post(reportPdfPath, enter, express.json({ limit: largestDocument }), draw, unreadable)
}
