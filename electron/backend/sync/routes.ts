import type { syncRoutes } from '#shared/api/sync.ts'
import { ok } from '#shared/base/result.ts'
import type { SyncRuns } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Sync Trades, and what is known of runs. */
export const syncHandlers = (runs: SyncRuns): Handlers<typeof syncRoutes, Browser, Caller> => ({
  syncNow: async ({ caller }) => {
    const started = await runs.start(caller.id)
    return started.ok ? ok({ runId: started.value.runId, joined: started.value.joined }) : started
  },
  syncState: async ({ caller }) => ok(await runs.state(caller.id)),
  receipts: async ({ caller }) => ok({ receipts: await runs.receipts(caller.id) }),
})
