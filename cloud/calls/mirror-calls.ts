import type { Handlers } from '#backend/http/mount.ts'
import type { mirrorRoutes } from '#shared/api/mirror.ts'
import { ok } from '#shared/base/result.ts'
import type { Journals } from '../store/journals.ts'
import type { CloudCaller } from './cloud-calls.ts'

/** Handlers of the mirror calls. */
export const mirrorCalls = (journals: Journals): Handlers<typeof mirrorRoutes, CloudCaller, CloudCaller> => ({
  push: async ({ caller: { userId }, body }) => ok(await journals.push(userId, body)),
  changes: async ({ caller: { userId }, query }) => {
    const page = await journals.changes(userId, query)
    return ok({ ...page, records: [...page.records] })
  },
  journal: async ({ caller: { userId }, query }) => ok(query.rows === 'counted' ? await journals.state(userId) : { ...(await journals.head(userId, query)), rows: null }),
})
