import { durationText, localText, shortDate, utcText } from './clock.ts'
import { contractNumber, priceText, type Product } from './products.ts'
import { bracketMoney, dollarMoney, doubleText, plainMoney, type Table } from './table.ts'
import type { OpenPosition, TrueCash, TrueDay, TruePair } from './truth.ts'
import type { TrueFill, TrueOrder } from './world.ts'

/** In which zone the exporting user lives, and how the broker's program wrote that day. */
export type Hand = { readonly zone: string; readonly money: 'plain' | 'dollars' | 'brackets'; /** Exports of 2026 have three more columns in Orders. */ readonly year2026: boolean }

const moneyText = { plain: plainMoney, dollars: dollarMoney, brackets: bracketMoney }
const spelled = { buy: ' Buy', sell: ' Sell' } as const
const formatOf = (product: Product): readonly string[] => [String(-product.places), '0', product.tickSize]
const nameOf = (product: Product): readonly string[] => [product.contract, product.root, product.description]
// The broker's program multiplies doubles, and it shows.
const noisy = ({ tickSize }: Product, ticks: number): number => ticks * Number(tickSize)
const columns = (names: string): readonly string[] => names.split(',')

/** The Performance report of one account: no column names it. */
export const performanceTable = (pairs: readonly TruePair[], { zone }: Hand): Table => ({
  header: columns('symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'),
  rows: pairs.map(({ product, buy, sell, qty, cents }) => [
    product.contract,
    ...formatOf(product),
    buy.id,
    sell.id,
    String(qty),
    priceText(product, buy.ticks),
    priceText(product, sell.ticks),
    dollarMoney(cents),
    localText(zone, buy.time),
    localText(zone, sell.time),
    durationText(Math.abs(sell.time - buy.time)),
  ]),
})

/** The Position History: a row for each pair under the position of its contract and session, and one for each position still open. */
export const positionHistoryTable = (pairs: readonly TruePair[], open: readonly OpenPosition[], lastDate: string, { zone, money }: Hand): Table => {
  const average = (side: 'buy' | 'sell', own: readonly TruePair[]): string => {
    const qty = own.reduce((sum, pair) => sum + pair.qty, 0)
    const first = own[0]
    return first === undefined ? '' : (own.reduce((sum, pair) => sum + noisy(first.product, pair[side].ticks) * pair.qty, 0) / qty).toFixed(2)
  }
  const positions = Map.groupBy(pairs, ({ account, product, bookedOn }) => `${account.id} ${product.contract} ${bookedOn}`)
  const closed = [...positions.values()].flatMap((own, index) =>
    own.map((pair) => {
      const qty = String(own.reduce((sum, each) => sum + each.qty, 0))
      const { account, product, buy, sell } = pair
      return [String(419_000_000_000 + index), localText(zone, own.at(-1)?.closing.time ?? 0), pair.bookedOn, '0', '', qty, average('buy', own), qty, average('sell', own), account.name, ...nameOf(product), ...formatOf(product), pair.id, buy.id, sell.id, String(pair.qty), priceText(product, buy.ticks), priceText(product, sell.ticks), moneyText[money](pair.cents), account.currency, localText(zone, buy.time), localText(zone, sell.time)]
    }),
  )
  const stillOpen = open.map(({ account, product, net }, index) => [String(429_000_000_000 + index), `${lastDate.slice(5, 7)}/${lastDate.slice(8)}/${lastDate.slice(0, 4)} 10:00:00`, lastDate, String(net), priceText(product, product.around), net > 0 ? String(net) : '0', '', net < 0 ? String(-net) : '0', '', account.name, ...nameOf(product), ...formatOf(product), '', '', '', '', '', '', '', '', '', ''])
  return {
    header: columns('Position ID,Timestamp,Trade Date,Net Pos,Net Price,Bought,Avg. Buy,Sold,Avg. Sell,Account,Contract,Product,Product Description,_priceFormat,_priceFormatType,_tickSize,Pair ID,Buy Fill ID,Sell Fill ID,Paired Qty,Buy Price,Sell Price,P/L,Currency,Bought Timestamp,Sold Timestamp'),
    rows: [...closed, ...stillOpen],
  }
}

