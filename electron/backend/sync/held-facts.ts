import { and, desc, eq, gte, lt, lte, ne, sql } from 'drizzle-orm'
import { feeFactsOf } from '#shared/fills/merge.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import type { AccountKey, Fill, Side } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { OwnPair, HeldFacts, BrokerPosition } from '#shared/sync/holdings.ts'
import type { KnownFill } from '../brokers/port.ts'
import { query, type Reader } from '../db/database.ts'
import { fillPairs, fills, knownPositions } from '../db/schema/journal.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import type { OfUser } from '../db/rows.ts'

/** A contract of an account in a session. */
export type Holding = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate'>

// Raw SQL of lists and of several tables in this file: the benchmark `sync` asks it of each session.
/** Those of the ids that are known, in any of the accounts. */
export const knownFills = (reader: Reader, { userId, accounts, ids }: OfUser & { readonly accounts: readonly AccountKey[]; readonly ids: readonly string[] }): KnownFill[] => {
  const sql = `${knownColumns} AND fills.id = wanted.value`
  return ids.length === 0 ? [] : query<KnownFillRow>(reader, sql).all(JSON.stringify(accounts), JSON.stringify(ids), userId).map(toKnown)
}

/** Those that are known by one of the ids followed by `~` and more. */
export const knownTwins = (reader: Reader, { userId, accounts, ids }: OfUser & { readonly accounts: readonly AccountKey[]; readonly ids: readonly string[] }): KnownFill[] => {
  // The character after `~` ends the range.
  const sql = `${knownColumns} AND fills.id > wanted.value || '~' AND fills.id < wanted.value || char(127)`
  return ids.length === 0 ? [] : query<KnownFillRow>(reader, sql).all(JSON.stringify(accounts), JSON.stringify(ids), userId).map(toKnown)
}

const knownColumns = `SELECT account, fills.id, contract, source, time, side, qty, price, tick_size AS tickSize, fee, active, ambiguous, order_id AS orderId FROM json_each(?) AS of CROSS JOIN json_each(?) AS wanted
  CROSS JOIN fills ON fills.user_id = ? AND fills.account = of.value`

type KnownFillRow = Omit<KnownFill, 'active' | 'ambiguous'> & { readonly active: number; readonly ambiguous: number }
const toKnown = (row: KnownFillRow): KnownFill => ({ ...row, active: row.active === 1, ambiguous: row.ambiguous === 1 })

// A session lies within these local dates, in whatever zone they are counted.
const datesAround = (tradeDate: string): readonly [string, string] => [isoDate(dayOfDate(tradeDate) - 4), isoDate(dayOfDate(tradeDate) + 1)]

// Files may leave out a fill's session: then its time decides.
const inSession = '(trade_date = @day OR (trade_date IS NULL AND time >= @opens AND time < @ends))'

const sessionValues = (tradeDate: string): { day: string; opens: number; ends: number; from: string; to: string } => {
  const { opens, listedUntil } = sessionOf(tradeDate)
  const [from, to] = datesAround(tradeDate)
  return { day: tradeDate, opens, ends: listedUntil, from, to }
}

/** All fills of a session (`YYYY-MM-DD`) by the broker or its Fills report. */
export const fillsOfSession = (reader: Reader, { userId, accounts, tradeDate }: OfUser & { readonly accounts: readonly AccountKey[]; readonly tradeDate: string }): Pick<Fill, 'account' | 'id'>[] => {
  const sql = `SELECT fills.account, fills.id FROM json_each(@accounts) AS of CROSS JOIN batches ON batches.user_id = @userId AND batches.account = of.value AND batches.local_date BETWEEN @from AND @to
    CROSS JOIN fills ON fills.user_id = @userId AND fills.account = batches.account AND fills.contract = batches.contract AND fills.local_date = batches.local_date
    WHERE source IN ('api', 'fills-file') AND ${inSession}`
  return query<{ account: AccountKey; id: string }>(reader, sql).all({ userId, accounts: JSON.stringify(accounts), ...sessionValues(tradeDate) })
}

