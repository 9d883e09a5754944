import { brokerageRoutes, type SyncGap } from '#shared/api/brokerage.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const { syncGaps, closeGap } = brokerageRoutes

/** A session that was missed in one stretch of time, by one account or several. */
export type MissedSession = {
  readonly tradingDay: string
  readonly from: string
  readonly to: string
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
}

const minuteOf = (iso: string): number => Math.floor(Date.parse(iso) / 60_000)

/** Puts together the gaps of accounts that missed the same stretch of a session, to the minute, in the order in which they are given. */
export const missedSessions = (gaps: readonly SyncGap[]): MissedSession[] =>
  [...Map.groupBy(gaps, ({ tradingDay, from, to }) => `${tradingDay} ${String(minuteOf(from))} ${String(minuteOf(to))}`).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ tradingDay: first.tradingDay, from: first.from, to: first.to, accounts: same.map(({ accountId, accountName }) => ({ id: accountId, name: accountName })) }]
  })

/** The sessions of which the journal may lack fills, the latest first; none until they are read. */
export const useMissedSessions = (): readonly MissedSession[] => {
  const { data } = useQuery(apiQuery(syncGaps))
  return data === undefined ? [] : missedSessions(data.gaps)
}

/** Says of a session that nothing is missing from it, for every account that missed it. */
export const useCloseSession = (onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ tradingDay, accounts }: MissedSession) => {
      for (const { id } of accounts) await callApi(closeGap, { body: { accountId: id, tradingDay } })
    },
    onError: onFailure,
    onSettled: () => invalidateRoutes(client, syncGaps),
  })
}
