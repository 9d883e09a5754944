import { apiQuery, callApi } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance, NewFinance } from '#shared/api/records.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

const { addFinance, getFinances, removeFinance } = recordRoutes

/** Changes what is shown of the finances, once the program has done it. */
const useShow = (): ((change: (finances: readonly Finance[]) => Finance[]) => Promise<void>) => {
  const client = useQueryClient()
  const userId = useUserId()
  return async (change) => {
    const { queryKey } = apiQuery(getFinances, { query: { userId } })
    // An answer that is on its way may have been given before.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (known) => known && { ...known, finances: change(known.finances) })
  }
}

/** Saves an entry, a new one or one that is there: it shows once the program has confirmed it, as the program has it. */
export const useSaveEntry = () => {
  const userId = useUserId()
  const show = useShow()
  return useMutation({
    mutationFn: (finance: NewFinance) => callApi(addFinance, { body: { userId, finance } }),
    onSuccess: ({ finance: saved }) => show((finances) => [...finances.filter(({ id }) => id !== saved.id), saved]),
  })
}

/** Removes an entry: it goes once the program has confirmed it. */
export const useRemoveEntry = () => {
  const userId = useUserId()
  const show = useShow()
  return useMutation({
    mutationFn: (id: string) => callApi(removeFinance, { body: { userId, id } }),
    onSuccess: (_, id) => show((finances) => finances.filter((finance) => finance.id !== id)),
  })
}
