import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useLinkRequest } from '#renderer/lib/link-request.ts'
import { useShortcut } from '#renderer/lib/use-shortcut.ts'
import { copierRoutes, type CopyGroup, type FlattenReport } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toFlatten } from './flatten-rows.ts'

const { flatten, copier } = copierRoutes

/** A flatten: its groups, and its progress. */
export type Flattening = { readonly groups: readonly CopyGroup[]; readonly phase: 'asks' | 'runs' | 'done'; readonly reports: readonly FlattenReport[]; readonly failures: readonly unknown[] }

/**
 * Closes everything of some groups' followers, with one call per group, after the user's confirmation; its shortcut and
 * a link from elsewhere ask about all groups, the link once they are known (`null`: not yet).
 */
export const useFlatten = (known: readonly CopyGroup[] | null) => {
  const client = useQueryClient()
  const [now, setNow] = useState<Flattening | null>(null)
  const { mutateAsync } = useMutation({ mutationFn: (id: string) => callApi(flatten, { body: { id } }) })
  const one = async ({ id }: CopyGroup): Promise<void> => {
    try {
      const { reports } = await mutateAsync(id)
      setNow((shown) => shown && { ...shown, reports: [...shown.reports, ...reports] })
    } catch (failure) {
      setNow((shown) => shown && { ...shown, failures: [...shown.failures, failure] })
    }
  }
  const ask = (groups: readonly CopyGroup[]): void => { setNow((shown) => shown ?? { groups, phase: 'asks', reports: [], failures: [] }) }
  const askAll = (): void => {
    if (known !== null && known.length > 0) ask(toFlatten(known))
  }
  useShortcut('flatten-all', askAll)
  useLinkRequest('flatten-all', askAll, known !== null)
  return {
    now,
    ask,
    /** For all groups, if there are any. */
    askAll,
    go: async (): Promise<void> => {
      if (now === null || now.phase === 'runs') return
      setNow({ ...now, phase: 'runs', reports: [], failures: [] })
      await Promise.all(now.groups.map(one))
      setNow((shown) => shown && { ...shown, phase: 'done' })
      await invalidateRoutes(client, copier)
    },
    close: (): void => { setNow(null) },
  }
}
