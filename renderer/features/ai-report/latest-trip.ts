import { apiQuery } from '#renderer/lib/api.ts'
import { journalRoutes } from '#shared/api/journal.ts'

/** The reading of the latest trip, and of how many there are. */
export const latestTripQuery = apiQuery(journalRoutes.tripPage, { query: { limit: 1 } })