const sums = `SELECT
    COALESCE(sum(CASE WHEN ${inSession} THEN 0 WHEN side = 'buy' THEN qty ELSE -qty END), 0) AS before,
    COALESCE(sum(CASE WHEN ${inSession} AND side = 'buy' THEN qty END), 0) AS bought,
    COALESCE(sum(CASE WHEN ${inSession} AND side = 'sell' THEN qty END), 0) AS sold,
    min(CASE WHEN ${inSession} THEN time END) AS first,
    max(CASE WHEN ${inSession} THEN time END) AS last
  FROM fills WHERE user_id = @userId AND account = @account AND contract = @contract AND active = 1`

/** In the order of the input. */
export const heldFacts = (reader: Reader, { userId, holdings }: OfUser & { readonly holdings: readonly Holding[] }): HeldFacts[] =>
  holdings.map(({ account, contract, tradeDate }) => {
    const row = query<{ before: number; bought: number; sold: number; first: number | null; last: number | null }>(reader, sums).get({ ...sessionValues(tradeDate), userId, account, contract })
    const { before = 0, bought = 0, sold = 0, first = null, last = null } = row ?? {}
    return { account, contract, tradeDate, before, bought, sold, first, last }
  })

/** Contracts that the journal holds, and those whose position the broker was known by since a moment (UTC ms). */
export const openHoldings = (reader: Reader, { userId, accounts, since }: OfUser & { readonly accounts: readonly AccountKey[]; readonly since: number }): Pick<Holding, 'account' | 'contract'>[] => {
  const sql = `SELECT account, contract FROM json_each(@accounts) AS of CROSS JOIN batches ON user_id = @userId AND account = of.value AND ends_open = 1
      WHERE NOT EXISTS (SELECT 1 FROM batches AS later WHERE later.user_id = batches.user_id AND later.account = batches.account AND later.contract = batches.contract AND later.local_date > batches.local_date)
    UNION SELECT account, contract FROM json_each(@accounts) AS of CROSS JOIN known_positions ON user_id = @userId AND account = of.value AND source = 'broker' AND time >= @since`
  return query<{ account: AccountKey; contract: string }>(reader, sql).all({ userId, accounts: JSON.stringify(accounts), since })
}

const partsOf = (account: AccountKey, pairId: string): { opening: string; closing: string } => {
  const [opening = '', closing = ''] = pairId.slice(account.length + 1).split('/')
  return { opening, closing }
}

/** What a session's pairs are by the journal, removed ones too. */
export const pairsOfSession = ({ orm }: Reader, { userId, account, contract, tradeDate }: OfUser & Holding): OwnPair[] =>
  orm
    .select({ id: fillPairs.id, qty: fillPairs.qty })
    .from(fillPairs)
    .where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, account), eq(fillPairs.symbol, contract), eq(fillPairs.tradingDay, tradeDate), eq(fillPairs.origin, 'synced')))
    .all()
    .map(({ id, qty }): OwnPair => ({ ...partsOf(account, id), qty }))

/** How many of a fill's contracts were closed in other sessions than this one. */
export const closedInOtherSessions = ({ orm }: Reader, { userId, account, contract, tradeDate, id }: OfUser & Holding & { readonly id: string }): number => {
  const opening = `${account}/${id}`
  // Ids of pairs begin with those of their opening fill, and "0" is the character behind "/".
  const isOpenedByIt = and(gte(fillPairs.id, `${opening}/`), lt(fillPairs.id, `${opening}0`))
  return (
    orm
      .select({ qty: sql<number>`COALESCE(sum(${fillPairs.qty}), 0)` })
      .from(fillPairs)
      .where(and(eq(fillPairs.userId, userId), isOpenedByIt, eq(fillPairs.symbol, contract), ne(fillPairs.tradingDay, tradeDate), eq(fillPairs.origin, 'synced')))
      .get()?.qty ?? 0
  )
}

const netOfFills = sql<number>`COALESCE(sum(CASE ${fills.side} WHEN 'buy' THEN ${fills.qty} ELSE -${fills.qty} END), 0)`

