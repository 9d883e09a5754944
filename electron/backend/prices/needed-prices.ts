import { contractKey } from '#shared/prices/contract-key.ts'
import type { Span } from '#shared/prices/tape.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { trips } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { inViewOf } from '../trades/filtered-rows.ts'

/** The prices that the trades of a contract (`MNQZ6`; `key` is root and delivery) need: the spans from first to last fill, in order, apart by an hour at least. UTC µs. */
export type NeededPrices = { readonly contract: string; readonly key: string; readonly tickSize: string; readonly spans: readonly Span[] }

const hour = 3_600_000_000

type Row = Pick<SqlRow<typeof trips>, 'symbol' | 'tick_size' | 'entry_time' | 'exit_time'>

/** What a user's trades need of prices, by contract. */
export const neededPrices = (reader: Reader, { userId }: OfUser): readonly NeededPrices[] => {
  const there = inViewOf(userId, 'trips')
  const rows = query<Row>(reader, `SELECT row.symbol, row.tick_size, row.entry_time, row.exit_time FROM counted_trips AS row WHERE ${there.sql} ORDER BY row.entry_time`)
  const found = new Map<string, { readonly contract: string; readonly key: string; readonly tickSize: string; readonly spans: Span[] }>()
  for (const { symbol, tick_size: tickSize, entry_time: entered, exit_time: left } of rows.iterate(...there.values)) {
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
