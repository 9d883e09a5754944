import { tradeSort, type TradeSort, type Unit } from '#shared/api/journal.ts'

/** What the logbook shows, as its address says it: a link or a reload brings the same list. */
export type LogbookView = {
  readonly unit: Unit
  /** Both filters match as case-insensitive substrings; empty shows all. */
  readonly symbol: string
  readonly account: string
  readonly sort: TradeSort
  readonly direction: 'asc' | 'desc'
}

const usual: LogbookView = { unit: 'pairs', symbol: '', account: '', sort: 'exitTime', direction: 'desc' }

/** Reads the address; what it does not say, or says wrongly, is the usual. */
export const viewOf = (params: URLSearchParams): LogbookView => {
  const sort = tradeSort.safeParse(params.get('sort'))
  return {
    unit: params.get('unit') === 'trips' ? 'trips' : usual.unit,
    symbol: (params.get('symbol') ?? '').slice(0, 100),
    account: (params.get('account') ?? '').slice(0, 200),
    sort: sort.success ? sort.data : usual.sort,
    direction: params.get('direction') === 'asc' ? 'asc' : usual.direction,
  }
}

/** Writes a view as an address, the usual left out so that the plain address is the plain list. */
export const paramsOf = (view: LogbookView): URLSearchParams => {
  const params = new URLSearchParams()
  for (const key of ['unit', 'symbol', 'account', 'sort', 'direction'] as const) {
    if (view[key] !== usual[key]) params.set(key, view[key])
  }
  return params
}
