import type { PriceFeed } from '#shared/prices/feeds.ts'
import type { PriceSource } from '#shared/prices/formats/format.ts'
import { atomically, change, query, type Reader, type Writer } from '../db/database.ts'

/** Prices of one contract (root and delivery) from one kind of file in one grain (0 for prints); times are UTC µs. */
export type StoredSeries = { readonly contract: string; readonly source: PriceSource; readonly grain: number; readonly first: number; readonly until: number; readonly entries: number; readonly bytes: number }

/** The room that prices may take, in bytes, and for how many days they are kept; null without a limit. */
export type PriceLimits = { readonly bytes: number | null; readonly days: number | null }

export const usualLimits: PriceLimits = { bytes: 2_000_000_000, days: null }

const dayUs = 86_400_000_000

/** All prices that are kept, by contract. */
export const storedSeries = (reader: Reader): readonly StoredSeries[] =>
  query<StoredSeries>(reader, 'SELECT contract, source, grain, min(first) AS first, max(until) AS until, sum(entries) AS entries, sum(bytes) AS bytes FROM parts GROUP BY contract, source, grain ORDER BY contract, grain, source').all()

export const priceLimits = (reader: Reader): PriceLimits => query<PriceLimits>(reader, 'SELECT bytes, days FROM limits').get() ?? usualLimits

/** Sets the limits and frees what is beyond them; `now` is UTC ms. */
export const setPriceLimits = (writer: Writer, { bytes, days }: PriceLimits, now: number): readonly FreedPart[] =>
  atomically(writer, () => {
    change(writer, 'INSERT OR REPLACE INTO limits VALUES (1, ?, ?)').run(bytes, days)
    return freeRoom(writer, now)
  })

/** A part that was freed: its contract, and the UTC µs that it ended at. */
export type FreedPart = { readonly contract: string; readonly until: number }

type Part = FreedPart & { readonly id: number; readonly bytes: number }

/** Frees what is older than the limit says, then the oldest prices until the rest fits; `kept` are parts that may not go. */
export const freeRoom = (writer: Writer, now: number, kept: ReadonlySet<number> = new Set()): readonly FreedPart[] => {
  const { bytes, days } = priceLimits(writer)
  const oldest = days === null ? -Infinity : now * 1000 - days * dayUs
  const parts = query<Part>(writer, 'SELECT id, contract, until, bytes FROM parts ORDER BY until, id').all()
  let room = parts.reduce((sum, part) => sum + part.bytes, 0)
  const freed = parts.filter((part) => {
    const goes = part.until < oldest || (bytes !== null && room > bytes && !kept.has(part.id))
    if (goes) room -= part.bytes
    return goes
  })
  for (const { id } of freed) removePart(writer, id)
  return freed.map(({ contract, until }) => ({ contract, until }))
}

/** The bytes that all prices take. */
export const priceBytes = (reader: Reader): number => query<{ bytes: number }>(reader, 'SELECT COALESCE(sum(bytes), 0) AS bytes FROM parts').get()?.bytes ?? 0

const nearlyFull = 0.9

/** Whether prices take so much of their room that nothing is fetched which was not asked for. */
export const isNearlyFull = (reader: Reader): boolean => {
  const { bytes } = priceLimits(reader)
  return bytes !== null && priceBytes(reader) > bytes * nearlyFull
}

/** Removes the prices of a series. */
export const removeSeries = (writer: Writer, { contract, source, grain }: Pick<StoredSeries, 'contract' | 'source' | 'grain'>): void =>
  atomically(writer, () => {
    for (const { id } of query<{ id: number }>(writer, 'SELECT id FROM parts WHERE contract = ? AND source = ? AND grain = ?').all(contract, source, grain)) removePart(writer, id)
    const feed = feedOfSource[source]
    // The user stopped the fetch, or began another.
    if (feed !== undefined) change(writer, 'DELETE FROM answered WHERE feed = ? AND contract = ?').run(feed, contract)
  })

/** The feed whose answers are stored as a source. */
const feedOfSource: Readonly<Partial<Record<PriceSource, PriceFeed>>> = { 'projectx-bars': 'projectx', 'tradovate-bars': 'tradovate', 'databento-trades': 'databento', 'databento-bars': 'databento' }

const removePart = (writer: Writer, id: number): void => void change(writer, 'DELETE FROM parts WHERE id = ?').run(id)
