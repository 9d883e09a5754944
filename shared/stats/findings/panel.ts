import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { remembering } from '#shared/base/remembering.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import type { Currency } from '#shared/money/money.ts'
import { wallClock } from '../trade-times.ts'
import type { ReportTrade } from './report-trade.ts'

/**
 * The trades of one currency in columns, sorted by trading day, account and exit. The order never depends on ids or names, so that the same journal under
 * other names gives the same numbers. Times are UTC ms, money 1/10,000.
 */
export type Panel = {
  readonly currency: Currency
  readonly size: number
  readonly trades: readonly ReportTrade[]
  /** The index of each trade in the given list. */
  readonly given: Uint32Array
  readonly net: Float64Array
  readonly gross: Float64Array
  readonly commission: Float64Array
  /** Net and gross P&L per contract, in units of the mean absolute P&L of a contract of that product in that account, so that products and sizes weigh alike. */
  readonly scaled: Float64Array
  readonly scaledGross: Float64Array
  /** Indexes into `days`, `accounts` and `products`. */
  readonly day: Uint32Array
  readonly account: Uint32Array
  readonly product: Uint32Array
  readonly days: readonly string[]
  readonly accounts: readonly string[]
  readonly products: readonly string[]
  /** By the entry in the report's zone: 0 is Monday, 0 to 23, and days from the trading day to the entry's date. */
  readonly weekday: Uint8Array
  readonly hour: Uint8Array
  readonly dayShift: Int32Array
  /** ms. */
  readonly held: Float64Array
  readonly contracts: Float64Array
}

const enoughForScale = 20

/** One panel per currency, sorted by code; an unknown zone throws a RangeError. */
export const panelsOf = (trades: readonly ReportTrade[], zone: string): readonly Panel[] => {
  const places = Map.groupBy(trades.keys(), (place) => trades[place]?.currency)
  return [...places]
    .flatMap(([currency, given]) => (currency === undefined ? [] : [panelOf(currency, given.flatMap((place) => placed(trades, place)), zone)]))
    .sort((one, other) => compareText(one.currency, other.currency))
}

type Placed = { readonly trade: ReportTrade; readonly place: number }

const placed = (trades: readonly ReportTrade[], place: number): readonly Placed[] => {
  const trade = trades[place]
  return trade === undefined ? [] : [{ trade, place }]
}

const panelOf = (currency: Currency, given: readonly Placed[], zone: string): Panel => {
  const accounts = rankedAccounts(given)
  const rank = new Map(accounts.map((account, index) => [account, index]))
  const days = [...new Set(given.map(({ trade }) => trade.tradingDay))].sort()
  const dayRank = new Map(days.map((day, index) => [day, index]))
  const keyed = given.map(({ trade, place }) => ({ trade, place, day: dayRank.get(trade.tradingDay) ?? 0, account: rank.get(trade.account) ?? 0 }))
  keyed.sort((one, other) => one.day - other.day || one.account - other.account || byContent(one.trade, other.trade))
  const inOrder = keyed.map(({ trade }) => trade)
  const size = inOrder.length
  const rootOf = remembering(wholeRootOf)
  const products = [...new Set(inOrder.map(({ symbol }) => rootOf(symbol)))].sort()
  const productRank = new Map(products.map((product, index) => [product, index]))
  const panel: Panel = {
    currency, size, trades: inOrder, days, accounts, products,
    given: Uint32Array.from(keyed, ({ place }) => place),
    net: Float64Array.from(inOrder, ({ netPnl }) => netPnl),
    gross: Float64Array.from(inOrder, ({ grossPnl }) => grossPnl),
    commission: Float64Array.from(inOrder, ({ commission }) => commission),
    scaled: new Float64Array(size),
    scaledGross: new Float64Array(size),
    day: Uint32Array.from(keyed, ({ day }) => day),
    account: Uint32Array.from(keyed, ({ account }) => account),
    product: Uint32Array.from(inOrder, ({ symbol }) => productRank.get(rootOf(symbol)) ?? 0),
    weekday: new Uint8Array(size),
    hour: new Uint8Array(size),
    dayShift: new Int32Array(size),
    held: Float64Array.from(inOrder, ({ entryTime, exitTime }) => Math.max(0, exitTime - entryTime)),
    contracts: Float64Array.from(inOrder, ({ quantity }) => Math.max(1, quantity)),
  }
  readClocks(panel, zone)
  scale(panel)
  return panel
}

