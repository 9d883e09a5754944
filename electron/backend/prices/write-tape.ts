import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import { isHole } from '#shared/prices/open-time.ts'
import type { PriceSource } from '#shared/prices/formats/format.ts'
import type { Micros, Span } from '#shared/prices/tape.ts'
import { change, perConnection, type Reader, type Writer } from '../db/database.ts'
import { pack } from './chunk-codec.ts'
import { coverage, parts as table } from './store/schema.ts'

const chunkEntries = 4096
/** How many chunks or nodes a node holds. */
export const nodeWidth = 16

const week = 7 * 86_400_000_000
// The first Saturday of 1970, UTC: no market prints at the change of weeks.
const firstSaturday = 2 * 86_400_000_000
const weekOf = (at: Micros): number => Math.floor((at - firstSaturday) / week)
const beginOf = (number: number): Micros => number * week + firstSaturday

/** What a tape holds: its contract (root and delivery, `MNQ 2026-12`), tick size, and source; `grain` 0 for prints, else the width of bars in µs. `at` is UTC ms. */
export type TapeHead = { readonly contract: string; readonly tickSize: string; readonly source: PriceSource; readonly grain: number; readonly at: number }

/** The result: new entries, entries of stretches already known in this grain, and the parts written. */
export type TapeWritten = { readonly added: number; readonly known: number; readonly parts: readonly number[] }

/** Takes prints or bars in the order of time. `add` returns false for an entry that begins before the previous one ends. */
export type TapeWriter = {
  readonly add: (at: Micros, open: number, high: number, low: number, close: number, size: number) => boolean
  /** Marks an unreadable row, which no stretch may cover. `at` is its time; if null, it lies between its neighbors. */
  readonly lost: (at: Micros | null) => void
  readonly end: () => TapeWritten
}

type Open = { readonly id: number; readonly week: number; readonly first: Micros; readonly lows: number[]; readonly highs: number[]; entries: number; bytes: number }

/** The stretches of a contract that are known in one grain, in order. */
const knownSpans = ({ orm }: Reader, contract: string, grain: number): readonly Span[] =>
  orm
    .select({ from: coverage.first, to: coverage.until })
    .from(coverage)
    .innerJoin(table, eq(table.id, coverage.part))
    .where(and(eq(table.contract, contract), eq(table.grain, grain)))
    .orderBy(asc(coverage.first))
    .all()

const addStretch = perConnection(({ orm }: Writer) => orm.insert(coverage).values({ part: sql.placeholder('part'), first: sql.placeholder('from'), until: sql.placeholder('to') }).prepare())

/**
 * Writes a tape, a part a week. What lies in a stretch that is known in the same grain is left out: prints of one moment are
 * many, so nothing but the stretch tells a print that is there already from another. Call it within a transaction. `entries` is how many a chunk holds.
 */
