import { eq, sql as fragment, type Placeholder, type SQL } from 'drizzle-orm'
import type { TradeSort } from '#shared/api/journal.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { limitedFigures, type TradeFilter, excursionFigures, type ExcursionFigure } from '#shared/stats/filter.ts'
import { meetsAccount, meetsSymbol } from '#shared/stats/match-filter.ts'
import { copied } from './copied-trades.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { idsWithExcursions, idsByExcursion } from '../prices/store/stored-excursions.ts'
import { accountKey, inView, pairInView, pairRow, tradeRow } from './rows.ts'

/** A condition on `row`, and its parameters. */
export type Condition = { readonly sql: string; readonly values: readonly string[] }

/** The same for a query of drizzle's, whose rows are named `row`. */
export const conditionOf = ({ sql, values }: Pick<Condition, 'sql'> & { readonly values: readonly (string | Placeholder)[] }): SQL => {
  const [first = '', ...others] = sql.split('?')
  return fragment.join([fragment.raw(first), ...others.flatMap((text, at) => [fragment`${values[at]}`, fragment.raw(text)])])
}

/** The rows of a unit, for drizzle: FIFO pairs, or counted trades. */
export const rowOf = { pairs: pairRow, trades: tradeRow } as const

/** The table of the same rows. */
export const tableOf: Record<Unit, string> = { pairs: 'fill_pairs', trades: 'counted_trades' }

