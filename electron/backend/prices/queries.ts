import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PriceFeed } from '#shared/prices/feeds.ts'
import type { PriceSource } from '#shared/prices/formats/format.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import { answered, limits, parts } from './store/schema.ts'

/** Prices of one contract (root and delivery) from one kind of file in one grain (0 for prints); times are UTC µs. */
export type StoredSeries = { readonly contract: string; readonly source: PriceSource; readonly grain: number; readonly first: number; readonly until: number; readonly entries: number; readonly bytes: number }

/** The room that prices may take, in bytes, and for how many days they are kept; null without a limit. */
export type PriceLimits = { readonly bytes: number | null; readonly days: number | null }

export const usualLimits: PriceLimits = { bytes: 2_000_000_000, days: null }

const dayUs = 86_400_000_000

/** All prices that are kept, by contract. */
export const storedSeries = ({ orm }: Reader): readonly StoredSeries[] =>
  orm
    .select({
      contract: parts.contract, source: parts.source, grain: parts.grain,
      first: sql<number>`min(${parts.first})`, until: sql<number>`max(${parts.until})`, entries: sql<number>`sum(${parts.entries})`, bytes: sql<number>`sum(${parts.bytes})`,
    })
    .from(parts)
    .groupBy(parts.contract, parts.source, parts.grain)
    .orderBy(parts.contract, parts.grain, parts.source)
    .all()

export const priceLimits = ({ orm }: Reader): PriceLimits => orm.select({ bytes: limits.bytes, days: limits.days }).from(limits).get() ?? usualLimits

/** Sets the limits and frees what is beyond them; `now` is UTC ms. */
export const setPriceLimits = (writer: Writer, { bytes, days }: PriceLimits, now: number): readonly FreedPart[] =>
  atomically(writer, () => {
    writer.orm.insert(limits).values({ id: 1, bytes, days }).onConflictDoUpdate({ target: limits.id, set: { bytes, days } }).run()
    return freeRoom(writer, now)
  })

/** A part that was freed: its contract, and the UTC µs that it ended at. */
export type FreedPart = { readonly contract: string; readonly until: number }

/** Frees prices older than the limit, then the oldest until the rest fits; `kept` are parts that must stay. */
export const freeRoom = (writer: Writer, now: number, kept: ReadonlySet<number> = new Set()): readonly FreedPart[] => {
  const { bytes, days } = priceLimits(writer)
  const oldest = days === null ? -Infinity : now * 1000 - days * dayUs
  const stored = writer.orm.select({ id: parts.id, contract: parts.contract, until: parts.until, bytes: parts.bytes }).from(parts).orderBy(parts.until, parts.id).all()
  let room = stored.reduce((sum, part) => sum + part.bytes, 0)
  const freed = stored.filter((part) => {
    const goes = part.until < oldest || (bytes !== null && room > bytes && !kept.has(part.id))
    if (goes) room -= part.bytes
    return goes
  })
  writer.orm.delete(parts).where(inArray(parts.id, freed.map(({ id }) => id))).run()
  return freed.map(({ contract, until }) => ({ contract, until }))
}

/** The bytes that all prices take. */
export const priceBytes = ({ orm }: Reader): number => orm.select({ bytes: sql<number | null>`sum(${parts.bytes})` }).from(parts).get()?.bytes ?? 0

const nearlyFull = 0.9

/** Whether prices take so much of their room that nothing more is fetched unasked. */
export const isNearlyFull = (reader: Reader): boolean => {
  const { bytes } = priceLimits(reader)
  return bytes !== null && priceBytes(reader) > bytes * nearlyFull
}

/** Removes the prices of a series. */
export const removeSeries = (writer: Writer, { contract, source, grain }: Pick<StoredSeries, 'contract' | 'source' | 'grain'>): void =>
  atomically(writer, () => {
    writer.orm.delete(parts).where(and(eq(parts.contract, contract), eq(parts.source, source), eq(parts.grain, grain))).run()
    const feed = feedOfSource[source]
    // The user stopped the fetch, or began another.
    if (feed !== undefined) writer.orm.delete(answered).where(and(eq(answered.feed, feed), eq(answered.contract, contract))).run()
  })

/** The feed whose answers are stored as a source. */
const feedOfSource: Readonly<Partial<Record<PriceSource, PriceFeed>>> = { 'projectx-bars': 'projectx', 'tradovate-bars': 'tradovate', 'databento-trades': 'databento', 'databento-bars': 'databento' }
