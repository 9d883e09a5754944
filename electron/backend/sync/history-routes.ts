import type { historyRoutes } from '#shared/api/history.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { History } from './history.ts'
import type { Refused } from '../refused.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

const done = (result: Result<null, Refused>): Result<{ success: true }, Refused> => (result.ok ? ok({ success: true }) : result)

/** Bringing the past from the broker. */
export const historyHandlers = (history: History): Handlers<typeof historyRoutes, Browser, Caller> => ({
  history: async ({ caller }) => ok(await history.state(caller.id)),
  startHistory: async ({ caller, body }) => done(await history.start(caller.id, body)),
  stopHistory: async ({ caller, body }) => done(await history.stop(caller.id, body.loginId)),
  declineHistory: async ({ caller, body }) => done(await history.decline(caller.id, body.loginId)),
})
