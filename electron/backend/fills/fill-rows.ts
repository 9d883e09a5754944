import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import { compareFills } from '#shared/fills/order.ts'
import { areSameAmounts, amountsOfText, amountsText } from '#shared/money/currency-amounts.ts'
import { reprice, type Ticks } from '#shared/money/price.ts'
import { bulkInsert, type BulkInsert, type BulkTarget, type Cell } from '../db/bulk-insert.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import type { fills } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { storeFault } from '../db/fault.ts'

/** A fill as stored in the journal. */
export type StoredFill = Fill & { readonly localDate: string; readonly orderId: string | null; readonly contractId: string | null; readonly tradeDate: string | null }

type FillRow = Omit<SqlRow<typeof fills>, 'user_id'>

/** The tick size in which the prices of a contract's fills are wanted. */
export type TickSizeOf = (contract: string) => string

// Raw SQL in this file: the benchmarks `sync`, `import` and `mirror` read and write their fills with it.
const columns = ['user_id', 'account', 'id', 'contract', 'local_date', 'time', 'side', 'qty', 'price', 'tick_size', 'fee', 'active', 'source', 'order_id', 'broker_contract_id', 'trade_date', 'ambiguous', 'other_fees', 'fee_from']
const target: BulkTarget = { table: 'fills', columns, onKnown: 'replace' }

/** Converts a price to other ticks; throws if it is between two of them, which `saveSpec` has ruled out. */
export const priceIn = (price: Ticks, from: string, to: string): Ticks => {
  const repriced = reprice(price, from, to)
  if (repriced === null) throw storeFault('internal', `A price in ticks of ${from} is off the ticks of ${to}`)
  return repriced
}

const undated = (row: FillRow, tickSize: string): Omit<StoredFill, 'localDate'> => ({
  id: row.id,
  account: row.account,
  contract: row.contract,
  time: row.time,
  side: row.side,
  qty: row.qty,
  price: priceIn(row.price, row.tick_size, tickSize),
  fee: row.fee,
  active: row.active === 1,
  source: row.source,
  orderId: row.order_id,
  contractId: row.broker_contract_id,
  tradeDate: row.trade_date,
  ...(row.ambiguous === 1 ? { ambiguous: true } : {}),
  ...(row.other_fees === null && row.fee_from === null ? {} : feeFactsOf({ otherFees: amountsOfText(row.other_fees), feeFrom: row.fee_from ?? undefined })),
})

const toFill = (row: FillRow, tickSize: string): StoredFill => ({ ...undated(row, tickSize), localDate: row.local_date })

// The list drives the search, so that it costs one lookup per id however many fills there are.
const ofIds = 'SELECT fills.* FROM json_each(?) AS wanted CROSS JOIN fills ON fills.user_id = ? AND fills.account = ? AND fills.id = wanted.value'

/** An account's fills with one of the ids, by id. */
export const fillsById = (reader: Reader, userId: string, account: AccountKey, ids: readonly string[], tickSizeOf: TickSizeOf): Map<string, StoredFill> => {
  const rows = query<FillRow>(reader, ofIds).all(JSON.stringify(ids), userId, account)
  return new Map(rows.map((row) => [row.id, toFill(row, tickSizeOf(row.contract))]))
}

/** A fill whose price is in ticks of its own `tickSize`, without a local date. */
export type PricedFill = Omit<StoredFill, 'localDate'> & { readonly tickSize: string }

const compared = ['contract', 'time', 'side', 'qty', 'fee', 'feeFrom', 'active', 'source', 'orderId', 'contractId', 'tradeDate', 'ambiguous'] as const satisfies (keyof PricedFill)[]

/** Whether two fills are the same; both may be missing. */
export const isSame = (one: PricedFill | undefined, other: PricedFill | undefined): boolean =>
  one === undefined || other === undefined ? one === other : compared.every((name) => one[name] === other[name]) && areSameAmounts(one.otherFees, other.otherFees) && reprice(one.price, one.tickSize, other.tickSize) === other.price

const pricedFills = (rows: readonly FillRow[]): Map<string, PricedFill> =>
  new Map(rows.map((row) => [row.id, { ...undated(row, row.tick_size), tickSize: row.tick_size }]))

/** All fills of an account, by id. */
export const fillsOfAccount = (reader: Reader, userId: string, account: AccountKey): Map<string, PricedFill> =>
  pricedFills(query<FillRow>(reader, 'SELECT * FROM fills WHERE user_id = ? AND account = ?').all(userId, account))

/** An account's fills with one of the ids, by id. */
export const fillsOfIds = (reader: Reader, userId: string, account: AccountKey, ids: readonly string[]): Map<string, PricedFill> =>
  pricedFills(query<FillRow>(reader, ofIds).all(JSON.stringify(ids), userId, account))

/** The fills of one batch in the order of matching. */
export const fillsOfBatch = (reader: Reader, userId: string, account: AccountKey, contract: string, localDate: string, tickSize: string): Fill[] => {
  const sql = 'SELECT * FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?'
  const rows = query<FillRow>(reader, sql).all(userId, account, contract, localDate)
  return rows.map((row) => toFill(row, tickSize)).sort(compareFills)
}

/** Starts writing fills whose prices are in ticks of `tickSizeOf` their contract. */
export const writeFills = (writer: Writer, userId: string, tickSizeOf: TickSizeOf): { readonly put: (fill: StoredFill) => void; readonly flush: () => void } => {
  const rows: BulkInsert = bulkInsert(writer, target)
  return {
    put: (fill) => {
      const { account, id, contract, localDate, time, side, qty, price, fee, active, source, orderId, contractId, tradeDate, ambiguous, otherFees, feeFrom } = fill
      const row: Cell[] = [userId, account, id, contract, localDate, time, side, qty, price, tickSizeOf(contract), fee, active ? 1 : 0, source, orderId, contractId, tradeDate, ambiguous === true ? 1 : 0, amountsText(otherFees), feeFrom ?? null]
      rows.add(row)
    },
    flush: rows.flush,
  }
}

/** Converts a contract's fills to ticks of `tickSize`, which must fit their prices, and returns those that were in others. */
export const convertToTicks = (writer: Writer, userId: string, contract: string, tickSize: string): string[] => {
  const sql = `SELECT account, id, price, tick_size FROM fills WHERE user_id = ? AND account IN (SELECT key FROM accounts WHERE user_id = ?) AND contract = ? AND tick_size <> ?`
  const put = change(writer, 'UPDATE fills SET price = ?, tick_size = ? WHERE user_id = ? AND account = ? AND id = ?')
  return query<Pick<FillRow, 'account' | 'id' | 'price' | 'tick_size'>>(writer, sql)
    .all(userId, userId, contract, tickSize)
    .map(({ account, id, price, tick_size }) => {
      put.run(priceIn(price, tick_size, tickSize), tickSize, userId, account, id)
      return `${account}/${id}`
    })
}
