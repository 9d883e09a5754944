import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { meetsSymbol } from './match-filter.ts'
import { readPeriod, type SideKind } from './sides.ts'

type OverlapSide = { readonly side: string; readonly statistics: Pick<StatisticsAnswer, 'all' | 'byTag' | 'days'> }

/** The number of trades on both of two sides, from the statistics of each. */
export const tradesOnBoth = (kind: SideKind, one: OverlapSide, other: OverlapSide): number => {
  switch (kind) {
    case 'accounts':
      return one.side === other.side ? one.statistics.all.count : 0
    case 'tags':
      return one.statistics.byTag.find(({ key }) => key === other.side)?.count ?? 0
    // A contract belongs entirely to its product.
    case 'products':
      if (isOf(other.side, one.side)) return other.statistics.all.count
      return isOf(one.side, other.side) ? one.statistics.all.count : 0
    case 'periods': {
      const period = readPeriod(other.side)
      return period === null ? 0 : one.statistics.days.reduce((sum, { tradingDay, count }) => sum + (tradingDay >= period.from && tradingDay <= period.to ? count : 0), 0)
    }
  }
}

const isOf = (contract: string, symbol: string): boolean => meetsSymbol({ symbol: '', symbols: [symbol] }, contract)
