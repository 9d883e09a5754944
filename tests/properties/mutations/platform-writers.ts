import type { FormatField, ImportFormat } from '#shared/imports/mapped-format.ts'
import { localText, ninjaTime } from '#tests/helpers/exports/clock.ts'
import { priceText, type Product } from '#tests/helpers/exports/products.ts'
import { plainMoney, type Table } from '#tests/helpers/exports/table.ts'
import { wallOf } from './cells.ts'
import type { Market, MarketFill, MarketPair } from './market.ts'
import { fine } from './oracle.ts'

/** The kinds of file that other platforms export, and those that are read by a format of the user's own. */
export const platformKinds = ['topstepx', 'ninja', 'rithmic', 'sierra', 'tradingview', 'quantower', 'atas', 'mapped-fills', 'mapped-trades'] as const
export type PlatformKind = (typeof platformKinds)[number]

const mappedColumns = {
  fills: { Account: 'account', When: 'time', What: 'symbol', Way: 'side', Lots: 'quantity', At: 'price', Cost: 'negativeFee', Execution: 'fillId' },
  trades: { Account: 'account', What: 'symbol', Way: 'side', Lots: 'quantity', In: 'entryTime', Out: 'exitTime', 'Entered at': 'entryPrice', 'Left at': 'exitPrice', 'After costs': 'netPnl', Cost: 'fee', Session: 'tradingDay' },
} as const satisfies Record<ImportFormat['rows'], Readonly<Record<string, FormatField>>>
const headerOf = (mapped: Readonly<Record<string, FormatField>>): readonly string[] => Object.keys(mapped)

/** The formats of the user's own that files of a kind are read by. */
export const formatsOf: Partial<Readonly<Record<string, ImportFormat>>> = Object.fromEntries((['fills', 'trades'] as const).map((rows): [string, ImportFormat] => [`mapped-${rows}`, {
  fillbook: 'import-format', version: 1, name: 'Mine', rows, dates: null, decimals: null, symbols: [],
  columns: Object.entries(mappedColumns[rows]).map(([header, field]) => ({ header, field })),
  sides: [{ word: 'kauf', side: 'buy' }, { word: 'verkauf', side: 'sell' }, { word: 'long', side: 'buy' }, { word: 'short', side: 'sell' }],
}]))

const columns = (names: string): readonly string[] => names.split(',')
const cents = (amount: bigint): bigint => amount / (100n * fine)
const money = (amount: bigint): string => plainMoney(cents(amount)).replaceAll(',', '')

