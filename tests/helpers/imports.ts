import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { FillReading, OrderReading, PairReading, Reading } from '#shared/imports/reading.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { minute, monday, user, type TestStore } from './store.ts'

const ticks = (price: number, contract: string): Ticks => {
  const parsed = parsePrice(price, contractSpecOf(contract).tickSize)
  if (!parsed.ok) throw new Error('Not a price')
  return parsed.value
}

/** An amount of money as a test says it. */
export const money = (text: string): Amount => {
  const parsed = parseAmount(text)
  if (!parsed.ok) throw new Error('Not an amount')
  return parsed.value
}

const contract = 'MESM6'

/** A row of a Fills report of MESM6, at the time of `fill` with the same number. */
export const fillRow = (name: string | null, id: number, side: 'buy' | 'sell', qty: number, price: number, more: Partial<FillReading> = {}): FillReading => ({
  says: 'fill', account: { id: null, name }, fillId: String(id), orderId: String(id), contract, time: monday + id * minute, side, qty,
  price: ticks(price, contract), tickSize: '0.25', fee: null, active: true, tradeDate: '2026-01-05',
  ...more,
})

/** A row of an Orders report of MESM6, filled at the time of `fill` with the same number. */
export const orderRow = (name: string, orderId: number, side: 'buy' | 'sell', qty: number, price: number, more: Partial<OrderReading> = {}): OrderReading => ({
  says: 'order', account: { id: null, name }, orderId: String(orderId), contract, placedAt: monday + orderId * minute, filledAt: monday + orderId * minute,
  side, qty, priceSum: ticks(price, contract) * qty, tickSize: '0.25', currency: null,
  ...more,
})

/** A row of a Performance report of MESM6: one pair of the broker's, bought and sold at the times of the fills with these numbers. */
export const pairRow = (name: string | null, [buyId, buyPrice]: readonly [number, number], [sellId, sellPrice]: readonly [number, number], qty: number, more: Partial<PairReading> = {}): PairReading => ({
  says: 'pair', account: { id: null, name }, pairId: null, contract, qty, tickSize: '0.25', currency: null, tradeDate: null,
  buy: { fillId: String(buyId), time: monday + buyId * minute, price: ticks(buyPrice, contract) },
  sell: { fillId: String(sellId), time: monday + sellId * minute, price: ticks(sellPrice, contract) },
  pnl: money(String((sellPrice - buyPrice) * qty * 5)),
  ...more,
})

/** Whose file it is, its kind, and the time zone in which its times were read. */
type FileFacts = { readonly userId?: string; readonly kind?: ExportKind; readonly zone?: string }

/** Reads one file into an import and lets it stand. */
export const importRows = async (store: Pick<TestStore, 'write'>, importId: string, readings: readonly Reading[], account: string | null = null, at = monday, { userId = user.userId, kind = 'fills', zone = 'America/New_York' }: FileFacts = {}) => {
  const of = { userId, importId }
  store.write.beginImport({ ...of, at, zone, account })
  store.write.addReadings({ ...of, place: 0, readings })
  store.write.addImportFile({ ...of, place: 0, name: `${importId}.csv`, kind, rows: readings.length, accepted: readings.length, refused: 0 })
  return store.write.finishImport({ ...of, at })
}

const stated = ['fills', 'batches', 'fill_pairs', 'trades', 'specs', 'base_fills', 'imported_specs', 'imports_unsettled', 'broker_figures']

/** All that an import may change, row by row, but for the numbers that rows of SQLite have. */
export const journalRows = (store: TestStore): Record<string, unknown[]> =>
  Object.fromEntries(
    stated.map((table) => {
      const rows = store.writer.database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
      return [table, rows.map((row) => JSON.stringify({ ...row, ref: null })).sort()]
    }),
  )
