import { figures, type Counted, type FigureKey } from '#renderer/ui/statistics.tsx'
import type { StatGroup, StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'

/** What trades can be grouped by. */
export const dimensions = ['symbol', 'weekday', 'hour', 'session', 'account', 'firm', 'side', 'tag'] as const
export type Dimension = (typeof dimensions)[number]

/** The order of the lines: by a figure, or by `key`, the own order of what they are grouped by. */
export type Order = { readonly column: 'key' | FigureKey; readonly direction: 'asc' | 'desc' }

/** One line of a breakdown: the trades of one key in one currency. */
export type BreakdownRow = Counted & {
  readonly id: string
  readonly key: string | number | null
  /** Of an account. */
  readonly name: string | null
  readonly money: StatMoney
  /** Its bar, from zero to its net, as shares (0 to 1) of a width that holds all bars of its currency. */
  readonly bar: { readonly from: number; readonly to: number }
  /** Its place in the order of its dimension. */
  readonly place: number
}

/** The lines of a dimension in its own order: products, accounts and firms by name, the rest by the clock. */
export const breakdownRows = (dimension: Dimension, statistics: StatisticsAnswer): BreakdownRow[] => {
  const groups = groupsOf(dimension, statistics)
  const reach = new Map<string, { readonly lowest: number; readonly highest: number }>()
  for (const { money } of groups) {
    for (const { currency, netPnl } of money) {
      const { lowest, highest } = reach.get(currency) ?? { lowest: 0, highest: 0 }
      reach.set(currency, { lowest: Math.min(lowest, Number(netPnl)), highest: Math.max(highest, Number(netPnl)) })
    }
  }
  return groups.flatMap((group, order) =>
    group.money.map((money): BreakdownRow => {
      const { currency, netPnl } = money
      const { lowest, highest } = reach.get(currency) ?? { lowest: 0, highest: 0 }
      const place = (amount: number): number => (highest === lowest ? 0 : (amount - lowest) / (highest - lowest))
      const ends = [place(0), place(Number(netPnl))]
      return {
        id: `${String(group.key)} ${currency}`,
        key: group.key,
        name: group.name,
        money,
        // Hold times and exit efficiencies do not tell currencies apart.
        group: group.money.length > 1 ? undefined : group,
        bar: { from: Math.min(...ends), to: Math.max(...ends) },
        place: order,
      }
    }),
  )
}

/** The lines in an order; what is unknown comes last either way, and equals stay in the order of their dimension. */
export const sortRows = (rows: readonly BreakdownRow[], { column, direction }: Order): BreakdownRow[] => {
  const value = (row: BreakdownRow): number | null => {
    if (column === 'key') return row.place
    const figure = figures[column].of(row)
    return figure === null ? null : Number(figure)
  }
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return direction === 'asc' ? a - b : b - a
  })
}

/** What narrows the filter to the trades of a line, timed by the clock of the statistics; null where no filter says that. */
export const filterOfRow = (
  dimension: Dimension,
  key: BreakdownRow['key'],
  { zone, timedBy }: Pick<StatisticsAnswer, 'zone' | 'timedBy'>,
  accountsOfFirm: (firm: string | null) => readonly string[],
): Partial<TradeFilter> | null => {
  switch (dimension) {
    case 'symbol':
      return { symbols: [String(key)] }
    case 'account':
      return { accounts: [String(key)] }
    case 'side':
      return key === 'long' || key === 'short' ? { sides: [key] } : null
    case 'tag':
      return key === null ? null : { tags: [String(key)] }
    case 'weekday':
      return { weekdays: [Number(key)], zone, timedBy }
    case 'hour':
      return { hours: [Number(key)], zone, timedBy }
    case 'session':
      return { sessions: marketSessions.filter((session) => session === key), timedBy }
    case 'firm': {
      const accounts = accountsOfFirm(key === null ? null : String(key))
      return accounts.length === 0 ? null : { accounts }
    }
  }
}

type Group = StatGroup & { readonly key: string | number | null; readonly name: string | null }

const groupsOf = (dimension: Dimension, { bySymbol, byWeekday, byHour, bySession, byAccount, byFirm, bySide, byTag }: StatisticsAnswer): Group[] => {
  if (dimension === 'account') return byAccount
  const lists = { symbol: bySymbol, weekday: byWeekday, hour: byHour, session: bySession, firm: byFirm, side: bySide, tag: byTag } as const
  return lists[dimension].map((group): Group => ({ ...group, name: null }))
}
