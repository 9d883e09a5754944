import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { Direction } from '#shared/pnl/pair.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import type { TradeFilter } from './filter.ts'
import { marketSessionAt, weekdayAndHour } from './trade-times.ts'

/** An amount that is at least and at most so much; null is unknown. */
type Known = { readonly least: Amount | null; readonly most: Amount | null }

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
  /** Its MFE and MAE, least and most; null without prices. */
  readonly excursions?: { readonly mfe: Known; readonly mae: Known } | null
  /** UTC ms. */
  readonly entryTime: number
  readonly exitTime: number
}

/** Whether a trade meets every condition. */
export const matchesFilter = (filter: TradeFilter, trade: FilteredTrade): boolean =>
  (filter.from === null || trade.tradingDay >= filter.from) &&
  (filter.to === null || trade.tradingDay <= filter.to) &&
  !(filter.leaderOnly && trade.isCopy) &&
  !(filter.warnedOnly && trade.warnings.length === 0) &&
  meetsSymbol(filter, trade.symbol) &&
  meetsAccount(filter, trade.account, trade.accountName) &&
  allows(filter.sides, trade.side) &&
  (filter.tags.length === 0 || trade.tags.some((tag) => filter.tags.includes(tag))) &&
  meetsExcursions(filter, trade.excursions ?? null) &&
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

const meetsExcursions = ({ maeFrom, maeTo, mfeFrom, mfeTo, pricedOnly }: TradeFilter, known: FilteredTrade['excursions'] | null): boolean => {
  if (known === null || known === undefined) return !pricedOnly && maeFrom === null && maeTo === null && mfeFrom === null && mfeTo === null
  return within(known.mae, maeFrom, maeTo) && within(known.mfe, mfeFrom, mfeTo)
}

const within = ({ least, most }: Known, from: string | null, to: string | null): boolean =>
  (from === null || (least !== null && least >= excursionAmount(from))) && (to === null || (most !== null && most <= excursionAmount(to)))

/** An amount of the filter in 1/10,000. */
export const excursionAmount = (text: string): Amount => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new RangeError('A filter has an amount that is none')
  return amount.value
}

const contains = (text: string, part: string): boolean => part === '' || text.toLowerCase().includes(part.toLowerCase())

const allows = (allowed: readonly string[], value: string): boolean => allowed.length === 0 || allowed.includes(value)

const allowsSymbol = (symbols: readonly string[], symbol: string): boolean => {
  const [contract, product] = [symbol.toUpperCase(), wholeRootOf(symbol)]
  return symbols.some((wanted) => wanted.toUpperCase() === contract || wanted.toUpperCase() === product)
}
