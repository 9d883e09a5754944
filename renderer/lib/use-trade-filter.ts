import type { Unit } from '#shared/api/statistics.ts'
import { everyTrade, readFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { paths } from './paths.ts'
import { carriedSearch, unitOf, withFilter } from './trade-filter.ts'
import { useUnitStore } from './unit-store.ts'
import { useSearch } from './use-search.ts'

/** Changes a part of the filter; with `replace` without a history entry. */
export type ChangeFilter = (part: Partial<TradeFilter>, how?: { readonly replace?: boolean }) => void

/** The filter in the address, and how to change it: each change is an address of its own for Back and Forward. */
export const useTradeFilter = (): { readonly filter: TradeFilter; readonly change: ChangeFilter; readonly clear: () => void } => {
  const [params, setParams] = useSearch()
  const filter = useMemo(() => readFilter(params), [params])
  const change: ChangeFilter = (part, { replace = false } = {}) => {
    setParams((now) => withFilter(now, { ...readFilter(now), ...part }), { replace })
  }
  return { filter, change, clear: () => { change(everyTrade) } }
}

/** Whether trades or fill pairs are counted: by the address, else by the last choice on any screen. A choice is saved, and goes into the address. */
export const useUnit = (): readonly [Unit, (unit: Unit) => void] => {
  const [params, setParams] = useSearchParams()
  const { unit: kept, keep } = useUnitStore()
  const choose = (unit: Unit): void => {
    keep(unit)
    setParams((now) => new URLSearchParams([...[...now].filter(([name]) => name !== 'unit'), ['unit', unit]]), { replace: true })
  }
  return [unitOf(params, kept), choose]
}

const filtered: readonly string[] = [paths.overview, paths.tradeLogbook].map((path) => path.toLowerCase())

/** What a link to a screen of trades includes, as `?…`: what such a screen shows, or showed last; kept by the frame around the screens, which is separate for each user. */
export const useCarriedSearch = (): string => {
  const { pathname, search } = useLocation()
  const [kept, keep] = useState('')
  const carried = filtered.includes(pathname.toLowerCase()) ? carriedSearch(new URLSearchParams(search)) : kept
  if (carried !== kept) keep(carried)
  return carried
}
