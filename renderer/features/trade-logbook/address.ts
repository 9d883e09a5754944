import { tradeSort, type TradeSort } from '#shared/api/journal.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { unitOf } from '#renderer/lib/trade-filter.ts'
import { readFilter, type TradeFilter } from '#shared/stats/filter.ts'

/** The order of the list. */
export type LogbookOrder = { readonly sort: TradeSort; readonly direction: 'asc' | 'desc' }

/** What the logbook shows, as in its address: a link or a reload opens the same list. */
export type LogbookView = LogbookOrder & { readonly unit: Unit; readonly filter: TradeFilter }

const usual: LogbookOrder = { sort: 'exitTime', direction: 'desc' }

/** Reads the address; missing or invalid parts get their defaults, and the unit is the `kept` one. */
export const viewOf = (params: URLSearchParams, kept: Unit): LogbookView => {
  const sort = tradeSort.safeParse(params.get('sort'))
  return {
    unit: unitOf(params, kept),
    filter: readFilter(params),
    sort: sort.success ? sort.data : usual.sort,
    direction: params.get('direction') === 'asc' ? 'asc' : usual.direction,
  }
}

/** The address in another order, without defaults, so that the plain address is the plain list; its other parts stay. */
export const withOrder = (params: URLSearchParams, order: LogbookOrder): URLSearchParams => {
  const next = new URLSearchParams(params)
  for (const key of ['sort', 'direction'] as const) {
    if (order[key] === usual[key]) next.delete(key)
    else next.set(key, order[key])
  }
  return next
}
