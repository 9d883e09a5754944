import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { positionRoutes, type CloseReport } from '#shared/api/positions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

const { closePosition, flattenAccount, positions } = positionRoutes

/** What to close: one contract of an account, or everything in the account (`contract` null). */
export type ToClose = { readonly account: string; readonly contract: string | null }

/** A close and its progress. */
export type Closing = ToClose & { readonly phase: 'asks' | 'runs' | 'done'; readonly report: CloseReport | null; readonly failure: unknown }

/** Closes a position or flattens an account after the user's confirmation, one at a time. */
export const useClosing = () => {
  const client = useQueryClient()
  const [now, setNow] = useState<Closing | null>(null)
  const { mutateAsync } = useMutation({
    mutationFn: ({ account, contract }: ToClose) => (contract === null ? callApi(flattenAccount, { body: { account } }) : callApi(closePosition, { body: { account, contract } })),
  })
  return {
    now,
    ask: (what: ToClose): void => { setNow((known) => known ?? { ...what, phase: 'asks', report: null, failure: null }) },
    go: async (): Promise<void> => {
      if (now === null || now.phase === 'runs') return
      setNow({ ...now, phase: 'runs', report: null, failure: null })
      try {
        const report = await mutateAsync(now)
        setNow((known) => known && { ...known, phase: 'done', report })
      } catch (failure) {
        setNow((known) => known && { ...known, phase: 'done', failure })
      }
      await invalidateRoutes(client, positions)
    },
    close: (): void => { setNow(null) },
  }
}
