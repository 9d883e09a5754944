import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { reportDocument, reportPdfPath, type reportRoutes } from '#shared/api/reports.ts'
import { ok } from '#shared/base/result.ts'
import type { Reports } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, readSent, unreadableBody, type Admission, type Handlers } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'

/** Reports and their narratives. */
export const reportHandlers = ({ reports }: { readonly reports: Reports }): Handlers<typeof reportRoutes, Browser, Caller> => ({
  reports: async ({ caller }) => ok(await reports.list(caller.id)),
  makeReport: async ({ caller, body, signal }) => {
    const made = await reports.make(caller.id, body, signal)
    return made.ok ? ok({ report: made.value }) : made
  },
  report: async ({ caller, query }) => {
    const found = await reports.one(caller.id, query.id)
    return found.ok ? ok({ report: found.value }) : found
  },
  reportTrades: ({ caller, query }) => reports.trades(caller.id, query),
  removeReport: async ({ caller, body }) => ok({ removed: await reports.remove(caller.id, body.id) }),
  previewNarrative: ({ caller, body }) => reports.narratives.preview(caller.id, body),
  writeNarrative: async ({ caller, body }) => {
    const started = await reports.narratives.write(caller.id, body)
    return started.ok ? ok({ narrative: started.value }) : started
  },
  cancelNarrative: async ({ caller, body }) => ok({ canceled: await reports.narratives.cancel(caller.id, body.id) }),
  saveModel: async ({ caller, body }) => {
    const saved = await reports.saveModel(caller.id, body.model)
    return saved.ok ? ok({ settings: saved.value }) : saved
  },
  tryModel: ({ caller, signal }) => reports.tryModel(caller.id, signal),
  saveReportSchedule: async ({ caller, body }) => ok({ settings: await reports.saveSchedule(caller.id, body) }),
})

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
    const controller = new AbortController()
    response.once('close', () => controller.abort())
    const drawn = await reports.pdf(document.value, controller.signal).catch((error: unknown) => {
      // The caller is gone.
      if (controller.signal.aborted) return null
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