/** A user's visible pairs or trades that pass a filter, like `matchesFilter`. In raw SQL, of which queries are composed: the benchmarks `reads` and `logbook` measure them. */
export const rowsMeeting = (reader: Reader, userId: string, unit: Unit, filter: TradeFilter): Condition => {
  const conditions = [
    inViewOf(userId, unit),
    ...(filter.from === null ? [] : [{ sql: 'row.trading_day >= ?', values: [filter.from] }]),
    ...(filter.to === null ? [] : [{ sql: 'row.trading_day <= ?', values: [filter.to] }]),
    ...(filter.symbol === '' && filter.symbols.length === 0 ? [] : [ofSymbols(reader, userId, filter)]),
    ...(filter.account === '' && filter.accounts.length === 0 ? [] : [ofAccounts(reader, userId, filter)]),
    ...(filter.sides.length === 0 ? [] : [{ sql: `row.side ${among}`, values: [JSON.stringify(filter.sides)] }]),
    ...(filter.tags.length === 0 ? [] : [ofTags(reader, userId, unit, filter.tags)]),
    ...(filter.leaderOnly ? [noCopies(userId, unit)] : []),
    ...(filter.warnedOnly ? [{ sql: "row.warnings <> '[]'", values: [] }] : []),
    ...(filter.pricedOnly || limitedFigures(filter).length > 0 ? [ofExcursions(reader, userId, filter)] : []),
    ...timed(filter),
  ]
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

/** A user's visible pairs or trades. */
export const inViewOf = (userId: string, unit: Unit): Condition => (unit === 'pairs' ? { sql: pairInView, values: [userId, userId, userId] } : { sql: inView, values: [userId, userId] })

const ofUser = fragment.placeholder('userId')
/** The visible pairs of the placeholder `userId`, for prepared queries. */
export const isInView = conditionOf({ sql: pairInView, values: [ofUser, ofUser, ofUser] })

/** Keys of a user's accounts, taken once, that are copies of an existing leader. If computers marked accounts as copies of each other, none of these counts as one. */
export const copies = `SELECT copy.key FROM accounts AS copy JOIN accounts AS leader ON leader.user_id = copy.user_id AND leader.key = copy.copy_of
  WHERE copy.user_id = ? AND leader.removed_at IS NULL AND NOT EXISTS (
    WITH RECURSIVE above (key) AS (SELECT copy.copy_of UNION SELECT next.copy_of FROM above JOIN accounts AS next ON next.user_id = copy.user_id AND next.key = above.key WHERE next.copy_of IS NOT NULL)
    SELECT 1 FROM above WHERE above.key = copy.key)`

const among = 'IN (SELECT value FROM json_each(?))'

const leap = (reader: Reader, sql: string, ...values: string[]): string[] => {
  const next = query<{ next: string | null }>(reader, sql)
  const found: string[] = []
  for (let at = next.get(...values, '')?.next; at !== null && at !== undefined; at = next.get(...values, at)?.next) found.push(at)
  return found
}

/** The accounts and symbols of a user's fill pairs, by skipping through their index: they are few, and fill pairs may be many. A trade entered by hand may have no account. */
const tradedAccounts = (reader: Reader, userId: string): string[] => leap(reader, 'SELECT min(account_id) AS next FROM fill_pairs WHERE user_id = ? AND account_id > ?', userId)
export const tradedSymbols = (reader: Reader, userId: string): ReadonlySet<string> =>
  new Set(['', ...tradedAccounts(reader, userId)].flatMap((account) => leap(reader, 'SELECT min(symbol) AS next FROM fill_pairs WHERE user_id = ? AND account_id = ? AND symbol > ?', userId, account)))

// Symbols and accounts are few, so match them with the shared filter code, which has the only definition.
const ofSymbols = (reader: Reader, userId: string, filter: TradeFilter): Condition => {
  const symbols = tradedSymbols(reader, userId)
  return { sql: `row.symbol ${among}`, values: [JSON.stringify([...symbols].filter((symbol) => meetsSymbol(filter, symbol)))] }
}

/** The name of each account that is or was connected, by its key. */
export const namesOf = ({ orm }: Reader, userId: string): Map<string, string> =>
  new Map(orm.select({ key: accounts.key, name: accounts.name }).from(accounts).where(eq(accounts.userId, userId)).all().map(({ key, name }) => [key, name]))

// An entered name is stored with its trade; all others go by their account.
const ofAccounts = (reader: Reader, userId: string, filter: TradeFilter): Condition => {
  const names = namesOf(reader, userId)
  const meant = tradedAccounts(reader, userId).filter((key) => meetsAccount(filter, key, names.get(key) ?? key))
  const byHand = `row.account IS NOT NULL AND instr(folded(row.account), ?) > 0${filter.accounts.length === 0 ? '' : ` AND ${accountKey} ${among}`}`
  return {
    sql: `(row.account IS NULL AND row.account_id ${among} OR ${byHand})`,
    values: [JSON.stringify(meant), filter.account.toLowerCase(), ...(filter.accounts.length === 0 ? [] : [JSON.stringify(filter.accounts)])],
  }
}

const ofTags = (reader: Reader, userId: string, unit: Unit, tags: readonly string[]): Condition => {
  const tagged = taggedWith(reader, userId, tags)
  return unit === 'pairs' ? pairsTagged(tagged) : tradesTagged(reader, userId, tagged)
}

/** Days and pairs with one of some tags of their own. */
type Tagged = { readonly days: string; readonly pairs: string }

const taggedWith = (reader: Reader, userId: string, tags: readonly string[]): Tagged => {
  const ask = (sql: string): string => JSON.stringify(query<{ id: string }>(reader, `${sql} WHERE user_id = ? AND tag.value ${among}`).all(userId, JSON.stringify(tags)).map(({ id }) => id))
  return {
    days: ask('SELECT trading_day AS id FROM day_notes, json_each(day_notes.tags) AS tag'),
    pairs: ask('SELECT pair_id AS id FROM shown_notes, json_each(shown_notes.tags) AS tag'),
  }
}

/** The ids of all pairs of the rows that pass a filter, of a trade all its pairs, without the rows with the ids `except`. */
export const pairIdsOf = (reader: Reader, { userId, unit, filter, except }: OfUser & { readonly unit: Unit; readonly filter: TradeFilter; readonly except: readonly string[] }): readonly string[] => {
  const where = rowsMeeting(reader, userId, unit, filter)
  const out = new Set(except)
  const ids = (sql: string, values: readonly string[]): string[] => query<{ id: string }>(reader, sql).all(...values).map(({ id }) => id)
  const rows = ids(`SELECT row.id FROM ${tableOf[unit]} AS row WHERE ${where.sql}`, where.values).filter((id) => !out.has(id))
  if (unit === 'pairs') return rows
  const there = inViewOf(userId, 'pairs')
  return ids(`SELECT row.id FROM fill_pairs AS row WHERE ${there.sql} AND COALESCE(row.trade_id, row.id) ${among}`, [...there.values, JSON.stringify(rows)])
}

/** The tags of each tagged pair or trade, by id: its own and those of its trading day; a trade has those of its pairs. */
export const tagsOf = (reader: Reader, userId: string, unit: Unit): ReadonlyMap<string, readonly string[]> => {
  const there = inViewOf(userId, 'pairs')
  const id = unit === 'pairs' ? 'row.id' : 'COALESCE(row.trade_id, row.id)'
  const selects = [
    `SELECT ${id} AS id, tag.value AS tag FROM shown_notes AS shown CROSS JOIN fill_pairs AS row ON row.user_id = shown.user_id AND row.id = shown.pair_id, json_each(shown.tags) AS tag WHERE shown.user_id = ? AND shown.tags <> '[]' AND ${there.sql}`,
    `SELECT ${id}, tag.value FROM day_notes AS day CROSS JOIN fill_pairs AS row ON row.user_id = day.user_id AND row.trading_day = day.trading_day, json_each(day.tags) AS tag WHERE day.user_id = ? AND day.tags <> '[]' AND ${there.sql}`,
    ...(unit === 'pairs' ? [] : [`SELECT row.id, tag.value FROM day_notes AS day CROSS JOIN ${tableOf.trades} AS row ON row.user_id = day.user_id AND row.trading_day = day.trading_day, json_each(day.tags) AS tag WHERE day.user_id = ? AND day.tags <> '[]'`]),
  ]
  const values = [userId, ...there.values, userId, ...there.values, ...(unit === 'pairs' ? [] : [userId])]
  const tags = new Map<string, string[]>()
  for (const row of query<{ id: string; tag: string }>(reader, selects.join(' UNION ')).iterate(...values)) {
    const own = tags.get(row.id)
    if (own === undefined) tags.set(row.id, [row.tag])
    else own.push(row.tag)
  }
  return tags
}

const pairsTagged = ({ days, pairs }: Tagged): Condition => ({ sql: `(row.trading_day ${among} OR row.id ${among})`, values: [days, pairs] })

// A trade is tagged by its own trading day and by any of its pairs. Find these first: as a subquery it would run for each part of the view.
const tradesTagged = (reader: Reader, userId: string, tagged: Tagged): Condition => {
  const [there, wanted] = [inViewOf(userId, 'pairs'), pairsTagged(tagged)]
  const sql = `SELECT DISTINCT COALESCE(row.trade_id, row.id) AS id FROM fill_pairs AS row WHERE ${wanted.sql} AND ${there.sql}`
  const trades = query<{ id: string }>(reader, sql).all(...wanted.values, ...there.values).map(({ id }) => id)
  return { sql: `(row.trading_day ${among} OR row.id ${among})`, values: [tagged.days, JSON.stringify(trades)] }
}

const ofExcursions = (reader: Reader, userId: string, filter: TradeFilter): Condition => {
  const ids = idsWithExcursions(reader, userId, limitedFigures(filter).map((figure) => ({ figure, ...filter.excursions[figure] })))
  return { sql: `row.id ${among}`, values: [JSON.stringify(ids)] }
}

const timed = ({ weekdays, hours, sessions, timedBy, zone }: TradeFilter): Condition[] => {
  const time = timedBy === 'entry' ? 'row.entry_time' : 'row.exit_time'
  return [
    ...(weekdays.length === 0 ? [] : [{ sql: `local_weekday(${time}, ?) ${among}`, values: [zone, JSON.stringify(weekdays)] }]),
    ...(hours.length === 0 ? [] : [{ sql: `local_hour(${time}, ?) ${among}`, values: [zone, JSON.stringify(hours)] }]),
    ...(sessions.length === 0 ? [] : [{ sql: `market_session(${time}) ${among}`, values: [JSON.stringify(sessions)] }]),
  ]
}

// A copy by its account, or because the copier placed its entry.
const noCopies = (userId: string, unit: Unit): Condition => ({ sql: `row.account_id NOT IN (${copies}) AND NOT ${copied[unit]}`, values: [userId] })

/** A user's trades that pass a filter. */
export type OfFilter = OfUser & { readonly filter: TradeFilter }

/** The trades of statistics, and their clock; a zone of null is the profile's. */
export type StatisticsQuery = OfFilter & { readonly unit: Unit; readonly zone: string | null; readonly timedBy: 'entry' | 'exit' }

/** Where a list read in parts continues: after the row closed at this time (UTC ms) with this id. */
export type CsvCursor = { readonly exitTime: number; readonly id: string }

/** One window of a sorted, filtered list; ties are ordered by id, so that pages neither repeat nor skip. */
export type PageQuery = OfFilter & { readonly offset: number; readonly limit: number; readonly sort: TradeSort; readonly direction: 'asc' | 'desc' }

/** Whether a list is sorted by a figure that lies beside the journal. */
export const isExcursionSort = (sort: TradeSort): sort is ExcursionFigure => excursionFigures.some((figure) => figure === sort)

/** What to page, and what to sort by: an expression, or an excursion; rows without one come last. */
type Paged = { readonly unit: Unit; readonly sort: string | { readonly excursion: ExcursionFigure } }

/** The row numbers of one window of a filtered, sorted list, and the total number of rows; ties are ordered by id. */
export const readPage = (reader: Reader, { unit, sort }: Paged, { userId, filter, ...page }: PageQuery): { total: number; refs: number[] } => {
  const where = rowsMeeting(reader, userId, unit, filter)
  const from = `FROM ${tableOf[unit]} AS row LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id`
  const total = query<{ total: number }>(reader, `SELECT count(*) AS total ${from} WHERE ${where.sql}`).get(...where.values)?.total ?? 0
  const direction = page.direction === 'asc' ? 'ASC' : 'DESC'
  const ranked = typeof sort === 'string' ? null : JSON.stringify(idsByExcursion(reader, userId, sort.excursion))
  const sql = ranked === null
    ? `SELECT row.ref ${from} WHERE ${where.sql} ORDER BY ${String(sort)} ${direction}, row.id ${direction} LIMIT ? OFFSET ?`
    : `WITH ranked AS MATERIALIZED (SELECT value AS id, key AS place FROM json_each(?))
      SELECT row.ref ${from} LEFT JOIN ranked ON ranked.id = row.id WHERE ${where.sql} ORDER BY ranked.place ${direction} NULLS LAST, row.id ${direction} LIMIT ? OFFSET ?`
  const rows = query<{ ref: number }>(reader, sql)
  return { total, refs: rows.all(...(ranked === null ? [] : [ranked]), ...where.values, page.limit, page.offset).map(({ ref }) => ref) }
}
