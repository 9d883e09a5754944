import type { comparisonRoutes } from '#shared/api/comparison.ts'
import type { journalRoutes } from '#shared/api/journal.ts'
import { filterOf, type statisticsRoutes } from '#shared/api/statistics.ts'
import { ok } from '#shared/base/result.ts'
import type { JournalReading } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** What the screens read of the journal. */
export const readHandlers = (read: JournalReading): Handlers<typeof journalRoutes & typeof statisticsRoutes & typeof comparisonRoutes, Browser, Caller> => ({
  tradePage: async ({ caller, query }) => ok(await read.tradePage({ ...query, filter: filterOf(query), userId: caller.id })),
  tripPage: async ({ caller, query }) => ok(await read.tripPage({ ...query, filter: filterOf(query), userId: caller.id })),
  tradeById: async ({ caller, query: { id } }) => ok({ trade: await read.trade({ userId: caller.id, id }), trip: await read.tripById({ userId: caller.id, id }) }),
  findNotes: async ({ caller, query: { text } }) => ok(await read.findNotes({ userId: caller.id, text })),
  tripPairs: async ({ caller, query }) => ok(await read.tripPairs({ ...query, userId: caller.id })),
  statistics: async ({ caller, query }) => ok(await read.statisticsJson({ userId: caller.id, filter: filterOf(query), unit: query.unit, zone: query.zone ?? null, timedBy: query.timedBy })),
  comparison: async ({ caller, query }) => ok(await read.comparison({ userId: caller.id, filter: filterOf(query), unit: query.unit, kind: query.compare, sides: query.with })),
  filterChoices: async ({ caller }) => ok(await read.filterChoices({ userId: caller.id })),
})
