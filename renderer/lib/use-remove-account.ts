import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import type { AnswerOf, Route } from '#shared/api/route.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { callApi, invalidateRoutes } from './api.ts'
import { logFailure } from './log-failure.ts'
import { useUserId } from './session.ts'

const { removeFinance, removeTrade } = recordRoutes

/** An account to disconnect; `tokenDocId` names the stored token if known. */
export type LeavingAccount = { readonly accountId: string; readonly tokenDocId?: string }

/**
 * Disconnects an account: it and its trades leave the screens at once, then the program is called. Never rejects: a
 * failure is only logged, and the account shows again if it is still in the journal.
 */
export const useRemoveAccount = (): ((account: LeavingAccount) => Promise<void>) => {
  const client = useQueryClient()
  const userId = useUserId()
  return async ({ accountId, tokenDocId }) => {
    await forgetAccount(client, accountId)
    const steps = [
      { what: removeFinance.failure, call: () => callApi(removeFinance, { body: { userId, id: accountId } }) },
      { what: removeTrade.failure, call: () => callApi(removeTrade, { body: { userId, accountId } }) },
      { what: brokerageRoutes.tradovate.path, call: () => callApi(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId, ...(tokenDocId === undefined ? {} : { tokenDocId }) } }) },
    ]
    for (const { what, call } of steps) {
      try {
        await call()
      } catch (failure) {
        logFailure(what, failure)
      }
    }
    await invalidateRoutes(client, ...accountReadings)
  }
}

const { getFinances, getTrades } = recordRoutes
const { connectedAccounts, syncGaps } = brokerageRoutes
const { pairPage, tradePage, tradePairs } = journalRoutes
const { statistics, filterChoices } = statisticsRoutes

/** The queries that show something of a connected account. */
const accountReadings = [getFinances, connectedAccounts, syncGaps, getTrades, pairPage, tradePage, tradePairs, statistics, filterChoices] as const

/**
 * Removes an account and its trades from all cached data, so that the screens drop them at once. Cancels pending
 * fetches, which may still include the account. The Overview's figures cannot be recomputed without the journal: they
 * are dropped if nothing shows them.
 */
export const forgetAccount = async (client: QueryClient, accountId: string): Promise<void> => {
  const touched = new Set<unknown>(accountReadings.map(({ path }) => path))
  await client.cancelQueries({ predicate: ({ queryKey }) => touched.has(queryKey[0]) })

  const change = <R extends Route>({ path }: R, without: (known: AnswerOf<R>) => AnswerOf<R>): void => {
    client.setQueriesData<AnswerOf<R>>({ queryKey: [path] }, (known) => known && without(known))
  }
  const other = (record: { readonly accountId: string }): boolean => record.accountId !== accountId
  change(getFinances, (known) => ({ ...known, finances: known.finances.filter(({ id }) => id !== accountId) }))
  change(connectedAccounts, ({ accounts }) => ({ accounts: accounts.filter(({ id }) => id !== accountId) }))
  change(syncGaps, ({ gaps }) => ({ gaps: gaps.filter(other) }))
  change(getTrades, (known) => ({ ...known, trades: known.trades.filter(other) }))
  change(pairPage, (known) => pageOf(known, known.rows.filter(other)))
  change(tradePage, (known) => pageOf(known, known.rows.filter(other)))
  change(tradePairs, ({ rows }) => ({ rows: rows.filter(other) }))
  change(statistics, (known) => ({ ...known, recent: known.recent.filter(other) }))
  change(filterChoices, (known) => ({ ...known, accounts: known.accounts.filter(({ key }) => key !== accountId) }))
  client.removeQueries({ queryKey: [statistics.path], type: 'inactive' })
}

const pageOf = <T>(known: { readonly total: number; readonly rows: readonly T[] }, rows: T[]): { total: number; rows: T[] } => ({ total: known.total - (known.rows.length - rows.length), rows })
