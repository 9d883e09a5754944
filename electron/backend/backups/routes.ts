import type { backupRoutes } from '#shared/api/backups.ts'
import { ok } from '#shared/base/result.ts'
import type { Backups } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Backups of the journal. */
export const backupHandlers = (backups: Backups): Handlers<typeof backupRoutes, Browser, Caller> => ({
  journalHealth: () => Promise.resolve(ok({ health: backups.health() })),
  backups: async ({ caller }) => ok(await backups.list(caller.id)),
  makeBackup: async ({ caller }) => {
    const made = await backups.make(caller.id)
    return made.ok ? ok({ success: true, name: made.value }) : made
  },
  previewRestore: ({ caller, query }) => backups.preview(caller.id, query.name),
  restoreBackup: ({ caller, body }) => backups.restore(caller.id, body.name, body.whole),
})
