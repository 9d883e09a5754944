import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { historyRoutes } from '#shared/api/history.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

const { history, startHistory, stopHistory, declineHistory } = historyRoutes

/** How it stands with the past of each login; null until it is read. What is pushed keeps it up to date. */
export const useHistory = (): AnswerOf<typeof history> | null => useQuery(apiQuery(history)).data ?? null

/** What the user can do about the past of one login. */
export type HistoryWish = { readonly do: 'start'; readonly since: string } | { readonly do: 'stop' | 'decline' }

/** Starts, stops or declines the history of a login. */
export const useHistoryWish = (loginId: string, onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: HistoryWish) => {
      if (wish.do === 'start') return callApi(startHistory, { body: { loginId, since: wish.since } })
      return callApi(wish.do === 'stop' ? stopHistory : declineHistory, { body: { loginId } })
    },
    onError: onFailure,
    onSettled: () => invalidateRoutes(client, history),
  })
}
