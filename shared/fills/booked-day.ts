import { tradingDay } from '#shared/market/trading-day.ts'
import type { Fill } from './fill.ts'

/** The session that a fill counts in: the broker's if known, because on holidays it is the next one. */
export const bookedDay = ({ time, tradeDate }: Pick<Fill, 'time' | 'tradeDate'>): string => tradeDate ?? tradingDay(time)
