import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { copierRoutes, type CopyGroup, type FlattenReport } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isFlattenKey, toFlatten } from './flatten-rows.ts'

const { flatten, copier } = copierRoutes

/** A flattening: the groups that it is about, and how far it is. */
export type Flattening = { readonly groups: readonly CopyGroup[]; readonly phase: 'asks' | 'runs' | 'done'; readonly reports: readonly FlattenReport[]; readonly failures: readonly unknown[] }

/** Closes everything of some groups' followers, each group by a call of its own, once the user has said so. */
export const useFlatten = () => {
  const client = useQueryClient()
  const [now, setNow] = useState<Flattening | null>(null)
  const { mutateAsync } = useMutation({ mutationFn: (id: string) => callApi(flatten, { body: { id } }) })
  const one = async ({ id }: CopyGroup): Promise<void> => {
    try {
      const { reports } = await mutateAsync(id)
      setNow((known) => known && { ...known, reports: [...known.reports, ...reports] })
    } catch (failure) {
      setNow((known) => known && { ...known, failures: [...known.failures, failure] })
    }
  }
  const ask = (groups: readonly CopyGroup[]): void => { setNow((known) => known ?? { groups, phase: 'asks', reports: [], failures: [] }) }
  return {
    now,
    ask,
    /** About all of these groups, where there is any. */
    askAll: (groups: readonly CopyGroup[]): void => {
      if (groups.length > 0) ask(toFlatten(groups))
    },
    go: async (): Promise<void> => {
      if (now === null || now.phase === 'runs') return
      setNow({ ...now, phase: 'runs', reports: [], failures: [] })
      await Promise.all(now.groups.map(one))
      setNow((known) => known && { ...known, phase: 'done' })
      await invalidateRoutes(client, copier)
    },
    close: (): void => { setNow(null) },
  }
}

const typesInto = 'input, textarea, select, [contenteditable=true]'
const over = '[role=dialog], [role=menu], [role=listbox]'

/** Calls `onKey` when Flatten all is asked for by key, wherever on the page: not while a field is typed in, nor while something stands over the page. */
export const useFlattenKey = (onKey: () => void): void => {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (!isFlattenKey(event) || (event.target instanceof Element && event.target.matches(typesInto)) || document.querySelector(over) !== null) return
    event.preventDefault()
    onKey()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => { handle(event) }
    document.addEventListener('keydown', listener)
    return () => { document.removeEventListener('keydown', listener) }
  }, [])
}
