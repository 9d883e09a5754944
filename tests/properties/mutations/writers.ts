import { durationText, localText, ninjaTime, shortDate, utcText } from '#tests/helpers/exports/clock.ts'
import type { Draw } from '#tests/helpers/exports/draw.ts'
import { contractNumber, priceText, type Product } from '#tests/helpers/exports/products.ts'
import { bracketMoney, dollarMoney, doubleText, plainMoney, type Table } from '#tests/helpers/exports/table.ts'
import { fine } from './oracle.ts'
import { onlyOf, type Market, type MarketFill, type MarketPair } from './market.ts'
import { platformTable, type PlatformKind } from './platform-writers.ts'

/** The kinds of file that users export. */
export const kinds = ['fills', 'orders', 'performance', 'positions', 'cash', 'balances', 'grid'] as const
export type Kind = (typeof kinds)[number] | PlatformKind

/** A file as a user has it: `account` is whose it is where no column says so; `whole` is false where the export ends in the midst of a row. */
export type Draft = { readonly name: string; readonly kind: Kind; readonly table: Table; /** The header as the broker writes it. */ readonly head: Table['header']; readonly zone: string; readonly account: string | null; /** Whose the rows from a place on are, where files of several accounts were put into one. */ readonly parts?: readonly { readonly from: number; readonly account: string | null }[]; readonly lineEnd: '\n' | '\r\n'; readonly mark: boolean; readonly whole: boolean }

const columns = (names: string): readonly string[] => names.split(',')
const formatOf = (product: Product): readonly string[] => [String(-product.places), '0', product.tickSize]
const nameOf = ({ contract, root, description }: Product): readonly string[] => [contract, root, description]
// The broker's program multiplies doubles, and it shows.
const noisy = ({ tickSize }: Product, ticks: number): number => ticks * Number(tickSize)
const spelled = { buy: ' Buy', sell: ' Sell' } as const
const cents = (gross: bigint): bigint => gross / (100n * fine)
const sides = ({ open, close }: MarketPair): readonly [buy: MarketFill, sell: MarketFill] => (close.side === 'sell' ? [open, close] : [close, open])

type Within = (day: string) => boolean
type Hand = { readonly zone: string; readonly money: (cents: bigint) => string }

const fillsTable = ({ fills }: Market, within: Within, { zone }: Hand): Table => ({
  header: columns('_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'),
  rows: fills.filter(({ day }) => within(day)).map(({ id, orderId, product, of, time, side, qty, ticks, day, fees }) => [
    ...[id, orderId, contractNumber(product), utcText(time), day, side === 'buy' ? '0' : '1', String(qty), doubleText(noisy(product, ticks)), 'true', of.id],
    ...[id, orderId, localText(zone, time), shortDate(day), of.name, spelled[side], String(qty), priceText(product, ticks), ...formatOf(product), ...nameOf(product)],
    doubleText(fees.reduce((sum, [, fee]) => sum + Number(fee) / 100, 0)),
  ]),
})

const ordersTable = ({ orders }: Market, within: Within, { zone }: Hand): Table => ({
  header: columns('orderId,Account,Order ID,B/S,Contract,Product,Product Description,avgPrice,filledQty,Fill Time,lastCommandId,Status,_priceFormat,_priceFormatType,_tickSize,spreadDefinitionId,Version ID,Timestamp,Date,Quantity,Text,Type,Limit Price,Stop Price,decimalLimit,decimalStop,Filled Qty,Avg Fill Price,decimalFillAvg'),
  rows: orders.filter(({ fills }) => within(fills[0]?.day ?? '')).map(({ id, account, side, product, placedAt, fills }) => {
    const qty = String(fills.reduce((sum, fill) => sum + fill.qty, 0))
    const last = fills.at(-1)
    const average = noisy(product, fills.reduce((sum, fill) => sum + fill.sum, 0)) / Number(qty)
    return [id, account.name, id, spelled[side], ...nameOf(product), String(average), qty, localText(zone, last?.time ?? 0), id, ' Filled', ...formatOf(product), '', id, localText(zone, placedAt), shortDate(last?.day ?? ''), qty, 'Chart', ' Market', '', '', '', '', qty, average.toFixed(product.places), String(average)]
  }),
})

