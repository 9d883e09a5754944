import { remembering } from '#shared/base/remembering.ts'
import { productRow, wholeRootOf } from '#shared/market/contract-name.ts'
import { clearsWithNext, nextTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Fill } from './fill.ts'

/** The session that a fill counts in: the broker's if known, otherwise on a holiday the next one, where its exchange clears so. */
export const bookedDay = (fill: Pick<Fill, 'contract' | 'time' | 'tradeDate'>): string => fill.tradeDate ?? afterHoliday(fill) ?? tradingDay(fill.time)

/** The session that a holiday clears with, for exchanges that do so; null on other days. */
export const afterHoliday = ({ contract, time }: Pick<Fill, 'contract' | 'time'>): string | null => {
  const next = nextIfCleared(tradingDay(time))
  return next !== null && exchangesOfHolidays.has(productRow(wholeRootOf(contract))?.exchange ?? '') ? next : null
}

const nextIfCleared = remembering((day) => (clearsWithNext(day) ? nextTradingDay(day) : null))

const exchangesOfHolidays: ReadonlySet<string> = new Set(['CME', 'CBOT', 'NYMEX', 'COMEX'])
