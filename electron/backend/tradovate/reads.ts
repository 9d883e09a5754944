import type { Result } from '#shared/base/result.ts'
import type { BrokerFailure } from './failure.ts'
import type {
  AccountRow,
  CashBalanceRow,
  ContractRow,
  CurrencyRow,
  FillFeeRow,
  FillRow,
  MaturityRow,
  OrderRow,
  ProductRow,
  Rows,
  SnapshotAnswer,
  UserRow,
} from './wire.ts'

type Answer<T> = Promise<Result<T, BrokerFailure>>

/** Rows asked for by id, and the ids that the broker does not know (any more). */
export type FoundRows<T> = Rows<T> & { readonly missing: readonly number[] }

/** The questions that a journal asks, of one side of the broker under one login. */
export type BrokerReads = {
  readonly users: (signal: AbortSignal) => Answer<Rows<UserRow>>
  readonly accounts: (signal: AbortSignal) => Answer<Rows<AccountRow>>
  readonly cashBalances: (signal: AbortSignal) => Answer<Rows<CashBalanceRow>>
  readonly snapshot: (accountId: number, signal: AbortSignal) => Answer<SnapshotAnswer>
  readonly currencies: (signal: AbortSignal) => Answer<Rows<CurrencyRow>>
  /** Fills of the running session, of all accounts of the login. */
  readonly fills: (signal: AbortSignal) => Answer<Rows<FillRow>>
  /** Orders of the running session, and those of `orderIds` that the list left out. */
  readonly orders: (orderIds: Iterable<number>, signal: AbortSignal) => Answer<FoundRows<OrderRow>>
  /** Fees of these fills; a fill without a row has none yet. */
  readonly fillFees: (fillIds: readonly number[], signal: AbortSignal) => Answer<Rows<FillFeeRow>>
  readonly contracts: (ids: readonly number[], signal: AbortSignal) => Answer<FoundRows<ContractRow>>
  readonly maturities: (ids: readonly number[], signal: AbortSignal) => Answer<FoundRows<MaturityRow>>
  readonly products: (ids: readonly number[], signal: AbortSignal) => Answer<FoundRows<ProductRow>>
}
