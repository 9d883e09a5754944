import type { Unit } from '#shared/api/statistics.ts'
import { everyTrade, readFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { useEffect, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { create } from 'zustand'
import { paths } from './paths.ts'
import { useSession } from './session.ts'
import { carriedSearch, unitOf, withFilter } from './trade-filter.ts'

/** Changes a part of the filter; with `replace` going back passes over it. */
export type ChangeFilter = (part: Partial<TradeFilter>, how?: { readonly replace?: boolean }) => void

/** The filter that the address says, and how it is changed: by an address of its own, that back and forward go through. */
export const useTradeFilter = (): { readonly filter: TradeFilter; readonly change: ChangeFilter; readonly clear: () => void } => {
  const [params, setParams] = useSearchParams()
  const filter = useMemo(() => readFilter(params), [params])
  const change: ChangeFilter = (part, { replace = false } = {}) => {
    setParams((now) => withFilter(now, { ...readFilter(now), ...part }), { replace })
  }
  return { filter, change, clear: () => { change(everyTrade) } }
}

/** Whether pairs or trips are counted; what was once chosen stands in the address and goes along to the other screen. */
export const useUnit = (usual: Unit): readonly [Unit, (unit: Unit) => void] => {
  const [params, setParams] = useSearchParams()
  const choose = (unit: Unit): void => {
    setParams((now) => new URLSearchParams([...[...now].filter(([name]) => name !== 'unit'), ['unit', unit]]), { replace: true })
  }
  return [unitOf(params, usual), choose]
}

// Every page comes with a frame of its own, so what was shown last is kept outside of it; another user does not get it.
const useKept = create<{ readonly userId: string | null; readonly search: string }>(() => ({ userId: null, search: '' }))

const filtered: readonly string[] = [paths.overview, paths.tradeLogbook].map((path) => path.toLowerCase())

/** What a link to a screen of trades takes along, as `?…`: what such a screen shows, or showed last. */
export const useCarriedSearch = (): string => {
  const { pathname, search } = useLocation()
  const userId = useSession().currentUser?.uid ?? null
  const kept = useKept()
  const shown = filtered.includes(pathname.toLowerCase()) ? carriedSearch(new URLSearchParams(search)) : null
  useEffect(() => {
    if (shown !== null) useKept.setState({ userId, search: shown })
  }, [userId, shown])
  return shown ?? (kept.userId === userId ? kept.search : '')
}
