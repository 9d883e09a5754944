import { brokerageRoutes, type SyncGap } from '#shared/api/brokerage.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const { syncGaps, closeGap } = brokerageRoutes

/** A missed stretch of a session, of one account or several. */
export type MissedSession = {
  readonly tradingDay: string
  readonly from: string
  readonly to: string
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
}

const minuteOf = (iso: string): number => Math.floor(Date.parse(iso) / 60_000)

/** Groups the gaps of accounts that missed the same stretch of a session, to the minute, in the given order. */
export const missedSessions = (gaps: readonly SyncGap[]): MissedSession[] =>
  [...Map.groupBy(gaps, ({ tradingDay, from, to }) => `${tradingDay} ${String(minuteOf(from))} ${String(minuteOf(to))}`).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ tradingDay: first.tradingDay, from: first.from, to: first.to, accounts: same.map(({ accountId, accountName }) => ({ id: accountId, name: accountName })) }]
  })

/** The sessions whose fills may be missing, latest first; empty until loaded. */
export const useMissedSessions = (): readonly MissedSession[] => {
  const { data } = useQuery(apiQuery(syncGaps))
  return data === undefined ? [] : missedSessions(data.gaps)
}

/** Confirms that nothing is missing from a session, for every account that missed it. */
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
