import { addDays, sessionOpen, weekday } from './chicago.ts'
import { countsAt, type Ledger, type PairedFills } from './ledger.ts'
import { feePerContract, type FeeParts, type Product } from './products.ts'
import { centsOf, dollarMoney, durationText, localTime, noisyPrice, plainMoney, priceText, shortDate, utcTime, type ReportRows } from './report-text.ts'
import type { Account, Execution, Order } from './world.ts'

/** All that a broker knows of its past at a moment. */
export type Archive = {
  readonly now: number
  /** Trading days, oldest first. */
  readonly sessions: readonly string[]
  readonly orders: readonly Order[]
  readonly executions: readonly Execution[]
  readonly books: Ledger
}

/** A report of one account; both trading days belong to it, and `behind` is how many minutes the reader's clock is behind UTC. */
export type ReportOrder = { readonly account: Account; readonly from: string; readonly to: string; readonly behind: number }

const columns = (names: string): readonly string[] => names.split(',')
const formatOf = ({ priceFormat, tickUnits, tickScale }: Product): readonly string[] => [String(priceFormat), '0', String(tickUnits / tickScale)]
const sideOf = { Buy: ' Buy', Sell: ' Sell' } as const

const ownOf = <R extends { readonly accountId: number; readonly session: string }>(rows: readonly R[], { account, from, to }: ReportOrder): R[] =>
  rows.filter(({ accountId, session }) => accountId === account.id && session >= from && session <= to)

const performance = ({ books }: Archive, order: ReportOrder): ReportRows => [
  columns('symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'),
  ...ownOf(books.pairs, order).map(({ buy, sell, qty, gross }) => {
    const { name, product } = buy.contract
    const [bought, sold] = [localTime(buy.time, order.behind), localTime(sell.time, order.behind)]
    return [name, ...formatOf(product), String(buy.id), String(sell.id), String(qty), priceText(product, buy.ticks), priceText(product, sell.ticks), dollarMoney(centsOf(gross)), bought, sold, durationText(Math.abs(sell.time - buy.time))]
  }),
]

const fills = ({ executions, now }: Archive, order: ReportOrder): ReportRows => [
  columns('_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'),
  ...ownOf(executions, order)
    .filter(({ time }) => time <= now)
    .map((fill) => {
      const { id, orderId, contract, time, session, action, qty, ticks } = fill
      const { product } = contract
      const hidden = [String(id), String(orderId), String(contract.id), utcTime(time), session, action === 'Buy' ? '0' : '1', String(qty), noisyPrice(product, ticks), String(countsAt(fill, now)), String(order.account.id)]
      const shown = [String(id), String(orderId), localTime(time, order.behind), shortDate(session), order.account.name, sideOf[action], String(qty), priceText(product, ticks)]
      return [...hidden, ...shown, ...formatOf(product), contract.name, product.name, product.description, String((feePerContract(product) * qty) / 10_000)]
    }),
]

const orders = (archive: Archive, wish: ReportOrder): ReportRows => {
  const filled = Map.groupBy(archive.executions.filter((fill) => countsAt(fill, archive.now)), ({ orderId }) => orderId)
  return [
    columns('orderId,Account,Order ID,B/S,Contract,Product,Product Description,avgPrice,filledQty,Fill Time,lastCommandId,Status,_priceFormat,_priceFormatType,_tickSize,spreadDefinitionId,Version ID,Timestamp,Date,Quantity,Text,Type,Limit Price,Stop Price,decimalLimit,decimalStop,Filled Qty,Avg Fill Price,decimalFillAvg,Venue,Notional Value,Currency'),
    ...ownOf(archive.orders, wish)
      .filter(({ time }) => time <= archive.now)
      .map((order) => orderCells(order, filled.get(order.id) ?? [], archive.now, wish)),
  ]
}

const orderCells = (order: Order, own: readonly Execution[], now: number, { account, behind }: ReportOrder): string[] => {
  const { id, versionId, action, contract, session, qty, type, ticks, time } = order
  const { product } = contract
  const count = own.reduce((sum, fill) => sum + fill.qty, 0)
  const average = own.reduce((sum, fill) => sum + fill.ticks * fill.qty, 0) / count
  const last = own.at(-1)
  const [exact, shown, filledQty] = last === undefined ? ['', '', ''] : [noisyPrice(product, average), priceText(product, average), String(count)]
  const wanted = ticks === null ? '' : priceText(product, ticks)
  const [limit, stop] = type === 'Limit' ? [wanted, ''] : ['', wanted]
  const status = order.endsAt <= now ? order.outcome : 'Working'
  return [
    ...[String(id), account.name, String(id), sideOf[action], contract.name, product.name, product.description, exact, filledQty, last === undefined ? '' : localTime(last.time, behind)],
    ...[String(id), ` ${status}`, ...formatOf(product), '', String(versionId), localTime(time, behind), shortDate(session), String(qty), '', ` ${type}`],
    ...[limit, stop, limit, stop, filledQty, shown, exact, product.exchange, '', product.currency],
  ]
}

