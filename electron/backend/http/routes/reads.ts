import type { journalRoutes } from '#shared/api/journal.ts'
import { ok } from '#shared/base/result.ts'
import type { JournalReading } from '../../services/records.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'

/** What the screens read of the journal. */
export const readHandlers = (read: JournalReading): Handlers<typeof journalRoutes, Browser, Caller> => ({
  tradePage: async ({ caller, query }) => ok(await read.tradePage({ ...query, userId: caller.id })),
  tripPage: async ({ caller, query }) => ok(await read.tripPage({ ...query, userId: caller.id })),
  tripPairs: async ({ caller, query }) => ok(await read.tripPairs({ ...query, userId: caller.id })),
  overview: async ({ caller, query }) => ok(await read.overview({ ...query, userId: caller.id })),
})
