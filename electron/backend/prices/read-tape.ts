import { and, asc, eq } from 'drizzle-orm'
import type { Ticks } from '#shared/money/price.ts'
import type { Bar, Coverage, Micros, Print, Span, Tape } from '#shared/prices/tape.ts'
import { query, type Reader } from '../db/database.ts'
import { unpack, type Columns } from './chunk-codec.ts'
import { coverage, parts as table, type chunks } from './store/schema.ts'
import { nodeWidth } from './write-tape.ts'

type TapePart = Readonly<Pick<typeof table.$inferSelect, 'id' | 'grain' | 'first' | 'until' | 'low' | 'high'>>
type Stretch = Span & { readonly part: TapePart }
type Chunk = Readonly<Pick<typeof chunks.$inferSelect, 'first' | 'last' | 'low' | 'high' | 'entries' | 'codec' | 'data'>>
type ChunkFacts = Pick<Chunk, 'first' | 'last' | 'low' | 'high'>
type Extremes = { low: number; high: number }

// Some 10 MB: the trades of a day ask for the same chunks again and again.
const mostUnpacked = 64

/** The prices of a contract (root and delivery, `MNQ 2026-12`) in ticks of this size, as they are now. */
export const readTape = (reader: Reader, contract: string, tickSize: string): Tape => {
  const isOfTape = and(eq(table.contract, contract), eq(table.tickSize, tickSize))
  const parts: readonly TapePart[] = reader.orm.select().from(table).where(isOfTape).orderBy(asc(table.first)).all()
  const byId = new Map(parts.map((part) => [part.id, part]))
  const stretches = reader.orm
    .select({ id: coverage.part, from: coverage.first, to: coverage.until })
    .from(coverage)
    .innerJoin(table, eq(table.id, coverage.part))
    .where(isOfTape)
    .orderBy(asc(coverage.first))
    .all()
    .flatMap(({ id, from, to }): Stretch[] => {
      const part = byId.get(id)
      return part === undefined ? [] : [{ from, to, part }]
    })

  // Raw SQL from here on, since each look into the tape asks again: the benchmark `prices` measures it.
  const unpacked = new Map<string, Columns>()
  const columnsOf = ({ id, grain }: TapePart, place: number): Columns => {
    const key = `${String(id)} ${String(place)}`
    const known = unpacked.get(key)
    if (known !== undefined) return known
    const chunk = query<Chunk>(reader, 'SELECT first, last, low, high, entries, codec, data FROM chunks WHERE part = ? AND place = ?').get(id, place)
    if (chunk === undefined) throw new Error('A part of the prices lacks a chunk')
    const columns = unpack(chunk, { first: chunk.first, count: chunk.entries, columns: grain === 0 ? 2 : 5 })
    if (unpacked.size >= mostUnpacked) unpacked.delete(unpacked.keys().next().value ?? '')
    unpacked.set(key, columns)
    return columns
  }
  // A week of a busy contract has some thousand: a look into them is far quicker than a question to SQLite.
  const facts = new Map<number, readonly ChunkFacts[]>()
  const chunksOf = ({ id }: TapePart): readonly ChunkFacts[] => {
    // Neither this nor the searches below are handed functions: excursions and what-if would take half as long again.
    const known = facts.get(id)
    if (known !== undefined) return known
    const chunks = query<ChunkFacts>(reader, 'SELECT first, last, low, high FROM chunks WHERE part = ? ORDER BY place').all(id)
    facts.set(id, chunks)
    return chunks
  }
  /** The last chunk that begins before a moment; the first one where none does. */
  const placeBefore = (part: TapePart, moment: Micros): number => {
    const chunks = chunksOf(part)
    let [from, to] = [0, chunks.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((chunks[middle]?.first ?? 0) < moment) from = middle + 1
      else to = middle
    }
    return Math.max(0, from - 1)
  }

  const between = (part: TapePart, found: Extremes, from: number, to: number): void => {
    const take = (level: number, one: number, other: number): void => {
      if (one > other) return
      if (level > 0) return widen(found, query<Extremes>(reader, 'SELECT min(low) AS low, max(high) AS high FROM nodes WHERE part = ? AND level = ? AND place BETWEEN ? AND ?').get(part.id, level, one, other))
      for (let place = one; place <= other; place += 1) widen(found, chunksOf(part)[place])
    }
    let [one, other] = [from, to]
    for (let level = 0; one <= other; level += 1) {
      const [begin, end] = [Math.ceil(one / nodeWidth), Math.floor((other + 1) / nodeWidth)]
      if (begin >= end) return take(level, one, other)
      take(level, one, begin * nodeWidth - 1)
      take(level, end * nodeWidth, other)
      ;[one, other] = [begin, end - 1]
    }
  }
  const extremesOf = (part: TapePart, found: Extremes, { from, to }: Span): void => {
    if (part.first >= from && part.until <= to) return widen(found, part)
    // A bar must end within the span.
    const end = part.grain === 0 ? to : to - part.grain + 1
    if (end <= from) return
    const [first, last] = [placeBefore(part, from), placeBefore(part, end)]
    const edge = (place: number): void => {
      const facts = chunksOf(part)[place]
      if (facts === undefined || facts.last < from || facts.first >= end) return
      if (facts.first >= from && facts.last < end) return widen(found, facts)
      const { at, values } = columnsOf(part, place)
      const [highs, lows] = part.grain === 0 ? [values[0], values[0]] : [values[1], values[2]]
      for (let index = lowerBound(at, from); index < at.length && (at[index] ?? 0) < end; index += 1) widen(found, { low: lows?.[index] ?? 0, high: highs?.[index] ?? 0 })
    }
    edge(first)
    if (last > first) edge(last)
    between(part, found, first + 1, last - 1)
  }

  /** The entries of a part that begin in [from, to), as places in the columns of its chunks. */
  function* entriesOf(part: TapePart, from: Micros, to: Micros): Generator<readonly [Columns, number]> {
    const last = placeBefore(part, to)
    for (let place = placeBefore(part, from); place <= last; place += 1) {
      const columns = columnsOf(part, place)
      for (let index = lowerBound(columns.at, from); index < columns.at.length && (columns.at[index] ?? 0) < to; index += 1) yield [columns, index]
    }
  }
  const finest = (span: Span, among: readonly Stretch[]): readonly Stretch[] => {
    let free: readonly Span[] = [span]
    const taken: Stretch[] = []
    for (const { part, from, to } of among.toSorted((one, other) => one.part.grain - other.part.grain)) {
      const left: Span[] = []
      for (const open of free) {
        const [begin, end] = [Math.max(from, open.from), Math.min(to, open.to)]
        if (begin >= end) {
          left.push(open)
          continue
        }
        taken.push({ part, from: begin, to: end })
        if (open.from < begin) left.push({ from: open.from, to: begin })
        if (end < open.to) left.push({ from: end, to: open.to })
      }
      free = left
    }
    return taken.sort((one, other) => one.from - other.from)
  }
  const overlapping = ({ from, to }: Span): readonly Stretch[] => stretches.filter((stretch) => stretch.from < to && stretch.to > from)

  return {
    coverage: (span) => {
      const found: Coverage[] = []
      for (const { part, from, to } of finest(span, overlapping(span))) {
        const grain = part.grain === 0 ? 'prints' : part.grain
        const before = found.at(-1)
        if (before?.to === from && before.grain === grain) found[found.length - 1] = { ...before, to }
        else found.push({ from, to, grain })
      }
      return found
    },
    *prints(span): Generator<Print> {
      for (const { part, from, to } of finest(span, overlapping(span).filter(({ part: { grain } }) => grain === 0))) {
        for (const [{ at, values: [price, size] }, index] of entriesOf(part, from, to)) yield { at: at[index] ?? 0, price: (price?.[index] ?? 0) as Ticks, size: size?.[index] ?? 0 }
      }
    },
    *bars(span): Generator<Bar> {
      // A bar that a finer stretch cuts in two overlaps both of its rests.
      const newest = new Map<number, Micros>()
      for (const { part, from, to } of finest(span, overlapping(span).filter(({ part: { grain } }) => grain > 0))) {
        const width = part.grain
        for (const [{ at, values: [open, high, low, close, volume] }, index] of entriesOf(part, from - width + 1, to)) {
          const moment = at[index] ?? 0
          if (moment <= (newest.get(width) ?? -Infinity)) continue
          newest.set(width, moment)
          yield { at: moment, width, open: (open?.[index] ?? 0) as Ticks, high: (high?.[index] ?? 0) as Ticks, low: (low?.[index] ?? 0) as Ticks, close: (close?.[index] ?? 0) as Ticks, volume: volume?.[index] ?? 0 }
        }
      }
    },
    extremes: (span) => {
      const found: Extremes = { low: Infinity, high: -Infinity }
      for (const part of parts) if (part.first < span.to && part.until > span.from) extremesOf(part, found, span)
      return found.low === Infinity ? null : { low: found.low as Ticks, high: found.high as Ticks }
    },
  }
}

const widen = (found: Extremes, more: Extremes | undefined): void => {
  if (more === undefined) return
  if (more.low < found.low) found.low = more.low
  if (more.high > found.high) found.high = more.high
}

/** The first place at or behind a moment in rising times. */
const lowerBound = (at: Float64Array, moment: Micros): number => {
  let [from, to] = [0, at.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((at[middle] ?? 0) < moment) from = middle + 1
    else to = middle
  }
  return from
}
