import { calendarDay } from '#shared/api/fields.ts'
import type { TradeFilter } from './filter.ts'

/** What a comparison compares: each side is one of these. */
export const sideKinds = ['accounts', 'periods', 'tags', 'products'] as const
export type SideKind = (typeof sideKinds)[number]

/** The most sides of a comparison. */
export const mostSides = 6

/** The filter conditions that a side sets itself, overriding the shared filter. */
export const filterFieldsOf = { accounts: ['accounts'], periods: ['from', 'to'], tags: ['tags'], products: ['symbols'] } as const satisfies Record<SideKind, readonly (keyof TradeFilter)[]>

/** First and last trading day of a side that is a period, `2026-11-01..2026-11-30`; null if the text is not one. */
export const readPeriod = (side: string): { readonly from: string; readonly to: string } | null => {
  const [from = '', to = '', ...rest] = side.split('..')
  return rest.length === 0 && [from, to].every((day) => calendarDay.safeParse(day).success) && from <= to ? { from, to } : null
}

/** A period as the text of a side, for `readPeriod`. */
export const writePeriod = (from: string, to: string): string => `${from}..${to}`

/** The filter of one side: the shared conditions, with its own overriding them; null if the side is not valid for its kind. */
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