const performanceTable = (pairs: readonly MarketPair[], { zone }: Hand): Table => ({
  header: columns('symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'),
  rows: pairs.map((pair) => {
    const [buy, sell] = sides(pair)
    const { product } = buy
    return [product.contract, ...formatOf(product), buy.id, sell.id, String(pair.qty), priceText(product, buy.ticks), priceText(product, sell.ticks), dollarMoney(cents(pair.gross)), localText(zone, buy.time), localText(zone, sell.time), durationText(Math.abs(sell.time - buy.time))]
  }),
})

/** A position that is open at the end of what is exported: its pair fields are empty. */
const stillOpen = ({ fills }: Market, within: Within, zone: string): readonly (readonly string[])[] => {
  const seen = fills.filter(({ day }) => within(day))
  return [...Map.groupBy(seen, ({ account, contract }) => `${account} ${contract}`).values()].flatMap((own, index) => {
    const [last] = own.slice(-1)
    const held = fills.filter((fill) => fill.account === last?.account && fill.contract === last.contract && fill.time <= last.time)
    const net = held.reduce((sum, { side, qty }) => sum + (side === 'buy' ? qty : -qty), 0)
    if (last === undefined || net === 0) return []
    const { product, of, time, day, ticks } = last
    return [[String(429_000_000_000 + index), localText(zone, time), day, String(net), priceText(product, ticks), net > 0 ? String(net) : '0', '', net < 0 ? String(-net) : '0', '', of.name, ...nameOf(product), ...formatOf(product), '', '', '', '', '', '', '', '', '', '']]
  })
}

const positionsTable = (market: Market, within: Within, { zone, money }: Hand): Table => {
  const groups = [...Map.groupBy(market.pairs.filter(({ close }) => within(close.day)), ({ close }) => `${close.account} ${close.contract} ${close.day}`).values()]
  const average = (own: readonly MarketPair[], side: 0 | 1): string => (own.reduce((sum, pair) => sum + noisy(pair.close.product, sides(pair)[side].ticks) * pair.qty, 0) / own.reduce((sum, { qty }) => sum + qty, 0)).toFixed(2)
  return {
    header: columns('Position ID,Timestamp,Trade Date,Net Pos,Net Price,Bought,Avg. Buy,Sold,Avg. Sell,Account,Contract,Product,Product Description,_priceFormat,_priceFormatType,_tickSize,Pair ID,Buy Fill ID,Sell Fill ID,Paired Qty,Buy Price,Sell Price,P/L,Currency,Bought Timestamp,Sold Timestamp'),
    rows: [...groups.flatMap((own, index) => {
      const qty = String(own.reduce((sum, pair) => sum + pair.qty, 0))
      return own.map((pair) => {
        const [buy, sell] = sides(pair)
        const { product, of } = buy
        return [String(419_000_000_000 + index), localText(zone, own.at(-1)?.close.time ?? 0), pair.close.day, '0', '', qty, average(own, 0), qty, average(own, 1), of.name, ...nameOf(product), ...formatOf(product), pair.id, buy.id, sell.id, String(pair.qty), priceText(product, buy.ticks), priceText(product, sell.ticks), money(cents(pair.gross)), of.currency, localText(zone, buy.time), localText(zone, sell.time)]
      })
    }), ...stillOpen(market, within, zone)],
  }
}

const cashTable = ({ cash }: Market, within: Within, { zone, money }: Hand): Table => ({
  header: columns('Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'),
  rows: cash.filter(({ day }) => within(day)).map(({ id, of, time, day, type, cents: delta, amount, product }) => [of.name, id, localText(zone, time), day, money(delta), plainMoney(amount), ` ${type}`, of.currency, product?.contract ?? '']),
})

