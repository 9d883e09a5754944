import type { Express } from 'express'
import { largestUpload, uploadName, uploadPath, type importRoutes } from '#shared/api/imports.ts'
import { err, ok } from '#shared/base/result.ts'
import type { ImportService } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Admission, Handlers } from '../http/mount.ts'
import { isLargerThan, sentFile, uploadHandler } from '../http/sent-file.ts'

/** Files that the broker exported, and what of them is in the journal. */
export const importHandlers = (service: ImportService): Handlers<typeof importRoutes, Browser, Caller> => ({
  previewImport: ({ body, caller }) => service.preview(caller.id, body),
  addImport: ({ body, caller }) => service.add(caller.id, body),
  cancelImport: ({ body, caller }) => Promise.resolve(ok({ success: true, canceled: service.cancel(caller.id, body.work) })),
  dropUploads: async ({ body, caller }) => {
    await service.dropUploads(caller.id, body.uploads)
    return ok({ success: true })
  },
  inspectFile: ({ body, caller }) => service.inspect(caller.id, body),
  tryFormat: ({ body, caller }) => service.tryFormat(caller.id, body),
  importFormats: async ({ caller }) => ok(await service.formats(caller.id)),
  saveImportFormat: async ({ body, caller }) => {
    await service.saveFormat(caller.id, body.format)
    return ok({ success: true })
  },
  removeImportFormat: async ({ body, caller }) => {
    await service.removeFormat(caller.id, body.id)
    return ok({ success: true })
  },
  undoImport: async ({ body, caller }) => {
    const undone = await service.undo(caller.id, body.id)
    return undone.ok ? ok({ success: true, settled: undone.value }) : undone
  },
  imports: async ({ caller }) => ok(await service.list(caller.id)),
})

/** Takes the files that the signed-in user wants to import, as they stream in, outside of the contract's JSON. */
export const mountUploads = (app: Express, imports: Pick<ImportService, 'saveUpload'>, admission: Admission<Browser, Caller>): void => {
  const take = uploadHandler(admission, async (userId, request) => {
    const name = uploadName.safeParse(request.query['name'])
    if (!name.success) return err({ code: 'invalid-request', fields: [{ path: 'name', message: 'no name of a file' }] })
    if (isLargerThan(largestUpload, request)) return err({ code: 'upload-too-large' })
    const kept = await imports.saveUpload(userId, name.data, sentFile(request))
    return kept.ok ? ok({ success: true, upload: kept.value }) : kept
  })
  app.post(uploadPath, take)
}
