import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import type { Finance, NewFinance } from '#shared/api/records.ts'
import { entriesOf, type BookEntry } from '#shared/stats/books-filter.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { mergedEntry, type entryFields } from './entry-fields.ts'

const { addFinance, getFinances, removeFinance } = recordRoutes

/** Changes the displayed finances, once the program has done it, and reads them again: another tab may have changed others. */
const useShow = (): ((change: (finances: readonly Finance[]) => Finance[]) => Promise<void>) => {
  const client = useQueryClient()
  const userId = useUserId()
  return async (change) => {
    const { queryKey } = apiQuery(getFinances, { query: { userId } })
    // A pending answer may be from before the change.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (known) => known && { ...known, finances: change(known.finances) })
    void client.invalidateQueries({ queryKey })
  }
}

/** Someone else changed the same fields of the entry since its dialog was opened. */
export class ChangedElsewhere extends Error {}

type Entry = z.output<typeof entryFields>

/** Saves an entry, a new one or an existing one as it was `opened`: shows the program's version once it is confirmed, and which withdrawals are left to enter. */
export const useSaveEntry = (opened: BookEntry | null) => {
  const client = useQueryClient()
  const userId = useUserId()
  const show = useShow()
  /** With other fields as someone else changed them since. */
  const upToDate = async (id: string, entry: Entry): Promise<Entry> => {
    if (opened === null) return entry
    const { finances } = await callApi(getFinances, { query: { userId } })
    const now = entriesOf(finances).find((one) => one.id === id)
    const merged = now === undefined ? entry : mergedEntry(opened, entry, now)
    if (merged === null) throw new ChangedElsewhere()
    return merged
  }
  return useMutation({
    mutationFn: async ({ id, entry }: { readonly id: string; readonly entry: Entry }) => callApi(addFinance, { body: { userId, finance: { id, ...(await upToDate(id, entry)) } satisfies NewFinance } }),
    onSuccess: async ({ finance: saved }) => {
      await show((finances) => [...finances.filter(({ id }) => id !== saved.id), saved])
      await invalidateRoutes(client, journalRoutes.bookedPayouts)
    },
  })
}

/** Removes an entry: it disappears once the program has confirmed it. */
export const useRemoveEntry = () => {
  const userId = useUserId()
  const show = useShow()
  return useMutation({
    mutationFn: (id: string) => callApi(removeFinance, { body: { userId, id } }),
    onSuccess: (_, id) => show((finances) => finances.filter((finance) => finance.id !== id)),
  })
}
