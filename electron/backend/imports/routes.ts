import type { Express, RequestHandler } from 'express'
import { largestUpload, uploadName, uploadPath, type importRoutes } from '#shared/api/imports.ts'
import { ok } from '#shared/base/result.ts'
import type { ImportDesk } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, type Admission, type Handlers } from '../http/mount.ts'
import { sendProblem, type Failure } from '../http/problem.ts'
import { sentFile, unlessSenderGone } from '../http/sent-file.ts'

/** Files that the broker exported, and what of them is in the journal. */
export const importHandlers = (desk: ImportDesk): Handlers<typeof importRoutes, Browser, Caller> => ({
  previewImport: ({ body, caller }) => desk.preview(caller.id, body),
  addImport: ({ body, caller }) => desk.add(caller.id, body),
  cancelImport: ({ body, caller }) => Promise.resolve(ok({ success: true, cancelled: desk.cancel(caller.id, body.work) })),
  dropUploads: async ({ body, caller }) => {
    await desk.dropUploads(caller.id, body.uploads)
    return ok({ success: true })
  },
  inspectFile: ({ body, caller }) => desk.inspect(caller.id, body),
  tryFormat: ({ body, caller }) => desk.tryFormat(caller.id, body),
  importFormats: async ({ caller }) => ok(await desk.formats(caller.id)),
  saveImportFormat: async ({ body, caller }) => {
    await desk.saveFormat(caller.id, body.format)
    return ok({ success: true })
  },
  removeImportFormat: async ({ body, caller }) => {
    await desk.removeFormat(caller.id, body.id)
    return ok({ success: true })
  },
  undoImport: async ({ body, caller }) => {
    const undone = await desk.undo(caller.id, body.id)
    return undone.ok ? ok({ success: true, settled: undone.value }) : undone
  },
  imports: async ({ caller }) => ok(await desk.list(caller.id)),
})

/** Takes the files that the signed-in user wants to import, as they stream in, outside of the contract's JSON. */
export const mountUploads = (app: Express, desk: Pick<ImportDesk, 'keepUpload'>, admission: Admission<Browser, Caller>): void => {
  const take: RequestHandler = async (request, response) => {
    // What is not taken is not read to its end either.
    const turnAway = (failure: Failure): void => {
      response.set('Connection', 'close')
      sendProblem(response, failure)
    }
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return turnAway(caller.error)
    const name = uploadName.safeParse(request.query['name'])
    if (!name.success) return turnAway({ code: 'invalid-request', fields: [{ path: 'name', message: 'no name of a file' }] })
    if (Number(request.headers['content-length'] ?? 0) > largestUpload) return turnAway({ code: 'upload-too-large' })
    try {
      const kept = await desk.keepUpload(caller.value.userId, name.data, sentFile(request))
      if (!kept.ok) return turnAway(kept.error)
      response.json({ success: true, upload: kept.value })
    } catch (error) {
      unlessSenderGone(request, error)
    }
  }
  app.post(uploadPath, take)
}
