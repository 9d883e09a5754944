import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Environment } from './hosts.ts'
import type { CashBalanceRow, ContractRow, CurrencyRow, FillFeeRow, FillRow, MaturityRow, OrderRow, ProductRow, RefusedRow, Rows } from './wire.ts'

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
  readonly amount: Amount
  readonly realizedPnl: Amount | null
  readonly weekRealizedPnl: Amount | null
  readonly startOfDay: Amount | null
}

/** Everything that one side of the broker answered in one run, with the contracts that were known before. */
export type SessionRows = {
  readonly environment: Environment
  readonly fills: readonly FillRow[]
  readonly orders: readonly OrderRow[]
  readonly fees: readonly FillFeeRow[]
  readonly contracts: readonly ContractRow[]
  readonly maturities: readonly MaturityRow[]
  readonly products: readonly ProductRow[]
  readonly currencies: readonly CurrencyRow[]
}

/** `mapSession(rows)`: fills as the store takes them, the contracts they are in, and what was left out. */
export type MappedSession = {
  readonly fills: readonly BrokerFill[]
  /** One per contract that has fills: the broker's figures where its product is known, else the table's. */
  readonly specs: readonly ContractSpec[]
  readonly refused: readonly RefusedRow[]
}

/** `mapBalances(environment, rows, currencies)`. */
export type MappedBalances = { readonly balances: readonly BrokerBalance[]; readonly refused: Rows<CashBalanceRow>['refused'] }
