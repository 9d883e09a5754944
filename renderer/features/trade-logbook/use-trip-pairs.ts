import { apiQuery } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { Trade } from '#shared/api/records.ts'
import { useQueryClient } from '@tanstack/react-query'
import { edited, useLocalChanges } from './local-changes.ts'

/** Fetches the pairs of a trip, as the screen shows them; if that fails, logs it and returns none. */
export const useTripPairs = (): ((tripId: string) => Promise<readonly Trade[]>) => {
  const client = useQueryClient()
  return async (tripId) => {
    try {
      const { rows } = await client.fetchQuery(apiQuery(journalRoutes.tripPairs, { query: { tripId } }))
      const { edits, removed } = useLocalChanges.getState()
      return rows.filter(({ id }) => !removed.has(id)).map((pair) => edited(pair, edits))
    } catch (failure) {
      logFailure(journalRoutes.tripPairs.path, failure)
      return []
    }
  }
}
