import { apiQuery } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { useQueryClient } from '@tanstack/react-query'
import { editedPair, useLocalChanges } from './local-changes.ts'

/** Fetches the pairs of a trade, as the screen shows them; if that fails, logs it and returns none. */
export const useTradePairs = (): ((tradeId: string) => Promise<readonly FillPairRecord[]>) => {
  const client = useQueryClient()
  return async (tradeId) => {
    try {
      const { rows } = await client.fetchQuery(apiQuery(journalRoutes.tradePairs, { query: { tradeId } }))
      const { edits, removed } = useLocalChanges.getState()
      return rows.filter(({ id }) => !removed.has(id)).map((pair) => editedPair(pair, edits))
    } catch (failure) {
      logFailure(journalRoutes.tradePairs.path, failure)
      return []
    }
  }
}