/** By how much the broker's known positions before a time differ from our fills up to then, the latest first. */
function* apartness({ orm }: Reader, userId: string, account: AccountKey, contract: string, before: number): Generator<{ readonly time: number; readonly apart: number }> {
  const isKnown = and(eq(knownPositions.userId, userId), eq(knownPositions.account, account), eq(knownPositions.contract, contract), eq(knownPositions.source, 'broker'), lt(knownPositions.time, before))
  for (const { time, net } of orm.select().from(knownPositions).where(isKnown).orderBy(desc(knownPositions.time)).all()) {
    const isHeld = and(eq(fills.userId, userId), eq(fills.account, account), eq(fills.contract, contract), eq(fills.active, true), lte(fills.time, time))
    yield { time, apart: net - (orm.select({ net: netOfFills }).from(fills).where(isHeld).get()?.net ?? 0) }
  }
}

/** By how many contracts the broker's last known position before `time` (UTC ms) differs from our fills up to then; null if it never stated one. */
export const apartBefore = (reader: Reader, { userId, account, contract, time }: OfUser & Pick<Holding, 'account' | 'contract'> & { readonly time: number }): number | null => {
  for (const { apart } of apartness(reader, userId, account, contract, time)) return apart
  return null
}

/** The first of the broker's known positions before `time` (UTC ms) since which ours lacks contracts of this side without a break; null if the last of them agrees. */
export const apartSince = (reader: Reader, { userId, account, contract, time, side }: OfUser & Pick<Holding, 'account' | 'contract'> & { readonly time: number; readonly side: Side }): number | null => {
  let since: number | null = null
  for (const known of apartness(reader, userId, account, contract, time)) {
    if (side === 'buy' ? known.apart <= 0 : known.apart >= 0) break
    since = known.time
  }
  return since
}

type UnsettledRow = { account: AccountKey; tradingDay: string }
type HeldFillRow = Omit<PricedFill, 'active' | 'otherFees'> & { active: number; otherFees: string | null; base: string | null }

/** Sessions whose fees were not read after their end, with the fills that the broker listed, prices in each one's ticks; from `since` until before `before` (trading days), the latest first. */
export const unsettledSessions = (reader: Reader, { userId, accounts, since, before }: OfUser & { readonly accounts: readonly AccountKey[]; readonly since: string; readonly before: string }): { readonly account: AccountKey; readonly tradingDay: string; readonly fills: PricedFill[] }[] => {
  const sql = `SELECT account, trading_day AS tradingDay FROM json_each(?) AS of CROSS JOIN session_reads ON user_id = ? AND account = of.value
    WHERE settled = 0 AND trading_day >= ? AND trading_day < ? ORDER BY trading_day DESC`
  const fillsSql = `SELECT fills.id, fills.account, fills.contract, time, side, qty, price, tick_size AS tickSize, fee, active, source, order_id AS orderId, broker_contract_id AS contractId, trade_date AS tradeDate, other_fees AS otherFees, base
    FROM batches CROSS JOIN fills ON fills.user_id = @userId AND fills.account = @account AND fills.contract = batches.contract AND fills.local_date = batches.local_date
    LEFT JOIN base_fills ON base_fills.user_id = @userId AND base_fills.account = @account AND base_fills.id = fills.id
    WHERE batches.user_id = @userId AND batches.account = @account AND batches.local_date BETWEEN @from AND @to AND source = 'api' AND trade_date = @day`
  return query<UnsettledRow>(reader, sql)
    .all(JSON.stringify(accounts), userId, since, before)
    .map(({ account, tradingDay }) => {
      const [from, to] = datesAround(tradingDay)
      const rows = query<HeldFillRow>(reader, fillsSql).all({ userId, account, day: tradingDay, from, to })
      return { account, tradingDay, fills: rows.map(toTaken) }
    })
}

/** The broker's version of a fill, without what imports changed. */
const toTaken = ({ base, tickSize, active, otherFees, ...fill }: HeldFillRow): PricedFill => {
  const brokers = base === null ? null : (JSON.parse(base) as PricedFill)
  return brokers ?? { ...fill, ...feeFactsOf({ otherFees: amountsOfText(otherFees) }), active: active === 1, tickSize }
}
