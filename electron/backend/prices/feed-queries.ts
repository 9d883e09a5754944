import type { Amount } from '#shared/money/money.ts'
import type { FeedFailure, PriceFeed, VendorDetail } from '#shared/prices/feeds.ts'
import { sessionSpans, type SessionSpan } from '#shared/prices/session-spans.ts'
import { covers, type Coverage, type Span } from '#shared/prices/tape.ts'
import { atomically, change, query, type Reader, type Writer } from '../db/database.ts'
import type { NeededPrices } from './needed-prices.ts'
import { isNearlyFull, priceLimits, usualLimits } from './queries.ts'
import { readTape } from './read-tape.ts'

/** A user's choices of a feed, and why it failed last. Money in 1/10,000 of a US dollar, `at` in UTC ms. */
export type FeedChoice = {
  readonly feed: PriceFeed
  readonly on: boolean
  readonly spendLimit: Amount | null
  readonly detail: VendorDetail | null
  readonly failure: { readonly code: FeedFailure; readonly contract: string | null; readonly at: number } | null
}

/** A fetch under way: what it may spend (null for nothing) and has spent. */
export type FetchUnderWay = { readonly allowed: Amount | null; readonly spent: Amount }

/** A session of a contract whose trades lack prices. */
export type WantedSession = SessionSpan & Pick<NeededPrices, 'contract' | 'key' | 'tickSize'>

type Row = { feed: PriceFeed; is_on: number; spend_limit: Amount | null; detail: VendorDetail | null; failure: FeedFailure | null; failed_contract: string | null; failed_at: number | null }

const dayMs = 86_400_000

/** Whether the file was written since answers of feeds are kept as today. */
export const hasFeeds = (reader: Reader): boolean => query(reader, "SELECT 1 FROM pragma_table_info('answered') WHERE name = 'failure'").get() !== undefined

/** The choices that were made; a feed that is missing was never touched. What was paid for in vain is a failure for as long as it is not asked for again. */
export const feedChoices = (reader: Reader): readonly FeedChoice[] =>
  query<Row>(reader, `SELECT feeds.feed, is_on, spend_limit, detail, coalesce(feeds.failure, refused.failure) AS failure,
    CASE WHEN feeds.failure IS NULL THEN refused.failed_contract ELSE feeds.failed_contract END AS failed_contract, coalesce(failed_at, refused.at) AS failed_at
    FROM feeds LEFT JOIN (SELECT feed, failure, failed_contract, max(at) AS at FROM answered WHERE failure IS NOT NULL GROUP BY feed) AS refused ON refused.feed = feeds.feed`).all().map(({ feed, is_on, spend_limit, detail, failure, failed_contract, failed_at }) => ({ feed, on: is_on === 1, spendLimit: spend_limit, detail, failure: failure === null ? null : { code: failure, contract: failed_contract, at: failed_at ?? 0 } }))

/** Keeps the choices of a feed. What it has answered in another detail counts no more. */
export const setFeed = (writer: Writer, { feed, on, spendLimit, detail }: Omit<FeedChoice, 'failure'>): void =>
  atomically(writer, () => {
    const before = feedChoices(writer).find((one) => one.feed === feed)
    if (before !== undefined && before.detail !== detail) change(writer, 'DELETE FROM answered WHERE feed = ?').run(feed)
    change(writer, 'INSERT INTO feeds (feed, is_on, spend_limit, detail) VALUES (?, ?, ?, ?) ON CONFLICT (feed) DO UPDATE SET is_on = excluded.is_on, spend_limit = excluded.spend_limit, detail = excluded.detail').run(feed, on ? 1 : 0, spendLimit, detail)
  })

/** Notes why a feed failed; null once it works. */
export const noteFailure = (writer: Writer, feed: PriceFeed, failure: FeedChoice['failure']): void =>
  void change(writer, 'INSERT INTO feeds (feed, is_on, failure, failed_contract, failed_at) VALUES (?, 1, ?, ?, ?) ON CONFLICT (feed) DO UPDATE SET failure = excluded.failure, failed_contract = excluded.failed_contract, failed_at = excluded.failed_at').run(feed, failure?.code ?? null, failure?.contract ?? null, failure?.at ?? null)

