import type { DryRunAnswer } from '#shared/api/copier.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Side } from '#shared/fills/fill.ts'
import { contractSpecOf, specInTicks, type TickValue } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addAmounts, amountOf, exactMoney, multiplyDivide, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { parsePrice } from '#shared/money/price.ts'
import { familyOf } from './contract-match.ts'

/** A market order that a dry run would have sent, oldest first. `run`: its positions begin flat; `runEnded`: it sends no more orders. `price`: the leader's, null if no leader fill caused it. */
export type DryOrder = {
  readonly run: string
  readonly runEnded: boolean
  readonly at: number
  readonly account: string
  readonly contract: string
  readonly side: Side
  readonly qty: number
  readonly leaderContract: string
  readonly price: string | null
}

/**
 * The commission of a contract in an account, `fee` for `qty` contracts of one side: the user's own rate, or what the broker last charged this account or a
 * related one, of the same login or firm. Null where the contract table's counts.
 */
export type DryRunFees = (account: string, contract: string) => { readonly fee: Amount; readonly qty: number; readonly currency: Currency; readonly from: 'own' | 'account' | 'related' } | null

// Fine enough for every contract's ticks, so that prices of a micro and its full-size contract share one scale.
const fineTick = '0.00000001'

type Lot = { qty: number; readonly sign: 1 | -1; readonly price: number | null }
type Holding = { readonly lots: Lot[]; lastPrice: number | null }
type Money = { readonly currency: string; gross: Amount; fees: Amount }
type DryRunLine = { readonly day: string; readonly follower: string; readonly contract: string; orders: number; bought: number; sold: number; readonly money: Money }

/**
 * What the followers of dry runs would have traded on each trading day from `from` on, with its P&L: each order fills
 * completely at the leader's price, first in, first out, less commissions. An order that no leader fill caused fills at
 * the last price before it.
 */
export const dryRunReport = (orders: readonly DryOrder[], { from, feeOf }: { readonly from: string; readonly feeOf: DryRunFees }): DryRunAnswer => {
  const holdings = new Map<string, Holding & Pick<DryOrder, 'account' | 'contract' | 'runEnded'>>()
  const lines = new Map<string, DryRunLine>()
  const feesFrom: Record<FeeSource, Set<string>> = { own: new Set(), account: new Set(), related: new Set(), table: new Set(), unknown: new Set() }
  let assumed = 0
  let unpriced = 0
  for (const order of orders) {
    const { run, runEnded, at, account, contract, side, qty } = order
    const day = tradingDay(at)
    const tickValue = fineTickValue(contract)
    const held = getOrInsert(holdings, `${run} ${account} ${contract}`, () => ({ account, contract, runEnded, lots: [], lastPrice: null }))
    const priced = tickValue === null ? null : priceOf(order)
    const price = priced ?? (order.price === null ? held.lastPrice : null)
    held.lastPrice = price ?? held.lastPrice
    const { gross, missed } = trade(held.lots, { sign: side === 'buy' ? 1 : -1, qty, price }, tickValue)
    // Earlier orders only open positions.
    if (day < from) continue
    const fee = feeFor(feeOf, account, contract)
    feesFrom[fee.from].add(contract)
    if (priced === null && price !== null) assumed += 1
    unpriced += missed
    const line = getOrInsert(lines, `${day} ${account} ${contract}`, () => {
      const money = { currency: contractSpecOf(contract).currency, gross: zero, fees: zero }
      return { day, follower: account, contract, orders: 0, bought: 0, sold: 0, money }
    })
    line.orders += 1
    if (side === 'buy') line.bought += qty
    else line.sold += qty
    line.money.gross = addAmounts(line.money.gross, gross)
    line.money.fees = addAmounts(line.money.fees, multiplyDivide(fee.fee, qty, 1, fee.qty))
  }
  const all = [...lines.values()].toSorted((one, other) => compareText(other.day, one.day) || compareText(one.follower, other.follower) || compareText(one.contract, other.contract))
  const open = [...holdings.values()]
    .filter(({ lots }) => lots.length > 0)
    .map(({ account, contract, runEnded, lots }) => ({ follower: account, contract, net: lots.reduce((sum, lot) => sum + lot.sign * lot.qty, 0), runEnded }))
  return {
    days: [...Map.groupBy(all, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      ...sumOf(ofDay),
      lines: ofDay.map(({ follower, contract, orders: count, bought, sold, money }) => ({ follower, contract, orders: count, bought, sold, ...shown(money) })),
    })),
    total: sumOf(all),
    open,
    assumed,
    unpriced,
    feesFrom: { own: named(feesFrom.own), account: named(feesFrom.account), related: named(feesFrom.related), table: named(feesFrom.table), unknown: named(feesFrom.unknown) },
  }
}