/** The Fills report, busted ones included. */
export const fillsTable = (fills: readonly TrueFill[], { zone }: Hand): Table => ({
  header: columns('_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'),
  rows: fills.map(({ id, order, product, account, time, side, qty, ticks, busted, bookedOn, fees }) => [
    id,
    order.id,
    contractNumber(product),
    utcText(time),
    bookedOn,
    side === 'buy' ? '0' : '1',
    String(qty),
    doubleText(noisy(product, ticks)),
    String(!busted),
    account.id,
    id,
    order.id,
    localText(zone, time),
    shortDate(bookedOn),
    account.name,
    spelled[side],
    String(qty),
    priceText(product, ticks),
    ...formatOf(product),
    ...nameOf(product),
    // Added up kind by kind in doubles.
    doubleText(fees.reduce((sum, [, cents]) => sum + Number(cents) / 100, 0)),
  ]),
})

/** The Orders report: of every order, whatever became of it. */
export const ordersTable = (orders: readonly TrueOrder[], { zone, year2026 }: Hand): Table => ({
  header: columns(`orderId,Account,Order ID,B/S,Contract,Product,Product Description,avgPrice,filledQty,Fill Time,lastCommandId,Status,_priceFormat,_priceFormatType,_tickSize,spreadDefinitionId,Version ID,Timestamp,Date,Quantity,Text,Type,Limit Price,Stop Price,decimalLimit,decimalStop,Filled Qty,Avg Fill Price,decimalFillAvg${year2026 ? ',Venue,Notional Value,Currency' : ''}`),
  rows: orders.map(({ id, account, side, product, placedAt, status, qty, type, fills }) => {
    const good = fills.filter(({ busted }) => !busted)
    const filled = good.reduce((sum, fill) => sum + fill.qty, 0)
    const last = good.at(-1)
    const average = last === undefined ? null : noisy(product, good.reduce((sum, fill) => sum + fill.ticks * fill.qty, 0)) / filled
    const limit = type === 'Market' ? '' : priceText(product, good[0]?.ticks ?? product.around)
    const [limits, stops] = type === 'Limit' ? [limit, ''] : ['', limit]
    const shown = average === null ? ['', '', ''] : [String(filled), average.toFixed(product.places), String(average)]
    const rest = year2026 ? ['', average === null ? '' : plainMoney(BigInt(Math.round(average * filled * 100))), account.currency] : []
    return [id, account.name, id, spelled[side], ...nameOf(product), average === null ? '' : String(average), average === null ? '' : String(filled), last === undefined ? '' : localText(zone, last.time), id, ` ${status}`, ...formatOf(product), '', id, localText(zone, placedAt), shortDate(last?.bookedOn ?? '2026-01-02'), String(qty), 'multibracket', ` ${type}`, limits, stops, limits, stops, ...shown, ...rest]
  }),
})

/** The Cash History; `names` chooses the Contract column of fee rows: the contract, or only its product. */
export const cashTable = (cash: readonly TrueCash[], { zone, money }: Hand, names: 'contract' | 'product'): Table => ({
  header: columns('Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'),
  rows: cash.map(({ id, account, time, bookedOn, type, cents, amount, product, fill }) => [
    account.name,
    id,
    localText(zone, time),
    bookedOn,
    moneyText[money](cents),
    plainMoney(amount),
    ` ${type}`,
    account.currency,
    product === null ? '' : fill !== null && names === 'product' ? product.root : product.contract,
  ]),
})

/** Where the fees of an opening stand that was closed in a later session: with the closing, or where they were charged. */
export type NightFees = 'with-closing' | 'with-opening'

/** The Account Balance History of these days. */
export const balanceTable = (days: readonly TrueDay[], { money }: Hand, nightFees: NightFees = 'with-closing'): Table => ({
  header: columns('Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL'),
  rows: days.map(({ account, date, total, realized, change }) => [account.id, account.name, date, plainMoney(total), moneyText[money](nightFees === 'with-closing' ? realized : change)]),
})
