import { filterParameters, writeFilter, type TradeFilter } from '#shared/stats/filter.ts'
import type { Unit } from '#shared/api/statistics.ts'

/** The parameters of an address with another filter; keeps all others. */
export const withFilter = (params: URLSearchParams, filter: TradeFilter): URLSearchParams => {
  const kept = [...params].filter(([name]) => !isOfFilter(name))
  return new URLSearchParams([...kept, ...writeFilter(filter)])
}

/** Whether a filter leaves anything out. */
export const isFiltering = (filter: TradeFilter): boolean => writeFilter(filter).length > 0

/** What links between screens of trades include: the filter and the unit, as `?…`, empty if the address has neither. */
export const carriedSearch = (params: URLSearchParams): string => {
  const carried = [...params].filter(([name]) => isOfFilter(name) || name === 'unit')
  return carried.length === 0 ? '' : `?${new URLSearchParams(carried).toString()}`
}

/** The parameter that names the trade whose dialog is open. */
export const openedTrade = 'trade'

/** The address's query for the trades of a filter, counted by `unit`; with one of them open if named. */
export const searchOf = (filter: TradeFilter, unit: Unit, opened: string | null = null): string =>
  `?${new URLSearchParams([...writeFilter(filter), ['unit', unit], ...(opened === null ? [] : [[openedTrade, opened]])]).toString()}`

/** The unit in the address; `kept` if it has none. Saved addresses may name trades `trips`, as earlier programs did. */
export const unitOf = (params: URLSearchParams, kept: Unit): Unit => {
  const unit = params.get('unit')
  if (unit === 'trips') return 'trades'
  return unit === 'pairs' || unit === 'trades' ? unit : kept
}

const isOfFilter = (name: string): boolean => (filterParameters as readonly string[]).includes(name)
