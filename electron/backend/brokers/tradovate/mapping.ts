import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import type { OrderStep, WorkedOrder } from '#shared/fills/worked-order.ts'
import { deliveredContract } from '#shared/imports/contract-code.ts'
import { brokerContractSpec, contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { addCurrencyAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { parseCurrency, type Amount, type Currency, addAmounts, numberedCurrency, parseAmount, zero } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import type { BrokerPair, BrokerPosition } from '#shared/sync/holdings.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { CashBalanceRow, ContractRow, CurrencyRow, FillFeeRow, FillPairRow, WireFill, MaturityRow, OrderRow, PositionRow, ProductRow, RefusalReason, RefusedRow, ExecutionReportRow, OrderVersionRow } from './wire.ts'

/** One execution ready to store, with its origin. */
export type BrokerFill = Fill & {
  readonly orderId: number
  readonly contractId: number
  /** The broker's session, `YYYY-MM-DD`. */
  readonly tradeDate: string
}

/** The cash of one account in one currency. */
export type BrokerBalance = {
  readonly account: AccountKey
  readonly currency: Currency
  /** UTC milliseconds. */
  readonly time: number
  readonly tradeDate: string
  readonly amount: Amount
  readonly realizedPnl: Amount | null
  readonly startOfDay: Amount | null
}

/** All answers of one broker side in one run, with the previously known contracts. */
export type SessionRows = {
  readonly environment: Environment
  /** By the broker's contract id; a row of `contracts` replaces one. */
  readonly known?: ReadonlyMap<number, ContractSpec>
  readonly fills: readonly WireFill[]
  readonly orders: readonly OrderRow[]
  /** Accounts of fills without a known order, by fill id. */
  readonly accountOfFill?: ReadonlyMap<number, number>
  readonly fees: readonly FillFeeRow[]
  readonly contracts: readonly ContractRow[]
  readonly maturities: readonly MaturityRow[]
  readonly products: readonly ProductRow[]
  readonly currencies: readonly CurrencyRow[]
}

/** Fills to store, their contracts, and the rejected rows. */
export type MappedSession = {
  readonly fills: readonly BrokerFill[]
  /** One per contract with fills: the broker's figures if its product is known, otherwise the table's. */
  readonly specs: readonly ContractSpec[]
  readonly refused: readonly RefusedRow[]
  /** Known contracts, by broker id. */
  readonly contracts: ReadonlyMap<number, ContractSpec>
  /** Accounts with a rejected fill, and whether one of an unknown account was rejected. */
  readonly refusedOf: ReadonlySet<AccountKey>
  readonly refusedOfAny: boolean
}

/** Balances to store, and the rejected rows. */
export type MappedBalances = { readonly balances: readonly BrokerBalance[]; readonly refused: readonly RefusedRow[] }

/** The journal's key of a brokerage account. */
export const accountKey = (environment: Environment, accountId: number): AccountKey => `tradovate:${environment}:${String(accountId)}` as AccountKey

const byId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> => new Map(rows.map((row) => [row.id, row]))

/** A session date of the broker as `YYYY-MM-DD`. */
export const dayOf = ({ year, month, day }: WireFill['tradeDate']): string => `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const sides = new Map<string, Fill['side']>([['Buy', 'buy'], ['Sell', 'sell']])

/** Currencies by broker id. */
export const readCurrencies = (rows: readonly CurrencyRow[]): Map<number, Currency> =>
  new Map(rows.flatMap(({ id, name }) => {
    const currency = parseCurrency(name)
    return currency === null ? [] : [[id, currency] as const]
  }))

type FillAccount = { readonly id: number; readonly key: AccountKey }

/** A fill's account, by its order or otherwise; keys are cached, since accounts are few. */
const accountsOf = ({ environment, orders, accountOfFill = new Map() }: SessionRows): ((fill: WireFill) => FillAccount | undefined) => {
  const ids = new Set([...orders.map((order) => order.accountId), ...accountOfFill.values()])
  const accounts = new Map([...ids].map((id) => [id, { id, key: accountKey(environment, id) }]))
  const ofOrders = new Map(orders.map(({ id, accountId }) => [id, accountId]))
  return ({ id, orderId }) => {
    const account = ofOrders.get(orderId) ?? accountOfFill.get(id)
    return account === undefined ? undefined : accounts.get(account)
  }
}

/** Contracts by broker id; one with an unknown product keeps its known figures, otherwise it gets Fillbook's own. */
const readSpecs = ({ known = new Map(), contracts, maturities, products, currencies }: SessionRows): Map<number, ContractSpec> => {
  const maturityOf = byId(maturities)
  const productOf = byId(products)
  const currencyOf = readCurrencies(currencies)
  const specOf = (contract: ContractRow): ContractSpec => {
    const maturity = maturityOf.get(contract.contractMaturityId)
    const product = productOf.get(maturity?.productId ?? 0)
    // The broker's name has one year digit, shared by deliveries ten years apart.
    const name = maturity?.expirationMonth === undefined ? contract.name : deliveredContract(contract.name, maturity.expirationMonth)
    const currency = product === undefined ? undefined : currencyOf.get(product.currencyId)
    const otherwise = known.get(contract.id) ?? contractSpecOf(name)
    if (product === undefined || currency === undefined) return otherwise
    const spec = brokerContractSpec(name, { ...product, currency })
    return spec.ok ? spec.value : otherwise
  }
  return new Map([...known, ...contracts.map((contract) => [contract.id, specOf(contract)] as const)])
}

// In 1/10,000 of a currency: beyond it the P&L of a trade, or sums with it, could not be kept exactly.
const mostWorth = 1_000_000_000_000_000

const isTooLarge = ({ tickValue }: ContractSpec, price: Ticks, qty: number): boolean => Math.abs(price) * (tickValue.num / tickValue.den) * qty > mostWorth

/** Parses prices of one contract, cached: a session has few distinct ones. */
const createPriceReader = (tickSize: string): ((value: number) => Ticks | null) => {
  const known = new Map<number, Ticks | null>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const ticks = parsePrice(value, tickSize)
    const price = ticks.ok ? ticks.value : null
    known.set(value, price)
    return price
  }
}

/**
 * Joins fills to their accounts (through orders), contracts, exact prices and fees. A fill that cannot be used is
 * refused by name and the others go on; a fee row that cannot be used leaves its fill without a fee of the broker.
 */
export const mapSession = (session: SessionRows): MappedSession => {
  const specs = readSpecs(session)
  const prices = new Map([...specs].map(([id, spec]) => [id, createPriceReader(spec.tickSize)]))
  const accountOf = accountsOf(session)
  const fees = byId(session.fees)
  const amountOf = createAmountReader(mostFee)
  const currencyOf = readCurrencies(session.currencies)
  const used = new Map<number, ContractSpec>()
  const fills: BrokerFill[] = []
  const refused: RefusedRow[] = []
  const refusedOf = new Set<AccountKey>()
  let refusedOfAny = false

  const refuse = (entity: string, id: number, reason: RefusalReason, field: string | null = null): void => {
    refused.push({ entity, id: String(id), reason, field })
  }
  const refuseFill = (row: WireFill, account: FillAccount | undefined, reason: RefusalReason, field: string): void => {
    refuse('fill', row.id, reason, field)
    if (account === undefined) refusedOfAny = true
    else refusedOf.add(account.key)
  }

  const feesOf = (fillId: number, currency: Currency): Pick<Fill, 'fee' | 'otherFees'> => {
    const row = fees.get(fillId)
    if (row === undefined) return { fee: null }
    const total = totalFee(row, currency, amountOf, currencyOf)
    if (total.ok) return { fee: total.value.fee, ...feeFactsOf(total.value) }
    refuse('fillFee', fillId, total.error)
    return { fee: null }
  }

  for (const row of session.fills) {
    const side = sides.get(row.action)
    const account = accountOf(row)
    const spec = specs.get(row.contractId)
    const price = prices.get(row.contractId)?.(row.price) ?? null
    if (side === undefined) refuseFill(row, account, 'not-buy-or-sell', 'action')
    else if (account === undefined) refuseFill(row, account, 'no-order', 'orderId')
    else if (spec === undefined) refuseFill(row, account, 'no-contract', 'contractId')
    else if (price === null) refuseFill(row, account, 'price-off-tick', 'price')
    else if (isTooLarge(spec, price, row.qty)) refuseFill(row, account, 'amount-unreadable', 'price')
    else {
      used.set(row.contractId, spec)
      fills.push({
        id: String(row.id),
        account: account.key,
        contract: spec.contract,
        time: row.timestamp,
        side,
        qty: row.qty,
        price,
        ...feesOf(row.id, spec.currency),
        active: row.active,
        source: 'api',
        orderId: row.orderId,
        contractId: row.contractId,
        tradeDate: dayOf(row.tradeDate),
      })
    }
  }
  return { fills, specs: [...used.values()], refused, contracts: specs, refusedOf, refusedOfAny }
}

/** Parses cash balances exactly, each in its currency. */
export const mapBalances = (environment: Environment, rows: readonly CashBalanceRow[], currencies: readonly CurrencyRow[]): MappedBalances => {
  const currencyOf = readCurrencies(currencies)
  const amountOf = createAmountReader(mostWorth)
  const balances: BrokerBalance[] = []
  const refused: RefusedRow[] = []
  const optional = (value: number | undefined): Amount | null => (value === undefined ? null : amountOf(value))
  for (const row of rows) {
    const currency = currencyOf.get(row.currencyId)
    const amount = amountOf(row.amount)
    if (currency === undefined) refused.push({ entity: 'cashBalance', id: String(row.id), reason: 'currency-unknown', field: 'currencyId' })
    else if (amount === null) refused.push({ entity: 'cashBalance', id: String(row.id), reason: 'amount-unreadable', field: 'amount' })
    else {
      balances.push({
        account: accountKey(environment, row.accountId),
        currency,
        time: row.timestamp,
        tradeDate: dayOf(row.tradeDate),
        amount,
        realizedPnl: optional(row.realizedPnL),
        startOfDay: optional(row.amountSOD),
      })
    }
  }
  return { balances, refused }
}

/** The broker's positions and fill pairs of the current session, and the unusable rows. */
type MappedHoldings = { readonly positions: readonly BrokerPosition[]; readonly pairs: readonly BrokerPair[]; readonly refused: readonly RefusedRow[] }

/** Resolves accounts and contracts of positions and pairs. Empty positions and reversed pairs are left out. */
export const mapHoldings = (environment: Environment, rows: readonly PositionRow[], pairRows: readonly FillPairRow[], contracts: ReadonlyMap<number, ContractSpec>): MappedHoldings => {
  const refused: RefusedRow[] = []
  const found = new Map<number, { readonly spec: ContractSpec; readonly position: BrokerPosition }>()
  for (const row of rows) {
    if (isEmpty(row)) continue
    const spec = contracts.get(row.contractId)
    if (spec === undefined) {
      refused.push({ entity: 'position', id: String(row.id), reason: 'no-contract', field: 'contractId' })
      continue
    }
    const { accountId, timestamp: time, netPos: net, prevPos: carried, bought, sold } = row
    found.set(row.id, { spec, position: { account: accountKey(environment, accountId), contract: spec.contract, tradeDate: dayOf(row.tradeDate), time, net, carried, bought, sold } })
  }
  const pairs: BrokerPair[] = []
  for (const { id, positionId, buyFillId, sellFillId, qty, buyPrice, sellPrice, active } of pairRows) {
    const of = found.get(positionId)
    // A pair of an unlisted position has neither account nor contract.
    if (!active || of === undefined) continue
    const { account, contract, tradeDate } = of.position
    const [bought, sold] = [parsePrice(buyPrice, of.spec.tickSize), parsePrice(sellPrice, of.spec.tickSize)]
    if (bought.ok && sold.ok) pairs.push({ account, contract, tradeDate, buyFillId: String(buyFillId), sellFillId: String(sellFillId), qty, buyPrice: bought.value, sellPrice: sold.value })
    else refused.push({ entity: 'fillPair', id: String(id), reason: 'price-off-tick', field: bought.ok ? 'sellPrice' : 'buyPrice' })
  }
  return { positions: [...found.values()].map(({ position }) => position), pairs, refused }
}

const isEmpty = ({ netPos, prevPos, bought, sold }: PositionRow): boolean => netPos === 0 && prevPos === 0 && bought === 0 && sold === 0

const parts = [
  ['commission', 'commissionCurrencyId'],
  ['exchangeFee', 'exchangeCurrencyId'],
  ['clearingFee', 'clearingCurrencyId'],
  ['nfaFee', 'nfaCurrencyId'],
  ['brokerageFee', 'brokerageCurrencyId'],
  ['ipFee', 'ipCurrencyId'],
  ['orderRoutingFee', 'orderRoutingCurrencyId'],
] as const

/** The largest valid fee, in 1/10,000 of a currency. */
export const mostFee = 1_000_000_000_000

/** Parses the broker's JSON numbers as amounts up to `most`, cached: fees and balances repeat all day. */
export const createAmountReader = (most: number): ((value: number) => Amount | null) => {
  const known = new Map<number, Amount | null>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const read = parseAmount(value, 'half-even')
    const amount = read.ok && Math.abs(read.value) <= most ? read.value : null
    known.set(value, amount)
    return amount
  }
}

/** A fill's fee in its contract's currency, null if unknown, and its fees in other currencies. */
type TotalFee = { readonly fee: Amount | null; readonly otherFees: CurrencyAmounts }

/**
 * The exact sums of a fill's seven fees, per currency; `fee` is null if the row has none of them.
 * A part without a currency of its own is in the contract's; a part of zero has none. A number that the list of currencies
 * does not have stands for itself; without the list nobody knows what any number means.
 */
export const totalFee = (
  row: FillFeeRow,
  contractCurrency: Currency,
  amountOf: (value: number) => Amount | null,
  currencies: ReadonlyMap<number, Currency>,
): Result<TotalFee, RefusalReason> => {
  let sum: Amount | null = null
  let otherFees = noAmounts
  for (const [name, currencyName] of parts) {
    const value = row[name]
    if (value === undefined) continue
    const amount = amountOf(value)
    if (amount === null) return err('amount-unreadable')
    sum ??= zero
    if (amount === 0) continue
    const currencyId = row[currencyName]
    if (currencyId !== undefined && currencies.size === 0) return err('currency-unknown')
    const currency = currencyId === undefined ? contractCurrency : (currencies.get(currencyId) ?? numberedCurrency(currencyId))
    if (currency === contractCurrency) sum = addAmounts(sum, amount)
    else otherFees = addCurrencyAmounts(otherFees, [{ currency, amount }])
  }
  return ok({ fee: sum, otherFees })
}

type Rows = {
  readonly environment: Environment
  readonly versions: readonly OrderVersionRow[]
  readonly reports: readonly ExecutionReportRow[]
  readonly fills: readonly WireFill[]
  readonly contracts: ReadonlyMap<number, ContractSpec>
}

const ends = new Set(['Canceled', 'Completed', 'DoneForDay', 'Expired', 'Rejected', 'Stopped'])
// Its price follows the market, and no version says where it was.
const kinds = new Map<string, WorkedOrder['kind']>([['Stop', 'stop'], ['StopLimit', 'stop'], ['Limit', 'limit']])

/** Stop and limit orders with the prices that they worked at. A version has no time of its own: it counts from the report of the command that made it, and one that no report accepted never counted. */
export const workedOrders = ({ environment, versions, reports, fills, contracts }: Rows): readonly WorkedOrder[] => {
  const versionsOf = Map.groupBy(versions, ({ orderId }) => orderId)
  const fillsOf = Map.groupBy(fills.filter(({ active }) => active), ({ orderId }) => orderId)
  return [...Map.groupBy(reports, ({ orderId }) => orderId)].flatMap(([orderId, unsorted]): WorkedOrder[] => {
    const own = unsorted.toSorted((one, other) => one.id - other.id)
    const accepted = own.filter(({ execType }) => execType === 'New' || execType === 'Replaced').toSorted((one, other) => one.timestamp - other.timestamp || one.commandId - other.commandId)
    const [first] = accepted
    const spec = first && contracts.get(first.contractId)
    if (first === undefined || spec === undefined) return []
    const inOrder = (versionsOf.get(orderId) ?? []).toSorted((one, other) => one.id - other.id)
    const versionOf = (commandId: number): OrderVersionRow | undefined => inOrder.find(({ id }) => id >= commandId)
    const kind = kinds.get(versionOf(first.commandId)?.orderType ?? '')
    const side = first.action === 'Buy' ? 'buy' : first.action === 'Sell' ? 'sell' : null
    if (kind === undefined || side === null) return []
    const steps: OrderStep[] = []
    for (const { commandId, timestamp } of accepted) {
      const version = versionOf(commandId)
      const price = parsePrice((kind === 'stop' ? version?.stopPrice : version?.price) ?? NaN, spec.tickSize)
      // An order that is not known completely is not shown.
      if (version === undefined || !price.ok || kinds.get(version.orderType) !== kind) return []
      steps.push({ at: timestamp, price: price.value, qty: version.orderQty })
    }
    const filled = fillsOf.get(orderId) ?? []
    const isFull = filled.reduce((sum, { qty }) => sum + qty, 0) >= (steps.at(-1)?.qty ?? 0) || own.some(({ ordStatus }) => ordStatus === 'Filled')
    const end = own.find(({ execType }) => ends.has(execType))?.timestamp ?? (isFull && filled.length > 0 ? Math.max(...filled.map(({ timestamp }) => timestamp)) : null)
    return [{ account: accountKey(environment, first.accountId), id: String(orderId), contract: spec.contract, tickSize: spec.tickSize, side, kind, steps, endedAt: end }]
  })
}
