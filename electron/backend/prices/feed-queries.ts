import { and, eq, gt, gte, isNotNull, lte, or, sql } from 'drizzle-orm'
import { zero, type Amount } from '#shared/money/money.ts'
import type { FeedFailure, PriceFeed, VendorDetail } from '#shared/prices/feeds.ts'
import { sessionSpans, type SessionSpan } from '#shared/prices/session-spans.ts'
import { covers, type Coverage, type Span } from '#shared/prices/tape.ts'
import { atomically, query, type Reader, type Writer } from '../db/database.ts'
import type { NeededPrices } from './needed-prices.ts'
import { isNearlyFull, priceLimits, usualLimits } from './queries.ts'
import { readTape } from './read-tape.ts'
import { answered, feeds, fetches } from './store/schema.ts'

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
/** Whether the file has today's table of feed answers. */
export const hasFeeds = (reader: Reader): boolean => query(reader, "SELECT 1 FROM pragma_table_info('answered') WHERE name = 'failure'").get() !== undefined

/** The saved choices; a feed without one was never changed. Purchased prices that could not be stored count as a failure until they are requested again. */
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

/** Saves the choices of a feed. Its answers in another detail no longer count. */
export const setFeed = (writer: Writer, { feed, on, spendLimit, detail }: Omit<FeedChoice, 'failure'>): void =>
  atomically(writer, () => {
    const before = feedChoices(writer).find((one) => one.feed === feed)
    if (before !== undefined && before.detail !== detail) writer.orm.delete(answered).where(eq(answered.feed, feed)).run()
    writer.orm.insert(feeds).values({ feed, on, spendLimit, detail }).onConflictDoUpdate({ target: feeds.feed, set: { on, spendLimit, detail } }).run()
  })

/** Records why a feed failed; null once it works. */
export const recordFailure = ({ orm }: Writer, feed: PriceFeed, failure: FeedChoice['failure']): void => {
  const failed = { failure: failure?.code ?? null, failedContract: failure?.contract ?? null, failedAt: failure?.at ?? null }
  orm.insert(feeds).values({ feed, on: true, ...failed }).onConflictDoUpdate({ target: feeds.feed, set: failed }).run()
}

export const fetchUnderWay = ({ orm }: Reader): FetchUnderWay | null => orm.select({ allowed: fetches.allowed, spent: fetches.spent }).from(fetches).get() ?? null

export const beginFetch = ({ orm }: Writer, allowed: Amount | null, now: number): void => {
  const begun = { begunAt: now, allowed, spent: zero }
  orm.insert(fetches).values({ id: 1, ...begun }).onConflictDoUpdate({ target: fetches.id, set: begun }).run()
}

/** Adds a request's cost before it is sent, so that a program that is killed cannot spend more than its user allowed. Negative for a request that was refused before any data came, and so was not charged. */
export const addSpending = ({ orm }: Writer, amount: Amount): void => void orm.update(fetches).set({ spent: sql`${fetches.spent} + ${amount}` }).run()

export const endFetch = ({ orm }: Writer): void => void orm.delete(fetches).run()

const upsertAnswer = ({ orm }: Writer, answer: typeof answered.$inferInsert): void => {
  orm.insert(answered).values(answer).onConflictDoUpdate({ target: [answered.feed, answered.contract, answered.first], set: answer }).run()
}

/** Records that purchased prices could not be saved, and why: they are bought again only on request. */
export const recordRefusal = (writer: Writer, { feed, wanted: { key, contract, span }, failure, now }: { readonly feed: PriceFeed; readonly wanted: WantedSession; readonly failure: FeedFailure; readonly now: number }): void =>
  upsertAnswer(writer, { feed, contract: key, first: span.from, until: span.to, entries: 0, at: now, failure, failedContract: contract })

/** Lets prices for which there was no room be bought again. */
export const retryRoomFull = ({ orm }: Writer): void => void orm.delete(answered).where(eq(answered.failure, 'room-full')).run()

/** Records that a feed has answered for a span, and with how many entries. */
export const recordAnswer = (writer: Writer, { feed, contract, span, entries, now }: { readonly feed: PriceFeed; readonly contract: string; readonly span: Span; readonly entries: number; readonly now: number }): void =>
  upsertAnswer(writer, { feed, contract, first: span.from, until: span.to, entries, at: now, failure: null, failedContract: null })

/** A feed to request from (null: any), the grain it has (µs; 0 for prints), now, and the latest time that it has (both UTC ms). */
type AskedFeed = { readonly feed: PriceFeed | null; readonly grain: number; readonly now: number; readonly latest: number }

/**
 * The sessions to request from a feed, newest first: those without prices as fine as its grain that it has not answered and
 * that the limits would not free again. The reader is null if nothing is stored.
 */
export const wantedSessions = (reader: Reader | null, needed: readonly NeededPrices[], { feed, grain, now, latest }: AskedFeed): { readonly wanted: readonly WantedSession[]; readonly isFull: boolean } => {
  const { days } = reader === null ? usualLimits : priceLimits(reader)
  const isFull = reader !== null && isNearlyFull(reader)
  const oldest = days === null ? -Infinity : (now - days * dayMs) * 1000
  // A session that one feed has answered is not requested from another: a hole in it is most likely a quiet market.
  const counts = feed === null ? gt(answered.entries, 0) : and(eq(answered.feed, feed), or(gt(answered.entries, 0), isNotNull(answered.failure), gt(answered.at, now - dayMs)))
  const isAround = and(eq(answered.contract, sql.placeholder('key')), lte(answered.first, sql.placeholder('from')), gte(answered.until, sql.placeholder('to')))
  // Prepared for all sessions.
  const answers = reader?.orm.select({ feed: answered.feed }).from(answered).where(and(isAround, counts)).limit(1).prepare()
  const wanted = needed.flatMap(({ contract, key, tickSize, spans }): WantedSession[] => {
    const tape = reader && readTape(reader, key, tickSize)
    return sessionSpans(spans, now * 1000).flatMap(({ core, span }) => {
      if (core.to > latest * 1000 || core.from <= oldest) return []
      const known = tape?.coverage(core) ?? []
      // Prices freed since count as missing, but are not fetched again.
      const isGiven = feed !== null || known.length > 0
      if (isGiven && answers?.get({ key, from: core.from, to: core.to }) !== undefined) return []
      return covers(known.filter((stretch) => isAsFine(stretch, grain)), core) ? [] : [{ contract, key, tickSize, core, span: { from: span.from, to: Math.min(span.to, latest * 1000) } }]
    })
  })
  return { wanted: wanted.sort((one, other) => other.core.to - one.core.to), isFull }
}

const isAsFine = (stretch: Coverage, grain: number): boolean => stretch.grain === 'prints' || stretch.grain <= grain
