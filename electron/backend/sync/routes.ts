import type { syncRoutes } from '#shared/api/sync.ts'
import { ok } from '#shared/base/result.ts'
import type { historyRoutes } from '#shared/api/history.ts'
import type { SyncRuns } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { doneIf } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'
import type { History } from './history.ts'

/** Sync Trades, and the state of runs. */
export const syncHandlers = (runs: SyncRuns): Handlers<typeof syncRoutes, Browser, Caller> => ({
  syncNow: async ({ caller }) => {
    const started = await runs.start(caller.id)
    return started.ok ? ok({ runId: started.value.runId, joined: started.value.joined }) : started
  },
  syncState: async ({ caller }) => ok(await runs.state(caller.id)),
  receipts: async ({ caller }) => ok({ receipts: await runs.receipts(caller.id) }),
})

/** Fetching history from the broker. */
export const historyHandlers = (history: History): Handlers<typeof historyRoutes, Browser, Caller> => ({
  history: async ({ caller }) => ok(await history.state(caller.id)),
  startHistory: async ({ caller, body }) => doneIf(await history.start(caller.id, body)),
  stopHistory: async ({ caller, body }) => doneIf(await history.stop(caller.id, body.loginId)),
  declineHistory: async ({ caller, body }) => doneIf(await history.decline(caller.id, body.loginId)),
})
