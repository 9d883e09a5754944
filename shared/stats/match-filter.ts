import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import { limitedFigures, type TradeFilter } from './filter.ts'
import { marketSessionAt, weekdayAndHour } from './trade-times.ts'

/** The data of a trade that a filter checks. */
export type FilteredTrade = {
  readonly tradingDay: string
  /** Key and name of its account. */
  readonly account: string
  readonly accountName: string
  readonly symbol: string
  readonly side: Direction
  /** Its own tags and those of its trading day. */
  readonly tags: readonly string[]
  /** Whether its account is marked as a copy or the trade copier opened it. */
  readonly isCopy: boolean
  readonly warnings: readonly unknown[]
  /** UTC ms. */
  readonly entryTime: number
  readonly exitTime: number
}

/** Whether a trade without prices meets every condition. */
export const matchesFilter = (filter: TradeFilter, trade: FilteredTrade): boolean =>
  (filter.from === null || trade.tradingDay >= filter.from) &&
  (filter.to === null || trade.tradingDay <= filter.to) &&
  !(filter.leaderOnly && trade.isCopy) &&
  !(filter.warnedOnly && trade.warnings.length === 0) &&
  meetsSymbol(filter, trade.symbol) &&
  meetsAccount(filter, trade.account, trade.accountName) &&
  allows(filter.sides, trade.side) &&
  (filter.tags.length === 0 || trade.tags.some((tag) => filter.tags.includes(tag))) &&
  !filter.pricedOnly &&
  limitedFigures(filter).length === 0 &&
  meetsClock(filter, filter.timedBy === 'entry' ? trade.entryTime : trade.exitTime)

/** Whether a contract meets the filter's conditions on symbols. */
export const meetsSymbol = (filter: Pick<TradeFilter, 'symbol' | 'symbols'>, symbol: string): boolean =>
  contains(symbol, filter.symbol) && (filter.symbols.length === 0 || allowsSymbol(filter.symbols, symbol))

/** Whether an account meets the filter's conditions on accounts. */
export const meetsAccount = (filter: Pick<TradeFilter, 'account' | 'accounts'>, key: string, name: string): boolean => contains(name, filter.account) && allows(filter.accounts, key)

const meetsClock = ({ weekdays, hours, sessions, zone }: TradeFilter, time: number): boolean => {
  if (sessions.length > 0 && !sessions.includes(marketSessionAt(time))) return false
  if (weekdays.length === 0 && hours.length === 0) return true
  const { weekday, hour } = weekdayAndHour(time, zone)
  return (weekdays.length === 0 || weekdays.includes(weekday)) && (hours.length === 0 || hours.includes(hour))
}

const contains = (text: string, part: string): boolean => part === '' || text.toLowerCase().includes(part.toLowerCase())

const allows = (allowed: readonly string[], value: string): boolean => allowed.length === 0 || allowed.includes(value)

const allowsSymbol = (symbols: readonly string[], symbol: string): boolean => {
  const [contract, product] = [symbol.toUpperCase(), wholeRootOf(symbol)]
  return symbols.some((wanted) => wanted.toUpperCase() === contract || wanted.toUpperCase() === product)
}
