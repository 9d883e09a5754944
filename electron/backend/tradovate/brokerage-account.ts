import type { AccountFill, BrokerageAccount } from '#shared/api/records.ts'
import { toJsonNumber } from '#shared/money/money.ts'
import type { BrokerBalance, BrokerFill } from './mapping.ts'

/** What may name a contract in a fill, in the order in which it is believed. */
export type ContractNames = {
  readonly symbol?: string | null | undefined
  readonly underlyingSymbol?: string | null | undefined
  readonly productSymbol?: string | null | undefined
  readonly displayName?: string | null | undefined
}

/** The symbol that a fill is shown under: contract, underlying, product, display name; null where none of them is known. */
export const contractSymbolOf = (names: ContractNames): string | null => names.symbol || names.underlyingSymbol || names.productSymbol || names.displayName || null

/** A fill as the account calls carry it: numbers and ISO time only here, at the JSON edge. */
export const toAccountFill = (fill: BrokerFill): AccountFill => ({
  id: fill.id,
  accountId: fill.account,
  contractId: String(fill.contractId),
  contractSymbol: contractSymbolOf({ symbol: fill.contract }),
  action: fill.side,
  qty: fill.qty,
  price: Number(fill.priceText),
  timestamp: new Date(fill.time).toISOString(),
  platform: 'Tradovate',
  contract: fill.contract,
})

/** A brokerage account as the account calls carry it. */
export const toBrokerageAccount = (name: string, balance: BrokerBalance, fills: readonly BrokerFill[]): BrokerageAccount => ({
  id: balance.account,
  name,
  balance: toJsonNumber(balance.amount),
  currency: balance.currency,
  fills: fills.filter((fill) => fill.account === balance.account).map(toAccountFill),
})