const balancesTable = ({ days }: Market, within: Within, { money }: Hand): Table => ({
  header: columns('Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL'),
  rows: days.filter(({ day }) => within(day)).map(({ of, day, total, realized }) => [of.id, of.name, day, plainMoney(total), money(realized)]),
})

const actionOf = (side: 'buy' | 'sell', before: number): string => (side === 'buy' ? (before < 0 ? 'BuyToCover' : 'Buy') : before > 0 ? 'Sell' : 'SellShort')

const gridTable = ({ fills }: Market, within: Within, { zone }: Hand, style: 'am-pm' | 'iso', spelledMonth: boolean, newestFirst: boolean): Table => {
  const held = new Map<string, number>()
  const rows = fills.map((fill) => {
    const { product, side, qty, ticks, orderId, of, time, fee, day } = fill
    const key = `${of.name} ${product.contract}`
    const before = held.get(key) ?? 0
    const after = before + (side === 'buy' ? qty : -qty)
    held.set(key, after)
    const position = after === 0 ? '-' : `${String(Math.abs(after))} ${after > 0 ? 'L' : 'S'}`
    return { day, row: [`${product.root} ${product.month[spelledMonth ? 0 : 1]}`, actionOf(side, before), String(qty), priceText(product, ticks), ninjaTime(zone, time, style), `${fill.id}_1`, Math.abs(after) > Math.abs(before) ? 'Entry' : 'Exit', position, orderId, 'Entry', dollarMoney(fee / 100n), '1', of.name, 'Apex', ''] }
  })
  const shown = rows.filter(({ day }) => within(day)).map(({ row }) => row)
  return { header: columns('Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,'), rows: newestFirst ? shown.reverse() : shown }
}

const nameless: readonly Kind[] = ['performance', 'topstepx', 'tradingview']

/** Writes files of these kinds, each whole or (`cut`) as two exports whose periods overlap. */
export const writeFiles = (draw: Draw, market: Market, wanted: readonly Kind[], zone: string, cut: boolean): readonly Draft[] => {
  const hand: Hand = { zone, money: draw.pick([plainMoney, dollarMoney, bracketMoney]) }
  const [lineEnd, mark] = [draw.pick(['\r\n', '\n'] as const), draw.chance(0.3)]
  const [style, spelledMonth, newestFirst] = [draw.pick(['am-pm', 'iso'] as const), draw.chance(0.5), draw.chance(0.5)]
  const { sessions } = market
  const until = draw.between(0, sessions.length - 2)
  const from = draw.between(0, until + 1)
  const windows: readonly Within[] = cut ? [(day) => day <= (sessions[until] ?? ''), (day) => day >= (sessions[from] ?? '')] : [() => true]
  const tableOf = (kind: Kind, within: Within, of: Market): Table => {
    switch (kind) {
      case 'performance': return performanceTable(of.pairs.filter(({ close }) => within(close.day)), hand)
      case 'topstepx': case 'ninja': case 'rithmic': case 'sierra': case 'tradingview': case 'quantower': case 'atas': case 'mapped-fills': case 'mapped-trades': return platformTable(kind, of, within, zone)
      case 'fills': return fillsTable(market, within, hand)
      case 'orders': return ordersTable(market, within, hand)
      case 'positions': return positionsTable(market, within, hand)
      case 'cash': return cashTable(market, within, hand)
      case 'balances': return balancesTable(market, within, hand)
      case 'grid': return gridTable(market, within, hand, style, spelledMonth, newestFirst)
    }
  }
  return wanted.flatMap((kind) => {
    const tables = windows.flatMap((within): readonly { table: Table; account: string | null }[] => {
      if (!nameless.includes(kind)) return [{ table: tableOf(kind, within, market), account: null }]
      return market.accounts.map((account) => ({ account: account.name, table: tableOf(kind, within, onlyOf(market, account)) }))
    })
    return tables.filter(({ table }) => table.rows.length > 0).map(({ table, account }, index): Draft => ({ name: `${kind}-${String(index + 1)}.csv`, kind, table, head: table.header, zone, account, lineEnd, mark, whole: true }))
  })
}
