import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { addMoney, moneyFigures, tradeCounts, type MoneyFigures, type MoneySums, type TradeCounts } from './money-figures.ts'
import type { TradeFigures } from './figures.ts'

/** The P&L of a day or week in one currency. */
export type CalendarMoney = Pick<MoneyFigures, 'currency' | 'grossPnl' | 'commission' | 'netPnl'>

/** A trading day with a closed trade. */
export type CalendarDay = TradeCounts & {
  /** Date of the exchange's session, `YYYY-MM-DD`. */
  readonly tradingDay: string
  readonly money: readonly CalendarMoney[]
}

/** A week with a closed trade. */
export type CalendarWeek = TradeCounts & {
  /** Date of its Monday, `YYYY-MM-DD`. */
  readonly monday: string
  /** Trading days with a trade. */
  readonly days: number
  readonly money: readonly CalendarMoney[]
}

/** Trading days and weeks with a trade, earliest first. */
export type Calendar = { readonly days: readonly CalendarDay[]; readonly weeks: readonly CalendarWeek[] }

/** Sums trades by trading day and week; they may come in any order. */
export const createCalendar = () => {
  const weeks = new Map<string, { readonly money: MoneySums; days: number }>()
  const days = new Map<string, { readonly money: MoneySums; readonly ofWeek: MoneySums }>()
  const openDay = (tradingDay: string) => {
    const monday = mondayOf(tradingDay)
    const week = weeks.get(monday) ?? { money: [], days: 0 }
    week.days += 1
    weeks.set(monday, week)
    const day = { money: [], ofWeek: week.money }
    days.set(tradingDay, day)
    return day
  }
  return {
    take: (trade: Omit<TradeFigures, 'date'>): void => {
      const day = days.get(trade.tradingDay) ?? openDay(trade.tradingDay)
      addMoney(day.money, trade)
      addMoney(day.ofWeek, trade)
    },
    result: (): Calendar => ({
      days: byDate(days).map(([tradingDay, { money }]) => ({ tradingDay, ...calendarFigures(money) })),
      weeks: byDate(weeks).map(([monday, week]) => ({ monday, days: week.days, ...calendarFigures(week.money) })),
    }),
  }
}

const mondayOf = (date: string): string => {
  const day = dayOfDate(date)
  // 1 January 1970 was a Thursday.
  return isoDate(day - ((((day + 3) % 7) + 7) % 7))
}

const byDate = <Value>(map: ReadonlyMap<string, Value>): (readonly [string, Value])[] => [...map].sort(([one], [other]) => (one < other ? -1 : 1))

const calendarFigures = (sums: MoneySums) => {
  const money = moneyFigures(sums)
  return { ...tradeCounts(money), money: money.map(({ currency, grossPnl, commission, netPnl }) => ({ currency, grossPnl, commission, netPnl })) }
}
