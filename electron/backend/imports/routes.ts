import type { importRoutes } from '#shared/api/imports.ts'
import { ok } from '#shared/base/result.ts'
import type { ImportDesk } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Files that the broker exported, and what of them is in the journal. */
export const importHandlers = (desk: ImportDesk): Handlers<typeof importRoutes, Browser, Caller> => ({
  previewImport: ({ body, caller }) => desk.preview(caller.id, body),
  addImport: ({ body, caller }) => desk.add(caller.id, body),
  cancelImport: ({ body, caller }) => Promise.resolve(ok({ success: true, cancelled: desk.cancel(caller.id, body.work) })),
  dropUploads: async ({ body, caller }) => {
    await desk.dropUploads(caller.id, body.uploads)
    return ok({ success: true })
  },
  undoImport: async ({ body, caller }) => {
    const undone = await desk.undo(caller.id, body.id)
    return undone.ok ? ok({ success: true, settled: undone.value }) : undone
  },
  imports: async ({ caller }) => ok(await desk.list(caller.id)),
})
