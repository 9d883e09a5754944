import { compareText } from '#shared/base/compare-text.ts'
import { remembering } from '#shared/base/remembering.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { Currency } from '#shared/money/money.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import { createCalendar, type Calendar } from './calendar.ts'
import { drawdowns, equityByDay, equityByTrade, type Drawdowns, type EquityPoint } from './equity.ts'
import type { CountedTrade, StatisticsTrade } from './figures.ts'
import { createRDistribution, rUnits, type RBucket } from './r-multiple.ts'
import { streaksOf, type Streaks } from './streaks.ts'
import { addToGroup, createGroups, emptyGroup, groupFigures, type GroupFigures, type TradeGroup } from './trade-group.ts'
import { marketSessionAt, marketSessions, weekdayAndHour, type MarketSession } from './trade-times.ts'

/** What statistics count: fill pairs (`pairs`), as the broker matches them, or trades from flat to flat (`trades`). */
export type CountedUnit = 'pairs' | 'trades'

/** The unit to count, and the clock. */
export type StatisticsOptions = {
  readonly counted: CountedUnit
  /** The IANA zone of weekdays and hours. */
  readonly zone: string
  /** Whether weekday, hour and session are those of the entry, when the trader decided, or of the exit. */
  readonly timedBy: 'entry' | 'exit'
}

/** The equity curve of one currency by trading day, with its drawdowns and those of the curve by trade, which also sees drawdowns within a day. */
export type CurrencyEquity = {
  readonly currency: Currency
  readonly byDay: readonly EquityPoint[]
  /** By trading day. */
  readonly drawdownByDay: Drawdowns<string>
  /** By exit, UTC ms. */
  readonly drawdownByTrade: Drawdowns<number>
}

/**
 * The statistics of a set of trades. Plain data: money is exact in 1/10,000 of its currency, an average keeps sum and count
 * (`averageToDecimalString`), times are ms, rates run from 0 to 1.
 */
export type Statistics = StatisticsOptions & {
  readonly all: GroupFigures
  readonly streaks: Streaks
  readonly rDistribution: readonly RBucket[]
  readonly equity: readonly CurrencyEquity[]
  readonly calendar: Calendar
  /** By product: `MES`. */
  readonly bySymbol: readonly TradeGroup<string>[]
  /** 1 is Monday, 7 Sunday. */
  readonly byWeekday: readonly TradeGroup<number>[]
  /** 0 to 23. */
  readonly byHour: readonly TradeGroup<number>[]
  readonly bySession: readonly TradeGroup<MarketSession>[]
  readonly byAccount: readonly TradeGroup<string>[]
  /** Null: accounts without a firm. */
  readonly byFirm: readonly TradeGroup<string | null>[]
  readonly bySide: readonly TradeGroup<Direction>[]
  /** A trade counts in each of its tags; null: trades without a tag. */
  readonly byTag: readonly TradeGroup<string | null>[]
}

/** Computes statistics of trades added one by one, in any order; an unknown zone throws a RangeError. */
export const createStatistics = (options: StatisticsOptions) => {
  const all = emptyGroup()
  const distribution = createRDistribution()
  const calendar = createCalendar()
  const closed = createClosed()
  const productOf = remembering(wholeRootOf)
  const bySymbol = createGroups(compareText)
  const byWeekday = createGroups(byNumber)
  const byHour = createGroups(byNumber)
  const bySession = createGroups<MarketSession>((one, other) => marketSessions.indexOf(one) - marketSessions.indexOf(other))
  const byAccount = createGroups(compareText)
  const byFirm = createGroups(lastIfNull)
  const bySide = createGroups<Direction>(compareText)
  const byTag = createGroups(lastIfNull)

  return {
    take: (trade: StatisticsTrade): void => {
      const r = rUnits(trade)
      const time = options.timedBy === 'entry' ? trade.entryTime : trade.exitTime
      const { weekday, hour } = weekdayAndHour(time, options.zone)
      addToGroup(all, trade, r)
      bySymbol.take(productOf(trade.symbol), trade, r)
      byWeekday.take(weekday, trade, r)
      byHour.take(hour, trade, r)
      bySession.take(marketSessionAt(time), trade, r)
      byAccount.take(trade.account, trade, r)
      byFirm.take(trade.firm ?? null, trade, r)
      bySide.take(trade.side, trade, r)
      if (trade.tags === undefined || trade.tags.length === 0) byTag.take(null, trade, r)
      else for (const tag of trade.tags) byTag.take(tag, trade, r)
      calendar.take(trade)
      closed.take(trade)
      if (r !== null) distribution.take(r)
    },
    result: (): Statistics => {
      const figures = groupFigures(all)
      const dates = calendar.result()
      const inOrder = closed.inOrder()
      return {
        ...options,
        all: figures,
        streaks: streaksOf(inOrder),
        rDistribution: distribution.result(),
        equity: figures.money.map(({ currency }) => currencyEquity(currency, equityByDay(dates.days, currency), inOrder)),
        calendar: dates,
        bySymbol: bySymbol.result(),
        byWeekday: byWeekday.result(),
        byHour: byHour.result(),
        bySession: bySession.result(),
        byAccount: byAccount.result(),
        byFirm: byFirm.result(),
        bySide: bySide.result(),
        byTag: byTag.result(),
      }
    },
  }
}

type Closed = Pick<CountedTrade, 'id' | 'exitTime' | 'grossPnl' | 'netPnl' | 'currency'>

// Only streaks and the curve by trade need order. Rows mostly come sorted: then skip the sort.
const createClosed = () => {
  const trades: Closed[] = []
  let ordered = true
  return {
    take: ({ id, exitTime, grossPnl, netPnl, currency }: Closed): void => {
      const trade = { id, exitTime, grossPnl, netPnl, currency }
      const last = trades.at(-1)
      if (last !== undefined && byExit(last, trade) > 0) ordered = false
      trades.push(trade)
    },
    inOrder: (): readonly Closed[] => {
      if (!ordered) trades.sort(byExit)
      ordered = true
      return trades
    },
  }
}

const currencyEquity = (currency: Currency, byDay: readonly EquityPoint[], inOrder: readonly Closed[]): CurrencyEquity => ({
  currency,
  byDay,
  drawdownByDay: drawdowns(byDay, ({ tradingDay }) => tradingDay),
  drawdownByTrade: drawdowns(equityByTrade(inOrder.filter((trade) => trade.currency === currency)), ({ exitTime }) => exitTime),
})

const byExit = (one: Closed, other: Closed): number => one.exitTime - other.exitTime || compareText(one.id, other.id)

const byNumber = (one: number, other: number): number => one - other

const lastIfNull = (one: string | null, other: string | null): number => (one === null ? 1 : other === null ? -1 : compareText(one, other))