type FeeSource = keyof DryRunAnswer['feesFrom']

const named = (contracts: ReadonlySet<string>): string[] => [...contracts].toSorted(compareText)

/** The value of a fine tick of a contract; null if its point value is unknown. */
const fineTickValue = (contract: string): TickValue | null => {
  const spec = contractSpecOf(contract)
  return spec.source === 'unknown' || !spec.rootIsWhole ? null : (specInTicks(spec, fineTick)?.tickValue ?? null)
}

/** The leader's price in fine ticks; null if the follower's contract is in another market, where the price means nothing. */
const priceOf = ({ price, leaderContract, contract }: DryOrder): number | null => {
  if (price === null || familyOf(leaderContract) !== familyOf(contract)) return null
  const parsed = parsePrice(price, fineTick)
  return parsed.ok ? parsed.value : null
}

/** Closes opposite lots, first in, first out, and opens the rest; `missed` are contracts closed without both prices. */
const trade = (lots: Lot[], { sign, qty, price }: Lot, tickValue: TickValue | null): { readonly gross: Amount; readonly missed: number } => {
  let left = qty
  let gross = zero
  let missed = 0
  for (let lot = lots[0]; left > 0 && lot !== undefined && lot.sign !== sign; lot = lots[0]) {
    const closed = Math.min(left, lot.qty)
    if (price === null || lot.price === null || tickValue === null) missed += closed
    else gross = addAmounts(gross, multiplyDivide((price - lot.price) * lot.sign, closed, tickValue.num, tickValue.den))
    left -= closed
    lot.qty -= closed
    if (lot.qty === 0) lots.shift()
  }
  if (left > 0) lots.push({ qty: left, sign, price })
  return { gross, missed }
}

const feeFor = (feeOf: DryRunFees, account: string, contract: string): { readonly fee: Amount; readonly qty: number; readonly from: FeeSource } => {
  const { currency, feePerSide } = contractSpecOf(contract)
  const known = feeOf(account, contract)
  if (known?.currency === currency) return known
  return { fee: feePerSide, qty: 1, from: feePerSide > 0 ? 'table' : 'unknown' }
}

const shown = ({ currency, gross, fees }: Money): { currency: string; gross: string; fees: string; net: string } => ({ currency, gross: exactMoney(gross), fees: exactMoney(fees), net: exactMoney(amountOf(gross - fees)) })

const sumOf = (lines: readonly DryRunLine[]): DryRunAnswer['total'] => {
  const sums = new Map<string, Money>()
  for (const { money } of lines) {
    const sum = getOrInsert(sums, money.currency, () => ({ currency: money.currency, gross: zero, fees: zero }))
    sum.gross = addAmounts(sum.gross, money.gross)
    sum.fees = addAmounts(sum.fees, money.fees)
  }
  return {
    orders: lines.reduce((sum, { orders }) => sum + orders, 0),
    contracts: lines.reduce((sum, { bought, sold }) => sum + bought + sold, 0),
    money: [...sums.values()].toSorted((one, other) => compareText(one.currency, other.currency)).map(shown),
  }
}
