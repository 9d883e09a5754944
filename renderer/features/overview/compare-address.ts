import { everyTrade, writeFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { filterOfSide, mostSides, filterFieldsOf, sideKinds, type SideKind } from '#shared/stats/sides.ts'

/** Whether curves share the calendar, or each begins with its own first trading day. */
export type Alignment = 'date' | 'number'

/** The comparison in the address. */
export type Compared = { readonly kind: SideKind; readonly sides: readonly string[]; readonly align: Alignment }

const names = { kind: 'compare', side: 'with', align: 'align' } as const

/** Reads a comparison from the address. Leaves out what is invalid, repeated, or beyond six sides: any address shows something. */
export const readCompared = (params: URLSearchParams): Compared => {
  const kind = sideKinds.find((one) => one === params.get(names.kind)) ?? 'accounts'
  const sides = [...new Set(params.getAll(names.side))].filter((side) => isSide(kind, side)).slice(0, mostSides)
  const usual = usualAlignment(kind)
  const given = params.get(names.align)
  return { kind, sides, align: given === 'date' || given === 'number' ? given : usual }
}

/** The parameters of an address with another comparison; what else they say stays. */
export const withCompared = (params: URLSearchParams, { kind, sides, align }: Compared): URLSearchParams => {
  const own: readonly string[] = Object.values(names)
  const changed = new URLSearchParams([...params].filter(([name]) => !own.includes(name)))
  changed.set('view', 'compare')
  changed.set(names.kind, kind)
  for (const side of sides) changed.append(names.side, side)
  if (align !== usualAlignment(kind)) changed.set(names.align, align)
  return changed
}

/** The conditions of the filter that the sides say themselves while they are compared; none elsewhere. */
export const setAsideBy = (params: URLSearchParams): readonly (keyof TradeFilter)[] => (params.get('view') === 'compare' ? filterFieldsOf[readCompared(params).kind] : [])

/** Periods of different months have no dates in common. */
const usualAlignment = (kind: SideKind): Alignment => (kind === 'periods' ? 'number' : 'date')

// What no filter could say would be compared with all trades.
const isSide = (kind: SideKind, side: string): boolean => {
  const filter = filterOfSide(everyTrade, kind, side)
  return filter !== null && writeFilter(filter).length > 0
}