export const fetchUnderWay = (reader: Reader): FetchUnderWay | null => query<FetchUnderWay>(reader, 'SELECT allowed, spent FROM fetches').get() ?? null

export const beginFetch = (writer: Writer, allowed: Amount | null, now: number): void => void change(writer, 'INSERT OR REPLACE INTO fetches (id, begun_at, allowed, spent) VALUES (1, ?, ?, 0)').run(now, allowed)

/** Adds what a request costs before it is sent: a program that is killed must not spend more than its user allowed. The amount is negative where a request was refused before anything came, so that it was not charged. */
export const addSpent = (writer: Writer, amount: Amount): void => void change(writer, 'UPDATE fetches SET spent = spent + ?').run(amount)

export const endFetch = (writer: Writer): void => void change(writer, 'DELETE FROM fetches').run()

/** Notes that what a feed was paid for is not stored, and why: it is bought again only on request. */
export const noteRefused = (writer: Writer, { feed, wanted: { key, contract, span }, failure, now }: { readonly feed: PriceFeed; readonly wanted: WantedSession; readonly failure: FeedFailure; readonly now: number }): void =>
  void change(writer, 'INSERT OR REPLACE INTO answered (feed, contract, first, until, entries, at, failure, failed_contract) VALUES (?, ?, ?, ?, 0, ?, ?, ?)').run(feed, key, span.from, span.to, now, failure, contract)

/** What there was no room for may be bought once there is. */
export const forgetRoomFull = (writer: Writer): void => void change(writer, "DELETE FROM answered WHERE failure = 'room-full'").run()

/** Notes that a feed has answered for a span, with so many entries. */
export const noteAnswered = (writer: Writer, { feed, contract, span, entries, now }: { readonly feed: PriceFeed; readonly contract: string; readonly span: Span; readonly entries: number; readonly now: number }): void =>
  void change(writer, 'INSERT OR REPLACE INTO answered (feed, contract, first, until, entries, at) VALUES (?, ?, ?, ?, ?, ?)').run(feed, contract, span.from, span.to, entries, now)

/**
 * The sessions that a feed is to be asked for, newest first: what lacks prices of `grain` (µs; 0 for prints) or finer, what
 * the feed (null: any) has not answered, and what the limits would not free again. `now` is UTC ms, and `latest` the newest that it has;
 * the reader is null where nothing is stored.
 */
export const wantedSessions = (reader: Reader | null, needed: readonly NeededPrices[], { feed, grain, now, latest }: { readonly feed: PriceFeed | null; readonly grain: number; readonly now: number; readonly latest: number }): { readonly wanted: readonly WantedSession[]; readonly isFull: boolean } => {
  const { days } = reader === null ? usualLimits : priceLimits(reader)
  const isFull = reader !== null && isNearlyFull(reader)
  const oldest = days === null ? -Infinity : (now - days * dayMs) * 1000
  const answered = 'SELECT 1 AS found FROM answered WHERE contract = @key AND first <= @from AND until >= @to'
  // What one feed has given, no other need be asked for: a hole in it is a still market, as far as anybody knows.
  const answers = reader && query<{ found: number }>(reader, `${answered} AND ${feed === null ? 'entries > 0' : 'feed = @feed AND (entries > 0 OR failure IS NOT NULL OR at > @dayAgo)'} LIMIT 1`)
  const wanted = needed.flatMap(({ contract, key, tickSize, spans }): WantedSession[] => {
    const tape = reader && readTape(reader, key, tickSize)
    return sessionSpans(spans, now * 1000).flatMap(({ core, span }) => {
      if (core.to > latest * 1000 || core.from <= oldest) return []
      const known = tape?.coverage(core) ?? []
      // What was freed since is missing again, though it is not fetched again.
      const isGiven = feed !== null || known.length > 0
      if (isGiven && answers?.get({ key, from: core.from, to: core.to, feed, dayAgo: now - dayMs }) !== undefined) return []
      return covers(known.filter((stretch) => isAsFine(stretch, grain)), core) ? [] : [{ contract, key, tickSize, core, span: { from: span.from, to: Math.min(span.to, latest * 1000) } }]
    })
  })
  return { wanted: wanted.sort((one, other) => other.core.to - one.core.to), isFull }
}

const isAsFine = (stretch: Coverage, grain: number): boolean => stretch.grain === 'prints' || stretch.grain <= grain
