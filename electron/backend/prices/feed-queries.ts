import { and, eq, gt, gte, isNotNull, lte, or, sql } from 'drizzle-orm'
import { zero, type Amount } from '#shared/money/money.ts'
import type { FeedFailure, PriceFeed, VendorDetail } from '#shared/prices/feeds.ts'
import { sessionSpans, type SessionSpan } from '#shared/prices/session-spans.ts'
import { covers, type Coverage, type Span } from '#shared/prices/tape.ts'
import { atomically, query, type Reader, type Writer } from '../db/database.ts'
import type { NeededPrices } from './needed-prices.ts'
import { isNearlyFull, priceLimits, usualLimits } from './queries.ts'
import { readTape } from './read-tape.ts'
import { answered, feeds, fetches } from './schema.ts'

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

const dayMs = 86_400_000

// Raw SQL: SQLite knows which columns the file has, and an earlier version had fewer.
/** Whether the file was written since answers of feeds are kept as today. */
export const hasFeeds = (reader: Reader): boolean => query(reader, "SELECT 1 FROM pragma_table_info('answered') WHERE name = 'failure'").get() !== undefined

/** The choices that were made; a feed that is missing was never touched. What was paid for in vain is a failure for as long as it is not asked for again. */
export const feedChoices = ({ orm }: Reader): readonly FeedChoice[] => {
  const refused = orm
    .select({ feed: answered.feed, failure: answered.failure, failedContract: answered.failedContract, refusedAt: sql<number>`max(${answered.at})`.as('refused_at') })
    .from(answered)
    .where(isNotNull(answered.failure))
    .groupBy(answered.feed)
    .as('refused')
  return orm.select().from(feeds).leftJoin(refused, eq(refused.feed, feeds.feed)).all().map(({ feeds: { feed, on, spendLimit, detail, failure, failedContract, failedAt }, refused: last }): FeedChoice => {
    const inVain = last === null || last.failure === null ? null : { code: last.failure, contract: last.failedContract, at: last.refusedAt }
    return { feed, on, spendLimit, detail, failure: failure === null ? inVain : { code: failure, contract: failedContract, at: failedAt ?? 0 } }
  })
}

/** Keeps the choices of a feed. What it has answered in another detail counts no more. */
export const setFeed = (writer: Writer, { feed, on, spendLimit, detail }: Omit<FeedChoice, 'failure'>): void =>
  atomically(writer, () => {
    const before = feedChoices(writer).find((one) => one.feed === feed)
    if (before !== undefined && before.detail !== detail) writer.orm.delete(answered).where(eq(answered.feed, feed)).run()
    writer.orm.insert(feeds).values({ feed, on, spendLimit, detail }).onConflictDoUpdate({ target: feeds.feed, set: { on, spendLimit, detail } }).run()
  })

/** Notes why a feed failed; null once it works. */
export const noteFailure = ({ orm }: Writer, feed: PriceFeed, failure: FeedChoice['failure']): void => {
  const failed = { failure: failure?.code ?? null, failedContract: failure?.contract ?? null, failedAt: failure?.at ?? null }
  orm.insert(feeds).values({ feed, on: true, ...failed }).onConflictDoUpdate({ target: feeds.feed, set: failed }).run()
}

export const fetchUnderWay = ({ orm }: Reader): FetchUnderWay | null => orm.select({ allowed: fetches.allowed, spent: fetches.spent }).from(fetches).get() ?? null

export const beginFetch = ({ orm }: Writer, allowed: Amount | null, now: number): void => {
  const begun = { begunAt: now, allowed, spent: zero }
  orm.insert(fetches).values({ id: 1, ...begun }).onConflictDoUpdate({ target: fetches.id, set: begun }).run()
}

/** Adds what a request costs before it is sent: a program that is killed must not spend more than its user allowed. The amount is negative where a request was refused before anything came, so that it was not charged. */
export const addSpent = ({ orm }: Writer, amount: Amount): void => void orm.update(fetches).set({ spent: sql`${fetches.spent} + ${amount}` }).run()

