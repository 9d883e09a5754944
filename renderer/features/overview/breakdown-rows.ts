import type { StatGroup, StatisticsAnswer } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'

/** What trades can be told apart by. */
export const dimensions = ['symbol', 'weekday', 'hour', 'session', 'account', 'firm', 'side'] as const
export type Dimension = (typeof dimensions)[number]

/** The columns that a breakdown can be sorted by; `key` is its own order. */
export const sortColumns = ['key', 'count', 'winRate', 'profitFactor', 'netPnl', 'expectancy', 'hold'] as const
export type SortColumn = (typeof sortColumns)[number]
export type Order = { readonly column: SortColumn; readonly direction: 'asc' | 'desc' }

/** One line of a breakdown: the trades of one key in one currency. */
export type BreakdownRow = {
  readonly id: string
  readonly key: string | number | null
  /** Of an account. */
  readonly name: string | null
  readonly currency: string
  readonly count: number
  readonly winRate: number | null
  readonly profitFactor: number | null
  /** Exact decimals. */
  readonly netPnl: string
  readonly expectancy: string
  /** Ms; null where the key has several currencies, which its hold time does not tell apart. */
  readonly hold: number | null
  /** From 0 to 1: its net against the largest of its currency, whatever the sign. */
  readonly share: number
  /** Its place in the order of its dimension. */
  readonly place: number
}

/** The lines of a dimension in its own order: products, accounts and firms by name, the rest by the clock. */
export const breakdownRows = (dimension: Dimension, statistics: StatisticsAnswer): BreakdownRow[] => {
  const groups = groupsOf(dimension, statistics)
  const largest = new Map<string, number>()
  for (const { money } of groups) for (const { currency, netPnl } of money) largest.set(currency, Math.max(largest.get(currency) ?? 0, Math.abs(Number(netPnl))))
  return groups.flatMap(({ key, name, money, hold }, place) =>
    money.map(({ currency, count, wins, profitFactor, netPnl, expectancy }): BreakdownRow => {
      const most = largest.get(currency) ?? 0
      return {
        id: `${String(key)} ${currency}`,
        key,
        name,
        currency,
        count,
        winRate: count === 0 ? null : wins / count,
        profitFactor,
        netPnl,
        expectancy,
        hold: money.length > 1 ? null : hold.all,
        share: most === 0 ? 0 : Math.abs(Number(netPnl)) / most,
        place,
      }
    }),
  )
}

/** The lines in an order; what is unknown comes last either way, and equals stay in the order of their dimension. */
export const sortRows = (rows: readonly BreakdownRow[], { column, direction }: Order): BreakdownRow[] => {
  const value = (row: BreakdownRow): number | null => {
    if (column === 'key') return row.place
    const figure = row[column]
    return figure === null ? null : Number(figure)
  }
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return direction === 'asc' ? a - b : b - a
  })
}

/** What a line narrows the filter to; null where the filter has no word for its dimension. */
export const filterOfRow = (dimension: Dimension, key: BreakdownRow['key'], accountsOfFirm: (firm: string | null) => readonly string[]): Partial<TradeFilter> | null => {
  if (dimension === 'symbol') return { symbols: [String(key)] }
  if (dimension === 'account') return { accounts: [String(key)] }
  if (dimension === 'side' && (key === 'long' || key === 'short')) return { sides: [key] }
  if (dimension !== 'firm') return null
  const accounts = accountsOfFirm(key === null ? null : String(key))
  return accounts.length === 0 ? null : { accounts }
}

type Group = StatGroup & { readonly key: string | number | null; readonly name: string | null }

const groupsOf = (dimension: Dimension, { bySymbol, byWeekday, byHour, bySession, byAccount, byFirm, bySide }: StatisticsAnswer): Group[] => {
  if (dimension === 'account') return byAccount
  const lists = { symbol: bySymbol, weekday: byWeekday, hour: byHour, session: bySession, firm: byFirm, side: bySide } as const
  return lists[dimension].map((group): Group => ({ ...group, name: null }))
}
