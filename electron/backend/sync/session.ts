import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerFailure } from '../tradovate/failure.ts'
import { accountKey, mapSession, type MappedSession } from '../tradovate/mapping.ts'
import type { ContractRow, CurrencyRow, FillFeeRow, FillRow, MaturityRow, OrderRow, ProductRow } from '../tradovate/wire.ts'
import { leaveOut, type PartSetup, type Tally } from './tally.ts'

type Read<T> = Promise<Result<T, BrokerFailure>>

/** What the broker lists of the running session: how many fills that were, and which contracts the journal had not met. */
export type FetchedSession = MappedSession & { readonly received: number; readonly newContracts: ReadonlySet<number> }

type Library = { readonly known: ReadonlyMap<number, ContractSpec>; readonly contracts: readonly ContractRow[]; readonly maturities: readonly MaturityRow[]; readonly products: readonly ProductRow[] }

/** Fetches the running session: its fills, the orders that tell their accounts, the fees that are not known yet and the contracts that are new. */
export const readSession = async (setup: PartSetup, tally: Tally, currencies: readonly CurrencyRow[]): Read<FetchedSession> => {
  const { barrier, now, progress, reads, side, signal } = setup
  const stepOfFills = (done: number): void => progress({ phase: 'fills', done, total: 3 })
  stepOfFills(0)
  const askedAt = now()
  const fills = await reads.fills(signal)
  if (!fills.ok) return fills
  // A list that was asked for before the broker cleared it may have been answered after.
  tally.askedAt = tradingDay(now()) === tradingDay(askedAt) ? askedAt : null
  leaveOut(tally, fills.value.refused)
  const received = fills.value.rows.length + fills.value.refused.length
  if (fills.value.rows.length === 0) return ok({ fills: [], specs: [], refused: [], received, newContracts: new Set() })

  stepOfFills(1)
  const orders = await reads.orders(new Set(fills.value.rows.map((row) => row.orderId)), signal)
  if (!orders.ok) return orders
  leaveOut(tally, orders.value.refused)

  stepOfFills(2)
  const fees = await missingFees(setup, tally, fills.value.rows, orders.value.rows)
  if (!fees.ok) return fees
  barrier('fills-fetched')

  progress({ phase: 'contracts', done: 0, total: 1 })
  const library = await readContracts(setup, tally, fills.value.rows)
  if (!library.ok) return library
  const mapped = mapSession({ environment: side, fills: fills.value.rows, orders: orders.value.rows, fees: fees.value, currencies, ...library.value })
  return ok({ ...mapped, received, newContracts: new Set(library.value.contracts.map((row) => row.id)) })
}

/** Fees come late at times, so they are asked for as long as a fill that counts is without; a fee that is known stays. */
const missingFees = async ({ userId, side, reads, journal, signal }: PartSetup, tally: Tally, fills: readonly FillRow[], orders: readonly OrderRow[]): Read<readonly FillFeeRow[]> => {
  const accountOf = new Map(orders.map((order) => [order.id, order.accountId]))
  const byAccount = Map.groupBy(fills.filter((fill) => fill.active), (fill) => accountOf.get(fill.orderId))
  const wanted: number[] = []
  for (const [accountId, own] of byAccount) {
    if (accountId === undefined) continue
    const account: AccountKey = accountKey(side, accountId)
    const ids = own.map((fill) => String(fill.id))
    const known = new Set(await journal.read.fillsWithFee({ userId, account, ids }))
    for (const fill of own) if (!known.has(String(fill.id))) wanted.push(fill.id)
  }
  if (wanted.length === 0) return ok([])
  const fees = await reads.fillFees(wanted, signal)
  if (!fees.ok) {
    // Without fees the contract table's commission stands in, so the fills need not wait for them.
    if (fees.error.kind !== 'permission-missing' && fees.error.kind !== 'not-found') return err(fees.error)
    tally.failures.push(fees.error)
    return ok([])
  }
  leaveOut(tally, fees.value.refused)
  const ids = new Set(wanted)
  return ok(fees.value.rows.filter((row) => ids.has(row.id)))
}

/** Contracts are kept in the journal, with their product's figures: only new ones are asked for. */
const readContracts = async ({ userId, side, reads, journal, signal }: PartSetup, tally: Tally, fills: readonly FillRow[]): Read<Library> => {
  const ids = [...new Set(fills.map((fill) => fill.contractId))]
  const kept = await journal.read.knownContracts({ userId, environment: side, brokerContractIds: ids.map(String) })
  const known = new Map(kept.map((row) => [Number(row.brokerContractId), row.spec]))
  const contracts = await reads.contracts(ids.filter((id) => !known.has(id)), signal)
  if (!contracts.ok) return contracts
  const maturities = await reads.maturities(contracts.value.rows.map((row) => row.contractMaturityId), signal)
  if (!maturities.ok) return maturities
  const products = await reads.products(maturities.value.rows.map((row) => row.productId), signal)
  if (!products.ok) return products
  leaveOut(tally, [...contracts.value.refused, ...maturities.value.refused, ...products.value.refused])
  return ok({ known, contracts: contracts.value.rows, maturities: maturities.value.rows, products: products.value.rows })
}
