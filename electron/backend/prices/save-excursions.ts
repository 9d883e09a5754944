import { createHash } from 'node:crypto'
import { asc } from 'drizzle-orm'
import type { ExcursionBounds } from '#shared/prices/excursion-bounds.ts'
import { InexactAmount } from '#shared/money/money.ts'
import { excursionsOf, type Bounds, type PricedTrade, type Ratio } from '#shared/prices/excursions.ts'
import { fillTolerance, minuteTolerance } from '#shared/prices/fill-moments.ts'
import type { Tape } from '#shared/prices/tape.ts'
import { atomically, change, query, type Reader, type Writer } from '../db/database.ts'
import { ratioUnits } from './store/ratio-units.ts'
import { readTape } from './read-tape.ts'
import { excursions, parts as storedParts } from './store/schema.ts'
import type { TradeCursor, TradeWithFills } from './trades-to-price.ts'

/** Other figures of the same fills and prices need another number. */
const edition = 6

/** The stored prices that could have a say in a trade. */
type PartRow = Readonly<typeof storedParts.$inferSelect>

type ExcursionRow = ExcursionBounds & { readonly id: string; readonly trade: string; readonly ended: number; readonly stamp: string }

/** What has to be written so that the kept excursions of some trades are those of today's fills and prices. */
export type ExcursionChanges = { readonly put: readonly ExcursionRow[]; readonly gone: readonly string[] }

/** Contracts that have prices, by root and delivery. */
export const pricedContracts = ({ orm }: Reader): readonly string[] => orm.selectDistinct({ contract: storedParts.contract }).from(storedParts).all().map(({ contract }) => contract)

/** Whether excursions of any trade are kept. */
export const hasExcursions = ({ orm }: Reader): boolean => orm.select({ id: excursions.id }).from(excursions).limit(1).get() !== undefined

/**
 * Compares what is kept of a part of all trades, those behind `after` up to `next` (null: all others), with what their
 * fills and prices say. Only what changed is computed again: its stamp differs.
 */
export const excursionChanges = (reader: Reader, trades: readonly TradeWithFills[], { after, next }: { readonly after: TradeCursor | null; readonly next: TradeCursor | null }): ExcursionChanges => {
  const from = [after?.ended ?? 0, after?.id ?? '']
  // Raw SQL compares pairs of columns, and writes thousands of rows below: the benchmark `prices` measures both.
  const until = next === null ? { sql: '', values: [] } : { sql: 'AND (ended, trade) <= (?, ?)', values: [next.ended, next.id] }
  const kept = new Map(query<{ id: string; stamp: string }>(reader, `SELECT id, stamp FROM excursions WHERE (ended, trade) > (?, ?) ${until.sql}`).all(...from, ...until.values).map(({ id, stamp }) => [id, stamp]))
  const partsOf = Map.groupBy(reader.orm.select().from(storedParts).orderBy(asc(storedParts.id)).all(), ({ contract, tickSize }) => `${contract} ${tickSize}`)
  const tapes = new Map<string, Tape>()
  const put: ExcursionRow[] = []
  for (const { id: trade, ended, contract, tickSize, tickValue, fills, parts } of trades) {
    const key = `${contract} ${tickSize}`
    const prices = partsOf.get(key) ?? []
    const tape = tapes.get(key) ?? readTape(reader, contract, tickSize)
    tapes.set(key, tape)
    const made: ExcursionRow[] = []
    for (const each of [{ id: trade, fills }, ...parts]) {
      const stamp = stampOf(each.fills, tickValue, prices)
      if (stamp === null) continue
      if (kept.get(each.id) === stamp) {
        kept.delete(each.id)
        continue
      }
      const [whole] = made
      const row = parts.length === 1 && whole !== undefined ? { ...whole, id: each.id } : givenRow({ id: each.id, trade, ended, stamp }, { fills: each.fills, tolerance: fillTolerance(each.fills, tape), tickValue, risk: null }, tape)
      if (row === null) continue
      kept.delete(each.id)
      made.push(row)
    }
    put.push(...made)
  }
  return { put, gone: [...kept.keys()] }
}

/** Writes the changes. */
export const saveExcursions = (writer: Writer, { put, gone }: ExcursionChanges): void =>
  atomically(writer, () => {
    const add = change(writer, `INSERT OR REPLACE INTO excursions (id, trade, ended, stamp, mfe_least, mfe_most, mae_least, mae_most, entry_least, entry_most, exit_least, exit_most)
      VALUES (@id, @trade, @ended, @stamp, @mfeLeast, @mfeMost, @maeLeast, @maeMost, @entryLeast, @entryMost, @exitLeast, @exitMost)`)
    const drop = change(writer, 'DELETE FROM excursions WHERE id = ?')
    for (const id of gone) drop.run(id)
    for (const row of put) add.run(row)
  })

/** Names what a trade's excursions are computed from; null where no stored prices reach into it. */
const stampOf = (fills: PricedTrade['fills'], tickValue: PricedTrade['tickValue'], prices: readonly PartRow[]): string | null => {
  const [first, last] = [fills[0], fills.at(-1)]
  if (first === undefined || last === undefined) return null
  const [from, to] = [first.time * 1000 - minuteTolerance, last.time * 1000 + minuteTolerance]
  const near = prices.filter((part) => part.first <= to && part.until > from)
  if (near.length === 0) return null
  const of = [edition, tickValue.num, tickValue.den, fills.flatMap(({ time, qty, price }) => [time, qty, price]), near.flatMap(({ id, entries, addedAt }) => [id, entries, addedAt])]
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url').slice(0, 16)
}

/** Null where no figure can be given: one trade's must not cost all others theirs. */
const givenRow = (...of: Parameters<typeof rowOf>): ExcursionRow | null => {
  try {
    return rowOf(...of)
  } catch (error) {
    if (error instanceof InexactAmount) return null
    throw error
  }
}

const rowOf = (named: Pick<ExcursionRow, 'id' | 'trade' | 'ended' | 'stamp'>, trade: PricedTrade, tape: Tape): ExcursionRow | null => {
  const found = excursionsOf(trade, tape)
  if (found === null) return null
  const { mfe, mae } = found
  if (mfe.amount.least === null || mae.amount.least === null) return null
  const [entry, exit] = [unitsOf(found.entry), unitsOf(found.exit)]
  return { ...named, mfeLeast: mfe.amount.least, mfeMost: mfe.amount.most, maeLeast: mae.amount.least, maeMost: mae.amount.most, entryLeast: entry.least, entryMost: entry.most, exitLeast: exit.least, exitMost: exit.most }
}

const unitsOf = (bounds: Bounds<Ratio> | null): Bounds<number> => {
  const [least, most] = [bounds?.least ?? null, bounds?.most ?? null]
  return { least: least && ratioUnits(least, 'down'), most: most && ratioUnits(most, 'up') }
}
