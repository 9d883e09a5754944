import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { brokerContractSpec, contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { parseCurrency, type Amount, type Currency } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { createAmountReader, totalFee } from './fees.ts'
import type { Environment } from './hosts.ts'
import type { CashBalanceRow, ContractRow, CurrencyRow, FillFeeRow, FillRow, MaturityRow, OrderRow, ProductRow, RefusalReason, RefusedRow } from './wire.ts'

/** One execution, ready for the store: what matching needs, and where it came from. */
export type BrokerFill = Fill & {
  readonly accountId: number
  readonly orderId: number
  readonly contractId: number
  /** The exchange's session that the broker counts it to, `YYYY-MM-DD`. */
  readonly tradeDate: string
  /** The price as an exact decimal, `"6759.75"`. */
  readonly priceText: string
}

/** The cash of one account in one currency. */
export type BrokerBalance = {
  readonly account: AccountKey
  readonly accountId: number
  readonly currency: Currency
  /** UTC milliseconds. */
  readonly time: number
  readonly tradeDate: string
  readonly amount: Amount
  readonly realizedPnl: Amount | null
  readonly weekRealizedPnl: Amount | null
  readonly startOfDay: Amount | null
}

/** Everything that one side of the broker answered in one run, with the contracts that were known before. */
export type SessionRows = {
  readonly environment: Environment
  /** By the broker's contract id; a row of `contracts` replaces one. */
  readonly known?: ReadonlyMap<number, ContractSpec>
  readonly fills: readonly FillRow[]
  readonly orders: readonly OrderRow[]
  readonly fees: readonly FillFeeRow[]
  readonly contracts: readonly ContractRow[]
  readonly maturities: readonly MaturityRow[]
  readonly products: readonly ProductRow[]
  readonly currencies: readonly CurrencyRow[]
}

/** Fills as the store takes them, the contracts they are in, and what was left out. */
export type MappedSession = {
  readonly fills: readonly BrokerFill[]
  /** One per contract that has fills: the broker's figures where its product is known, else the table's. */
  readonly specs: readonly ContractSpec[]
  readonly refused: readonly RefusedRow[]
}

/** Balances as the store takes them, and what was left out. */
export type MappedBalances = { readonly balances: readonly BrokerBalance[]; readonly refused: readonly RefusedRow[] }

/** The journal's key of a brokerage account. */
export const accountKey = (environment: Environment, accountId: number): AccountKey => `tradovate:${environment}:${String(accountId)}` as AccountKey

const byId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> => new Map(rows.map((row) => [row.id, row]))

const dayOf = ({ year, month, day }: FillRow['tradeDate']): string => `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const sides = new Map<string, Fill['side']>([['Buy', 'buy'], ['Sell', 'sell']])

const readCurrencies = (rows: readonly CurrencyRow[]): Map<number, Currency> =>
  new Map(rows.flatMap(({ id, name }) => {
    const currency = parseCurrency(name)
    return currency === null ? [] : [[id, currency] as const]
  }))

/** The account of each order; accounts are few, and so are the keys that are made for them. */
const readAccounts = ({ environment, orders }: SessionRows): Map<number, { readonly id: number; readonly key: AccountKey }> => {
  const accounts = new Map([...new Set(orders.map((order) => order.accountId))].map((id) => [id, { id, key: accountKey(environment, id) }]))
  const ofOrders = new Map<number, { readonly id: number; readonly key: AccountKey }>()
  for (const { id, accountId } of orders) {
    const account = accounts.get(accountId)
    if (account !== undefined) ofOrders.set(id, account)
  }
  return ofOrders
}

/** The contracts by their broker id; one whose product is out of reach is taken from Fillbook's own table. */
const readSpecs = ({ known = new Map(), contracts, maturities, products, currencies }: SessionRows): Map<number, ContractSpec> => {
  const maturityOf = byId(maturities)
  const productOf = byId(products)
  const currencyOf = readCurrencies(currencies)
  const specOf = (contract: ContractRow): ContractSpec => {
    const product = productOf.get(maturityOf.get(contract.contractMaturityId)?.productId ?? 0)
    const currency = product === undefined ? undefined : currencyOf.get(product.currencyId)
    if (product === undefined || currency === undefined) return contractSpecOf(contract.name)
    const spec = brokerContractSpec(contract.name, { ...product, currency })
    return spec.ok ? spec.value : contractSpecOf(contract.name)
  }
  return new Map([...known, ...contracts.map((contract) => [contract.id, specOf(contract)] as const)])
}

type Price = { readonly ticks: Ticks; readonly text: string }

/** Reads prices of one contract, remembering them: a session trades at few. */
const createPriceReader = (tickSize: string): ((value: number) => Price | null) => {
  const known = new Map<number, Price | null>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const ticks = parsePrice(value, tickSize)
    const decimal = parseDecimal(value)
    const price = ticks.ok && decimal !== null ? { ticks: ticks.value, text: writeDecimal(decimal.digits, decimal.scale) } : null
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
  const accounts = readAccounts(session)
  const fees = byId(session.fees)
  const amountOf = createAmountReader()
  const currencyOf = readCurrencies(session.currencies)
  const used = new Map<number, ContractSpec>()
  const fills: BrokerFill[] = []
  const refused: RefusedRow[] = []

  const refuse = (entity: string, id: number, reason: RefusalReason, field: string | null = null): null => {
    refused.push({ entity, id: String(id), reason, field })
    return null
  }

  const feeOf = (fillId: number, currency: Currency): Amount | null => {
    const row = fees.get(fillId)
    if (row === undefined) return null
    const total = totalFee(row, currency, amountOf, currencyOf)
    return total.ok ? total.value : refuse('fillFee', fillId, total.error)
  }

  for (const row of session.fills) {
    const side = sides.get(row.action)
    const account = accounts.get(row.orderId)
    const spec = specs.get(row.contractId)
    const price = prices.get(row.contractId)?.(row.price)
    if (side === undefined) refuse('fill', row.id, 'not-buy-or-sell', 'action')
    else if (account === undefined) refuse('fill', row.id, 'no-order', 'orderId')
    else if (spec === undefined) refuse('fill', row.id, 'no-contract', 'contractId')
    else if (!price) refuse('fill', row.id, 'price-off-tick', 'price')
    else {
      used.set(row.contractId, spec)
      fills.push({
        id: String(row.id),
        account: account.key,
        contract: spec.contract,
        time: row.timestamp,
        side,
        qty: row.qty,
        price: price.ticks,
        fee: feeOf(row.id, spec.currency),
        active: row.active,
        source: 'api',
        accountId: account.id,
        orderId: row.orderId,
        contractId: row.contractId,
        tradeDate: dayOf(row.tradeDate),
        priceText: price.text,
      })
    }
  }
  return { fills, specs: [...used.values()], refused }
}

/** Reads cash balances exactly, each in its currency. */
export const mapBalances = (environment: Environment, rows: readonly CashBalanceRow[], currencies: readonly CurrencyRow[]): MappedBalances => {
  const currencyOf = readCurrencies(currencies)
  const amountOf = createAmountReader()
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
        accountId: row.accountId,
        currency,
        time: row.timestamp,
        tradeDate: dayOf(row.tradeDate),
        amount,
        realizedPnl: optional(row.realizedPnL),
        weekRealizedPnl: optional(row.weekRealizedPnL),
        startOfDay: optional(row.amountSOD),
      })
    }
  }
  return { balances, refused }
}