const byContent = (one: ReportTrade, other: ReportTrade): number =>
  one.exitTime - other.exitTime || one.entryTime - other.entryTime || one.netPnl - other.netPnl || one.grossPnl - other.grossPnl || one.quantity - other.quantity || compareText(one.symbol, other.symbol) || compareText(one.side, other.side)

// Sorts accounts by their trades, with times from the first entry; names only break ties.
const rankedAccounts = (given: readonly Placed[]): readonly string[] => {
  const start = given.reduce((least, { trade }) => Math.min(least, trade.entryTime), Infinity)
  const marks = new Map<string, { count: number; net: number; mark: number }>()
  for (const { trade } of given) {
    const row = getOrInsert(marks, trade.account, () => ({ count: 0, net: 0, mark: 0 }))
    row.count += 1
    row.net += trade.netPnl
    row.mark = (row.mark + mixed(trade.entryTime - start, trade.exitTime - start, trade.netPnl, trade.quantity)) >>> 0
  }
  return [...marks].sort(([name, one], [otherName, other]) => one.count - other.count || one.net - other.net || one.mark - other.mark || compareText(name, otherName)).map(([name]) => name)
}

const mixed = (...numbers: readonly number[]): number => numbers.reduce((mark, number) => Math.imul(mark ^ (number | 0) ^ ((number / 4_294_967_296) | 0), 0x85eb_ca6b) ^ (mark >>> 13), 0x9e37_79b9)

const readClocks = ({ trades, days, day, weekday, hour, dayShift }: Panel, zone: string): void => {
  const dates = days.map(dayOfDate)
  for (const [index, { entryTime }] of trades.entries()) {
    const wall = wallClock(entryTime, zone)
    // 1 January 1970, day 0, was a Thursday.
    weekday[index] = (((wall.day + 3) % 7) + 7) % 7
    hour[index] = Math.floor(wall.wallTime / 3_600_000)
    dayShift[index] = wall.day - (dates[day[index] ?? 0] ?? 0)
  }
}

const scale = ({ size, accounts, products, account, product, net, gross, contracts, scaled, scaledGross }: Panel): void => {
  const cells = accounts.length * products.length
  const [moved, traded, count] = [new Float64Array(cells + products.length), new Float64Array(cells + products.length), new Float64Array(cells)]
  for (let index = 0; index < size; index += 1) {
    const own = (account[index] ?? 0) * products.length + (product[index] ?? 0)
    count[own] = (count[own] ?? 0) + 1
    for (const cell of [own, cells + (product[index] ?? 0)]) {
      moved[cell] = (moved[cell] ?? 0) + Math.abs(net[index] ?? 0)
      traded[cell] = (traded[cell] ?? 0) + (contracts[index] ?? 1)
    }
  }
  // If all results are equal, scaling would only show sizes: leave zeros.
  const [netVaries, grossVaries] = [net, gross].map((column) => column.some((made) => made !== column[0]))
  for (let index = 0; index < size; index += 1) {
    const own = (account[index] ?? 0) * products.length + (product[index] ?? 0)
    const cell = (count[own] ?? 0) < enoughForScale ? cells + (product[index] ?? 0) : own
    const usual = ((moved[cell] ?? 0) / (traded[cell] ?? 1) || 1) * (contracts[index] ?? 1)
    scaled[index] = netVaries === true ? (net[index] ?? 0) / usual : 0
    scaledGross[index] = grossVaries === true ? (gross[index] ?? 0) / usual : 0
  }
}