/** `01/05/2026 09:31:00 -05:00` */
const offsetText = (zone: string, time: number): string => {
  const wall = localText(zone, time)
  const minutes = Math.round(((wallOf(wall) ?? 0) - Math.floor(time / 1000) * 1000) / 60_000)
  const size = Math.abs(minutes)
  return `${wall} ${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
}

const american = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
const isoText = (zone: string, time: number): string => ninjaTime(zone, time, 'iso')
const spanText = (ms: number): string => `${ms < 86_400_000 ? '' : `${String(Math.floor(ms / 86_400_000))}.`}${new Date(ms).toISOString().slice(11, 23)}`
const nineOf = (product: Product, ticks: number): string => Number(priceText(product, ticks)).toFixed(9)
const inDollars = (amount: bigint): string => (amount < 0n ? `(${'$'}${money(-amount)})` : `${'$'}${money(amount)}`)

const topstepxRow = (zone: string) => ({ id, open, close, qty, gross, fees }: MarketPair): readonly string[] => [
  ...[id, close.product.contract, offsetText(zone, open.time), offsetText(zone, close.time), nineOf(close.product, open.ticks), nineOf(close.product, close.ticks)],
  ...[money(fees / 2n), money(gross), String(qty), open.side === 'buy' ? 'Long' : 'Short', `${american(close.day)} 00:00:00 -06:00`, spanText(close.time - open.time), money(fees - (fees / 2n / (100n * fine)) * 100n * fine)],
]

const ninjaRow = (zone: string) => (pair: MarketPair, index: number, all: readonly MarketPair[]): readonly string[] => {
  const { open, close, qty, gross, fees } = pair
  const net = gross - fees
  const total = all.slice(0, index + 1).reduce((sum, one) => sum + one.gross - one.fees, 0n)
  return [String(index + 1), `${close.product.root} ${close.product.month[0]}`, close.of.name, '', open.side === 'buy' ? 'Long' : 'Short', String(qty), priceText(close.product, open.ticks), priceText(close.product, close.ticks), ninjaTime(zone, open.time, 'am-pm'), ninjaTime(zone, close.time, 'am-pm'), 'Entry', 'Exit', inDollars(net), inDollars(total), inDollars(fees), '']
}

const atasRow = (zone: string) => ({ open, close, qty, gross }: MarketPair): readonly string[] => {
  const volume = open.side === 'buy' ? qty : -qty
  return [close.of.name, `${close.product.contract}@CME`, isoText(zone, open.time), priceText(close.product, open.ticks), String(volume), isoText(zone, close.time), priceText(close.product, close.ticks), String(-volume), money(gross), '']
}

const averageOf = ({ product, fills }: Market['orders'][number]): string => String((fills.reduce((sum, fill) => sum + fill.sum, 0) * Number(product.tickSize)) / fills.reduce((sum, { qty }) => sum + qty, 0))

// In the middle of the year and in winter alike, as a header of one day can be.
const abbreviated = 'America/Chicago'
const abbreviationAt = (time: number): string => ((wallOf(localText(abbreviated, time)) ?? 0) - Math.floor(time / 1000) * 1000 === -5 * 3_600_000 ? 'CDT' : 'CST')
const plainIso = (time: number, hours: number): string => new Date(time + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Positions after each fill. */
const heldAfter = (fills: readonly MarketFill[]): ReadonlyMap<MarketFill, number> => {
  const held = new Map<string, number>()
  return new Map(fills.map((fill) => {
    const key = `${fill.account} ${fill.contract}`
    held.set(key, (held.get(key) ?? 0) + (fill.side === 'buy' ? fill.qty : -fill.qty))
    return [fill, held.get(key) ?? 0]
  }))
}

const long = (contract: string): string => contract.replace(/6$/, '26')
const spelled = { buy: 'Buy', sell: 'Sell' } as const

/** Writes what another platform exports of a market. */
export const platformTable = (kind: PlatformKind, market: Market, within: (day: string) => boolean, zone: string): Table => {
  const pairs = market.pairs.filter(({ close }) => within(close.day))
  const fills = market.fills.filter(({ day }) => within(day))
  const orders = market.orders.filter((order) => order.fills.length > 0 && within(order.fills[0]?.day ?? ''))
  switch (kind) {
    case 'topstepx': return { header: columns('Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay,TradeDuration,Commissions'), rows: pairs.map(topstepxRow(zone)) }
    case 'ninja': return { header: columns('Trade number,Instrument,Account,Strategy,Market pos.,Qty,Entry price,Exit price,Entry time,Exit time,Entry name,Exit name,Profit,Cum. net profit,Commission,'), rows: pairs.map(ninjaRow(zone)) }
    case 'atas': return { header: columns('Account,Instrument,Open time,Open price,Open volume,Close time,Close price,Close volume,PnL,Comment'), rows: pairs.map(atasRow(zone)) }
    case 'rithmic': {
      const name = abbreviationAt(orders[0]?.placedAt ?? 0)
      const hours = name === 'CDT' ? -5 : -6
      return { header: columns(`Account,Status,Buy/Sell,Qty To Fill,Symbol,Price Type,Avg Fill Price,Order Number,Update Time (${name}),Qty Filled,Create Time (${name}),Commission Fill Rate`), rows: orders.map((order) => {
        const qty = order.fills.reduce((sum, fill) => sum + fill.qty, 0)
        const fee = order.fills.reduce((sum, fill) => sum + fill.fee, 0n)
        return [order.account.name, 'Filled', order.side === 'buy' ? 'B' : 'S', String(qty), order.product.contract, 'M', averageOf(order), order.id, plainIso(order.fills.at(-1)?.time ?? 0, hours), String(qty), plainIso(order.placedAt, hours), money((fee * fine) / BigInt(qty))]
      }) }
    }
    case 'tradingview': return { header: columns('Symbol,Side,Type,Quantity,Limit price,Stop price,Fill price,Status,Commission,Placing time,Closing time,Order ID,Level ID,Leverage,Margin'), rows: orders.map((order) => [`CME:${order.product.root}${order.product.contract.slice(order.product.root.length, -1)}2026`, spelled[order.side], 'Market', String(order.fills.reduce((sum, fill) => sum + fill.qty, 0)), '', '', averageOf(order), 'Filled', '', isoText(zone, order.placedAt), isoText(zone, order.fills.at(-1)?.time ?? 0), order.id, '', '20:1', '']) }
    case 'sierra': {
      const held = heldAfter(market.fills)
      return { header: columns('ActivityType,DateTime,TransDateTime,Symbol,InternalOrderID,OrderType,Quantity,BuySell,FillPrice,FilledQuantity,TradeAccount,OpenClose,PositionQuantity,FillExecutionServiceID'), rows: fills.map((fill) => {
        const at = new Date(fill.time).toISOString().replace('T', '  ').replace('Z', '000')
        return ['Fills', at, at, long(fill.contract), fill.orderId, 'Market', String(fill.qty), spelled[fill.side], priceText(fill.product, fill.ticks), String(fill.qty), fill.of.name, 'Open', (held.get(fill) ?? 0) === 0 ? '' : String(held.get(fill)), `${fill.id}.1`]
      }) }
    }
    case 'mapped-fills': return { header: headerOf(mappedColumns.fills), rows: fills.map((fill) => [fill.of.name, isoText(zone, fill.time), fill.product.contract, fill.side === 'buy' ? 'Kauf' : 'Verkauf', String(fill.qty), priceText(fill.product, fill.ticks), `-${money(fill.fee * fine)}`, fill.id]) }
    case 'mapped-trades': return { header: headerOf(mappedColumns.trades), rows: pairs.map(({ open, close, qty, gross, fees }) => [close.of.name, close.product.contract, open.side === 'buy' ? 'Long' : 'Short', String(qty), isoText(zone, open.time), isoText(zone, close.time), priceText(close.product, open.ticks), priceText(close.product, close.ticks), money(gross - fees), money(fees), close.day]) }
    case 'quantower': return { header: columns('Account,Date/Time,Symbol,Description,Symbol type,Expiration date,Strike price,Side,Order type,Quantity,Price,Gross P/L,Fee,Net P/L,Trade value,Trade ID,Order ID,Connection name'), rows: fills.map((fill) => {
      const gross = market.pairs.filter(({ close }) => close === fill).reduce((sum, pair) => sum + pair.gross, 0n)
      const fee = fill.fee * fine
      return [fill.of.name, ninjaTime(zone, fill.time, 'am-pm'), long(fill.contract), fill.product.description, 'Futures', '', '0', spelled[fill.side], 'Market', String(fill.side === 'buy' ? fill.qty : -fill.qty), priceText(fill.product, fill.ticks), money(gross), money(fee), money(gross - fee), '0', fill.id, fill.orderId, 'Sim']
    }).reverse() }
  }
}
