import { apiQuery } from '#renderer/lib/api.ts'
import { journalRoutes } from '#shared/api/journal.ts'

/** The query of the latest trip, and of their number. */
export const latestTripQuery = apiQuery(journalRoutes.tripPage, { query: { limit: 1 } })
