import { apiQuery } from '#renderer/lib/api.ts'
import { journalRoutes } from '#shared/api/journal.ts'

/** The query of the latest trade, and of how many there are. */
export const latestTradeQuery = apiQuery(journalRoutes.tradePage, { query: { limit: 1 } })
