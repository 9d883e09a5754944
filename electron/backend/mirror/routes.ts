import type { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { ok } from '#shared/base/result.ts'
import type { Mirrors } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** The state of the cloud mirror. */
export const mirrorHandlers = (mirrors: Mirrors): Handlers<typeof mirrorStateRoutes, Browser, Caller> => ({
  mirrorState: async ({ caller }) => ok(await mirrors.state(caller.id)),
  mirrorNow: async ({ caller }) => {
    await mirrors.now(caller.id)
    return ok({ success: true })
  },
  mirrorToNewAccount: async ({ caller }) => {
    await mirrors.toNewAccount(caller.id)
    return ok({ success: true })
  },
})