export const writeTape = (writer: Writer, { contract, tickSize, source, grain, at: addedAt }: TapeHead, entries = chunkEntries): TapeWriter => {
  const known = knownSpans(writer, contract, grain)
  const width = Math.max(grain, 1)
  const columns = grain === 0 ? 2 : 5
  const at = new Float64Array(entries)
  const values = Array.from({ length: columns }, () => new Float64Array(entries))
  const [one = at, two = at, three = at, four = at, five = at] = values
  const parts: number[] = []
  let [count, low, high] = [0, Infinity, -Infinity]
  let part: Open | null = null
  /** Where the stretch that is being written begins. */
  let begin: Micros | null = null
  /** The end of the newest entry, whether it was written or known. */
  let end: Micros = -Infinity
  let newest: Micros = -Infinity
  let nextKnown = 0
  let [added, repeated] = [0, 0]
  /** Whether a row was lost since the last entry. */
  let isTorn = false
  const torn: Span[] = []
  const breaksAt = (from: Micros, to: Micros): boolean => isTorn || isHole(from, to)

  // Chunks and nodes are many, and written by raw SQL: the benchmark `prices` measures storing them.
  const flush = (): void => {
    if (count === 0 || part === null) return
    const { codec, data } = pack({ at, values }, count)
    change(writer, 'INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(part.id, part.lows.length, at[0], at[count - 1], low, high, count, codec, data)
    part.lows.push(low)
    part.highs.push(high)
    part.entries += count
    part.bytes += data.length
    ;[count, low, high] = [0, Infinity, -Infinity]
  }
  const closeStretch = (until: Micros): void => {
    if (begin !== null && part !== null) addStretch(writer).run({ part: part.id, from: begin, to: until })
    begin = null
  }
  const closePart = (): void => {
    flush()
    if (part === null) return
    writeNodes(writer, part)
    const { id, entries: written, bytes } = part
    writer.orm.update(table).set({ until: lastEnd, low: Math.min(...part.lows), high: Math.max(...part.highs), entries: written, bytes }).where(eq(table.id, id)).run()
    part = null
  }
  /** The end of the newest entry that was written. */
  let lastEnd: Micros = -Infinity
  const openPart = (moment: Micros): Open => {
    const { id } = writer.orm.insert(table).values({ contract, tickSize, source, grain, first: moment, until: 0, low: 0, high: 0, entries: 0, bytes: 0, addedAt }).returning({ id: table.id }).get()
    parts.push(id)
    return { id, week: weekOf(moment), first: moment, lows: [], highs: [], entries: 0, bytes: 0 }
  }

  return {
    add: (moment, open, highest, lowest, close, size) => {
      if (moment < (grain === 0 ? newest : end)) return false
      let span = known[nextKnown]
      for (; span !== undefined && span.to <= moment; span = known[nextKnown]) {
        // A known stretch stays its part's, even if this file has nothing there.
        if (begin !== null && span.from >= lastEnd) closeStretch(breaksAt(lastEnd, span.from) ? lastEnd : span.from)
        nextKnown += 1
      }
      const breaks = end === -Infinity || breaksAt(end, moment)
      newest = moment
      if (span !== undefined && span.from < moment + width) {
        // Up to the known stretch nothing printed, unless there is a hole before it.
        if (begin !== null) closeStretch(breaksAt(lastEnd, span.from) ? lastEnd : span.from)
        end = moment + width
        isTorn = false
        repeated += 1
        return true
      }
      const before = known[nextKnown - 1]?.to ?? -Infinity
      if (begin !== null && breaks) closeStretch(lastEnd)
      if (part !== null && part.week !== weekOf(moment)) {
        const goesOn = begin !== null
        if (goesOn) closeStretch(beginOf(part.week + 1))
        closePart()
        part = openPart(moment)
        if (goesOn) begin = beginOf(part.week)
      }
      part ??= openPart(moment)
      begin ??= !breaks && before > -Infinity && before <= moment && before >= lastEnd ? Math.max(before, beginOf(part.week)) : moment
      at[count] = moment
      if (grain === 0) {
        one[count] = close
        two[count] = size
      } else {
        one[count] = open
        two[count] = highest
        three[count] = lowest
        four[count] = close
        five[count] = size
      }
      if (lowest < low) low = lowest
      if (highest > high) high = highest
      count += 1
      added += 1
      end = lastEnd = moment + width
      isTorn = false
      if (count === entries) flush()
      return true
    },
    lost: (moment) => {
      if (moment === null || moment >= end) isTorn = true
      // A repeated row is known.
      else if (!at.subarray(0, count).includes(moment)) torn.push({ from: moment, to: moment + width })
    },
    end: () => {
      closeStretch(lastEnd)
      closePart()
      for (const span of torn) cutOut(writer, parts, span)
      return { added, known: repeated, parts }
    },
  }
}

const stretchesAcross = perConnection(({ orm }: Writer) =>
  orm
    .select({ from: coverage.first, to: coverage.until })
    .from(coverage)
    .where(and(eq(coverage.part, sql.placeholder('part')), lt(coverage.first, sql.placeholder('to')), gt(coverage.until, sql.placeholder('from'))))
    .prepare(),
)
const removeStretch = perConnection(({ orm }: Writer) => orm.delete(coverage).where(and(eq(coverage.part, sql.placeholder('part')), eq(coverage.first, sql.placeholder('from')))).prepare())

/** Removes a span from the stretches that these parts cover. */
const cutOut = (writer: Writer, parts: readonly number[], { from, to }: Span): void => {
  for (const part of parts) {
    for (const stretch of stretchesAcross(writer).all({ part, from, to })) {
      removeStretch(writer).run({ part, from: stretch.from })
      for (const rest of [{ from: stretch.from, to: from }, { from: to, to: stretch.to }]) if (rest.to > rest.from) addStretch(writer).run({ part, ...rest })
    }
  }
}

const writeNodes = (writer: Writer, { id, lows, highs }: Open): void => {
  let [low, high]: [readonly number[], readonly number[]] = [lows, highs]
  for (let level = 1; low.length >= nodeWidth; level += 1) {
    const count = Math.floor(low.length / nodeWidth)
    const above = (of: readonly number[], best: (...values: number[]) => number): number[] => Array.from({ length: count }, (_, place) => best(...of.slice(place * nodeWidth, (place + 1) * nodeWidth)))
    ;[low, high] = [above(low, Math.min), above(high, Math.max)]
    for (let place = 0; place < count; place += 1) change(writer, 'INSERT INTO nodes VALUES (?, ?, ?, ?, ?)').run(id, level, place, low[place], high[place])
  }
}
