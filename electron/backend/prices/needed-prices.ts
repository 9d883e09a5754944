import { asc } from 'drizzle-orm'
import { contractKey } from '#shared/prices/contract-key.ts'
import type { Span } from '#shared/prices/tape.ts'
import { eachCells, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { conditionOf, inViewOf } from '../trades/filtered-rows.ts'
import { tradeRow } from '../trades/rows.ts'

/** The prices that the trades of a contract (`MNQZ6`; `key` is root and delivery) need: the spans from first to last fill, in order, apart by an hour at least. UTC µs. */
export type NeededPrices = { readonly contract: string; readonly key: string; readonly tickSize: string; readonly spans: readonly Span[] }

const hour = 3_600_000_000

/** What a user's trades need of prices, by contract. */
export const neededPrices = (reader: Reader, { userId }: OfUser): readonly NeededPrices[] => {
  const rows = reader.orm
    .select({ symbol: tradeRow.symbol, tickSize: tradeRow.tickSize, entered: tradeRow.entryTime, left: tradeRow.exitTime })
    .from(tradeRow)
    .where(conditionOf(inViewOf(userId, 'trades')))
    .orderBy(asc(tradeRow.entryTime))
  const found = new Map<string, { readonly contract: string; readonly key: string; readonly tickSize: string; readonly spans: Span[] }>()
  for (const [symbol, tickSize, entered, left] of eachCells<[symbol: string, tickSize: string, entered: number, left: number]>(reader, rows)) {
    const key = contractKey(symbol)
    if (key === null) continue
    const name = `${symbol} ${tickSize}`
    const needed = found.get(name) ?? { contract: symbol, key, tickSize, spans: [] }
    found.set(name, needed)
    const [from, to] = [entered * 1000, left * 1000 + 1]
    const before = needed.spans.at(-1)
    if (before !== undefined && from < before.to + hour) needed.spans[needed.spans.length - 1] = { from: before.from, to: Math.max(before.to, to) }
    else needed.spans.push({ from, to })
  }
  return [...found.values()]
}