export const endFetch = ({ orm }: Writer): void => void orm.delete(fetches).run()

const putAnswer = ({ orm }: Writer, answer: typeof answered.$inferInsert): void => {
  orm.insert(answered).values(answer).onConflictDoUpdate({ target: [answered.feed, answered.contract, answered.first], set: answer }).run()
}

/** Notes that what a feed was paid for is not stored, and why: it is bought again only on request. */
export const noteRefused = (writer: Writer, { feed, wanted: { key, contract, span }, failure, now }: { readonly feed: PriceFeed; readonly wanted: WantedSession; readonly failure: FeedFailure; readonly now: number }): void =>
  putAnswer(writer, { feed, contract: key, first: span.from, until: span.to, entries: 0, at: now, failure, failedContract: contract })

/** What there was no room for may be bought once there is. */
export const forgetRoomFull = ({ orm }: Writer): void => void orm.delete(answered).where(eq(answered.failure, 'room-full')).run()

/** Notes that a feed has answered for a span, with so many entries. */
export const noteAnswered = (writer: Writer, { feed, contract, span, entries, now }: { readonly feed: PriceFeed; readonly contract: string; readonly span: Span; readonly entries: number; readonly now: number }): void =>
  putAnswer(writer, { feed, contract, first: span.from, until: span.to, entries, at: now, failure: null, failedContract: null })

/**
 * The sessions that a feed is to be asked for, newest first: what lacks prices of `grain` (µs; 0 for prints) or finer, what
 * the feed (null: any) has not answered, and what the limits would not free again. `now` is UTC ms, and `latest` the newest that it has;
 * the reader is null where nothing is stored.
 */
export const wantedSessions = (reader: Reader | null, needed: readonly NeededPrices[], { feed, grain, now, latest }: { readonly feed: PriceFeed | null; readonly grain: number; readonly now: number; readonly latest: number }): { readonly wanted: readonly WantedSession[]; readonly isFull: boolean } => {
  const { days } = reader === null ? usualLimits : priceLimits(reader)
  const isFull = reader !== null && isNearlyFull(reader)
  const oldest = days === null ? -Infinity : (now - days * dayMs) * 1000
  // What one feed has given, no other need be asked for: a hole in it is a still market, as far as anybody knows.
  const counts = feed === null ? gt(answered.entries, 0) : and(eq(answered.feed, feed), or(gt(answered.entries, 0), isNotNull(answered.failure), gt(answered.at, now - dayMs)))
  const isAround = and(eq(answered.contract, sql.placeholder('key')), lte(answered.first, sql.placeholder('from')), gte(answered.until, sql.placeholder('to')))
  // Prepared for all sessions.
  const answers = reader?.orm.select({ feed: answered.feed }).from(answered).where(and(isAround, counts)).limit(1).prepare()
  const wanted = needed.flatMap(({ contract, key, tickSize, spans }): WantedSession[] => {
    const tape = reader && readTape(reader, key, tickSize)
    return sessionSpans(spans, now * 1000).flatMap(({ core, span }) => {
      if (core.to > latest * 1000 || core.from <= oldest) return []
      const known = tape?.coverage(core) ?? []
      // What was freed since is missing again, though it is not fetched again.
      const isGiven = feed !== null || known.length > 0
      if (isGiven && answers?.get({ key, from: core.from, to: core.to }) !== undefined) return []
      return covers(known.filter((stretch) => isAsFine(stretch, grain)), core) ? [] : [{ contract, key, tickSize, core, span: { from: span.from, to: Math.min(span.to, latest * 1000) } }]
    })
  })
  return { wanted: wanted.sort((one, other) => other.core.to - one.core.to), isFull }
}

const isAsFine = (stretch: Coverage, grain: number): boolean => stretch.grain === 'prints' || stretch.grain <= grain
