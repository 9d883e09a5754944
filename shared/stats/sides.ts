import { calendarDay } from '#shared/api/fields.ts'
import type { TradeFilter } from './filter.ts'

/** What trades are compared by: each side of a comparison is one of them. */
export const sideKinds = ['accounts', 'periods', 'tags', 'products'] as const
export type SideKind = (typeof sideKinds)[number]

/** So many sides stand beside each other at most. */
export const mostSides = 6

/** The conditions of a filter that a side says itself, whatever the filter says of them. */
export const saidBySides = { accounts: ['accounts'], periods: ['from', 'to'], tags: ['tags'], products: ['symbols'] } as const satisfies Record<SideKind, readonly (keyof TradeFilter)[]>

/** First and last trading day of a side that is a period, `2026-11-01..2026-11-30`; null where the text says no such thing. */
export const readPeriod = (side: string): { readonly from: string; readonly to: string } | null => {
  const [from = '', to = '', ...rest] = side.split('..')
  return rest.length === 0 && [from, to].every((day) => calendarDay.safeParse(day).success) && from <= to ? { from, to } : null
}

/** A period as the text of a side, which `readPeriod` reads back. */
export const writePeriod = (from: string, to: string): string => `${from}..${to}`

/** The filter of one side: the conditions that all sides share, and its own in the place of what they say of the same; null where the side says nothing of its kind. */
export const filterOfSide = (shared: TradeFilter, kind: SideKind, side: string): TradeFilter | null => {
  switch (kind) {
    case 'accounts':
      return side === '' ? null : { ...shared, accounts: [side] }
    case 'tags':
      return side === '' ? null : { ...shared, tags: [side] }
    case 'products':
      return side === '' ? null : { ...shared, symbols: [side] }
    case 'periods': {
      const period = readPeriod(side)
      return period && { ...shared, ...period }
    }
  }
}