const feeTypes: readonly (readonly [part: keyof FeeParts, type: string])[] = [
  ['commission', 'Commission'], ['exchangeFee', 'Exchange Fee'], ['clearingFee', 'Clearing Fee'], ['nfaFee', 'Nfa Fee'], ['brokerageFee', 'Brokerage Fee'], ['orderRoutingFee', 'Order Routing Fee'],
]

type Movement = { readonly id: number; readonly time: number; readonly session: string; readonly currency: Product['currency']; readonly type: string; readonly cents: number; readonly contract: string }

/** What was booked for a fill: its fees, one by one, and what it brought with each pair that it closed. */
const movementsOf = (fill: Execution, closed: readonly PairedFills[]): Movement[] => {
  const { product, name } = fill.contract
  const common = { time: fill.time, session: fill.session, currency: product.currency, contract: name }
  const fees = feeTypes.filter(([part]) => product.fees[part] > 0)
  return [
    ...fees.map(([part, type], index) => ({ ...common, id: fill.id * 100 + index, type, cents: -centsOf(product.fees[part] * fill.qty) })),
    ...closed.map((pair) => ({ ...common, id: pair.id * 100, type: 'Trade Paired', cents: centsOf(pair.gross) })),
  ]
}

// Ids grow with the time, but for those of live orders, which lie beyond all others.
const closingOf = ({ buy, sell }: PairedFills): Execution => ((buy.time === sell.time ? buy.id > sell.id : buy.time > sell.time) ? buy : sell)

const ofAccount = ({ executions, books, now }: Archive, account: Account): Movement[] => {
  const closed = Map.groupBy(books.pairs.filter(({ accountId }) => accountId === account.id), (pair) => closingOf(pair).id)
  return executions.filter((fill) => fill.accountId === account.id && countsAt(fill, now)).flatMap((fill) => movementsOf(fill, closed.get(fill.id) ?? []))
}

/** An account's cash at the very beginning, in cents: what it holds before the first session of `known` less what was booked before. */
const beginnings = (account: Account, movements: readonly Movement[], known: string): ReadonlyMap<string, number> =>
  new Map(
    account.cash.map(({ currency, opening }) => {
      const before = movements.filter((each) => each.session < known && each.currency === currency)
      return [currency, centsOf(opening) - before.reduce((sum, { cents }) => sum + cents, 0)]
    }),
  )

const cashHistory = (archive: Archive, order: ReportOrder, known: string): ReportRows => {
  const { account, from, to, behind } = order
  const movements = ofAccount(archive, account)
  const [first = known] = archive.sessions
  const amounts = new Map<string, number>()
  const paidIn = [...beginnings(account, movements, known)].map(([currency, cents], index): Movement => ({
    ...{ id: account.id * 100 + index, time: sessionOpen(first), session: first, currency: currency as Product['currency'], type: 'Fund Transaction', cents, contract: '' },
  }))
  const rows = [...paidIn, ...movements].map(({ id, time, session, currency, type, cents, contract }) => {
    const amount = (amounts.get(currency) ?? 0) + cents
    amounts.set(currency, amount)
    return { session, cells: [account.name, String(id), localTime(time, behind), session, plainMoney(cents), plainMoney(amount), ` ${type}`, currency, contract] }
  })
  return [columns('Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'), ...rows.filter(({ session }) => session >= from && session <= to).map(({ cells }) => cells)]
}

/** Every day from the first session on, in the account's own currency; on weekends nothing moves. The fees of an opening are realized with its closing. */
const balanceHistory = (archive: Archive, order: ReportOrder, known: string): ReportRows => {
  const { account, from, to } = order
  const [first = known] = archive.sessions
  const last = archive.sessions.at(-1) ?? known
  const currency = account.cash[0]?.currency
  const movements = ofAccount(archive, account)
  const ofSession = Map.groupBy(movements.filter((each) => each.currency === currency), ({ session }) => session)
  const pairs = Map.groupBy(archive.books.pairs.filter((pair) => pair.accountId === account.id && pair.buy.contract.product.currency === currency), ({ session }) => session)
  const rows: string[][] = []
  let total = beginnings(account, movements, known).get(currency ?? '') ?? 0
  for (let day = first; day <= last && day <= to; day = addDays(day, 1)) {
    total += (ofSession.get(day) ?? []).reduce((sum, { cents }) => sum + cents, 0)
    const realized = (pairs.get(day) ?? []).reduce((sum, { gross, qty, buy }) => sum + centsOf(gross) - centsOf(feePerContract(buy.contract.product) * qty * 2), 0)
    if (day >= from) rows.push([String(account.id), account.name, day, plainMoney(total), isWeekend(day) ? '0.00' : plainMoney(realized)])
  }
  return [columns('Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL'), ...rows]
}

const isWeekend = (day: string): boolean => weekday(day) === 0 || weekday(day) === 6

/** The reports by name; `known` is the first session of which the account's opening cash is told. */
export const reports: Readonly<Record<string, (archive: Archive, order: ReportOrder, known: string) => ReportRows>> = {
  Performance: performance,
  Fills: fills,
  Orders: orders,
  'Cash History': cashHistory,
  'Account Balance History': balanceHistory,
}
