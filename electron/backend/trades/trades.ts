import { and, eq } from 'drizzle-orm'
import type { TradeSort } from '#shared/api/journal.ts'
import type { ListedTrade, TradeRecord, TradeWarning } from '#shared/api/records.ts'
import { amountsOfText, amountTexts } from '#shared/money/currency-amounts.ts'
import { exactMoney } from '#shared/money/money.ts'
import { formatAveragePrice } from '#shared/money/price.ts'
import type { ExcursionFigure } from '#shared/stats/filter.ts'
import type { CsvTrade } from '#shared/stats/csv-trades.ts'
import { rMultiple } from '#shared/stats/r-multiple.ts'
import { copied } from './copied-trades.ts'
import { query, type Reader } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import type { OfUser } from '../db/rows.ts'
import type { trades } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { conditionOf, inViewOf, type Condition, isExcursionSort, readPage, type PageQuery } from './filtered-rows.ts'
import { excursionsIn, keptExcursions } from '../prices/store/stored-excursions.ts'
import { tradeRisks } from './risks.ts'
import { accountName, sharedSorts, tradeRow } from './rows.ts'

type TradeRow = Omit<SqlRow<typeof trades>, 'user_id' | 'batch_date' | 'under_way' | 'max_position'> & { readonly account_name: string; readonly copied: 0 | 1 }

const average = (sum: string) => `(row.base_price + row.${sum} * 1.0 / row.qty) * CAST(row.tick_size AS REAL)`

const sorts: Record<Exclude<TradeSort, ExcursionFigure>, string> = {
  ...sharedSorts,
  entryPrice: average('entry_sum'),
  exitPrice: average('exit_sum'),
}

const toTradeRecord = (row: TradeRow): TradeRecord => ({
  id: row.id,
  symbol: row.symbol,
  account: row.account_name,
  accountId: row.account_id,
  side: row.side,
  qty: row.qty,
  pairs: row.pairs,
  entryPrice: Number(formatAveragePrice(row.base_price, row.entry_sum, row.qty, row.tick_size)),
  exitPrice: Number(formatAveragePrice(row.base_price, row.exit_sum, row.qty, row.tick_size)),
  entryTime: isoTime(row.entry_time),
  exitTime: isoTime(row.exit_time),
  date: row.date,
  tradingDay: row.trading_day,
  grossPnl: exactMoney(row.gross),
  commission: exactMoney(row.commission),
  netPnl: exactMoney(row.net),
  currency: row.currency,
  multiplierSource: row.multiplier_source,
  feeSource: row.fee_source,
  warnings: JSON.parse(row.warnings) as TradeWarning[],
  ...(row.other_fees === null ? {} : { otherFees: amountTexts(amountsOfText(row.other_fees)) }),
  ...(row.missing === null ? {} : { missing: row.missing }),
  ...(row.copied === 1 ? { copied: true } : {}),
})

// Raw SQL for the pages of the logbook and the latest trades: the benchmarks `reads` and `logbook` measure it.
const tradeRows = `SELECT row.*, ${accountName} AS account_name, ${copied.trades} AS copied FROM counted_trades AS row
  LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id WHERE row.ref IN (SELECT value FROM json_each(?))`

export const tradePage = (reader: Reader, input: PageQuery): { total: number; rows: ListedTrade[] } => {
  const { total, refs } = readPage(reader, { unit: 'trades', sort: isExcursionSort(input.sort) ? { excursion: input.sort } : sorts[input.sort] }, input)
  return { total, rows: listed(reader, input.userId, rowsByRef(reader, refs)) }
}

/** The trade with this id as the logbook lists it; null if none is visible. */
export const tradeById = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): ListedTrade | null => {
  const isIt = and(conditionOf(inViewOf(userId, 'trades')), eq(tradeRow.id, id))
  const found = reader.orm.select({ ref: tradeRow.ref }).from(tradeRow).where(isIt).all()
  return listed(reader, userId, rowsByRef(reader, found.map(({ ref }) => ref)))[0] ?? null
}

const listed = (reader: Reader, userId: string, rows: readonly TradeRow[]): ListedTrade[] => {
  const annotations = annotationsOfTrades(reader, userId, rows)
  const ids = rows.map(({ id }) => id)
  const riskOf = tradeRisks(reader, userId, ids)
  const excursions = keptExcursions(reader, userId, ids)
  return rows.map((row): ListedTrade => ({ ...toTradeRecord(row), origin: originOf(row), ...(annotations.get(row.id) ?? noAnnotations), r: rMultiple({ netPnl: row.net, risk: riskOf(row) }), ...excursionsIn(excursions.get(row.id)) }))
}

/** Among the counted trades one entered by hand has the negative number of its row in `fill_pairs`. */
const originOf = ({ ref }: Pick<TradeRow, 'ref'>): ListedTrade['origin'] => (ref < 0 ? 'manual' : 'synced')

const rowsByRef = (reader: Reader, refs: readonly number[]): TradeRow[] => {
  const byRef = new Map(query<TradeRow>(reader, tradeRows).all(JSON.stringify(refs)).map((row) => [row.ref, row]))
  return refs.flatMap((ref) => byRef.get(ref) ?? [])
}

/** Average prices in a file have this many more decimals than a tick, so that price times quantity gives whole ticks again. */
const csvDecimals = 8

/** The counted trades with these row numbers, in order, for a CSV file. */
export const csvTrades = (reader: Reader, userId: string, refs: readonly number[]): CsvTrade[] => {
  const rows = rowsByRef(reader, refs)
  const annotations = annotationsOfTrades(reader, userId, rows, Infinity)
  const ids = rows.map(({ id }) => id)
  const riskOf = tradeRisks(reader, userId, ids)
  const excursions = keptExcursions(reader, userId, ids)
  return rows.map((row): CsvTrade => ({
    id: row.id, account: row.account_name, accountId: row.account_id, symbol: row.symbol, side: row.side, qty: row.qty, pairs: row.pairs, tradingDay: row.trading_day, entryTime: row.entry_time, exitTime: row.exit_time,
    averageEntry: formatAveragePrice(row.base_price, row.entry_sum, row.qty, row.tick_size, csvDecimals),
    averageExit: formatAveragePrice(row.base_price, row.exit_sum, row.qty, row.tick_size, csvDecimals),
    gross: row.gross, commission: row.commission, net: row.net, currency: row.currency, otherFees: row.other_fees === null ? null : amountsOfText(row.other_fees),
    origin: originOf(row), multiplierSource: row.multiplier_source, feeSource: row.fee_source, warnings: JSON.parse(row.warnings) as TradeWarning[],
    ...(annotations.get(row.id) ?? noAnnotations),
    risk: riskOf(row),
    excursions: excursions.get(row.id) ?? null,
  }))
}

/** The counted trades with these row numbers, in order. */
export const tradesByRef = (reader: Reader, refs: readonly number[]): TradeRecord[] => rowsByRef(reader, refs).map(toTradeRecord)

const noted = "shown.removed_at IS NULL AND (shown.notes <> '' OR shown.tags <> '[]' OR shown.screenshot <> '' OR shown.screenshot2 <> '')"
const annotations = "shown.notes, shown.tags, (shown.screenshot <> '') + (shown.screenshot2 <> '') AS pictures"

/** The notes of trades: of their pairs, oldest exit first, or of the trade entered by hand. Takes the ids and the user twice. */
const notedOn = `SELECT * FROM (SELECT pair.trade_id AS trade, ${annotations} FROM json_each(?) AS wanted
    CROSS JOIN fill_pairs AS pair INDEXED BY fill_pairs_of_trade ON pair.user_id = ? AND pair.trade_id = wanted.value
    CROSS JOIN shown_notes AS shown ON shown.user_id = pair.user_id AND shown.pair_id = pair.id WHERE ${noted} ORDER BY pair.exit_time, pair.id)
  UNION ALL SELECT shown.pair_id, ${annotations} FROM json_each(?) AS wanted CROSS JOIN shown_notes AS shown ON shown.user_id = ? AND shown.pair_id = wanted.value WHERE ${noted}`

// A list shows how notes begin; the whole text is in the trade's dialog.
const notesShown = 500

type TradeAnnotations = Pick<ListedTrade, 'tags' | 'notes' | 'pictures'>
const noAnnotations: TradeAnnotations = { tags: [], notes: '', pictures: 0 }

const annotationsOfTrades = (reader: Reader, userId: string, trades: readonly Pick<TradeRow, 'id'>[], most = notesShown): ReadonlyMap<string, TradeAnnotations> => {
  const ids = JSON.stringify(trades.map(({ id }) => id))
  const annotations = new Map<string, TradeAnnotations>()
  for (const { trade, notes, tags, pictures } of query<{ trade: string; notes: string; tags: string; pictures: number }>(reader, notedOn).all(ids, userId, ids, userId)) {
    const before = annotations.get(trade) ?? noAnnotations
    annotations.set(trade, {
      pictures: before.pictures + pictures,
      tags: [...new Set([...before.tags, ...(JSON.parse(tags) as string[])])],
      notes: [before.notes, notes].filter((text) => text.trim() !== '').join('\n').slice(0, most),
    })
  }
  return annotations
}

// The trades entered by hand of the view `counted_trades`; queried separately, because the view would scan all trades too.
const enteredTrades = `(SELECT -ref AS ref, user_id, id, account, account_id, symbol, date, trading_day, side, entry_time, exit_time, warnings FROM fill_pairs WHERE origin = 'manual'
  AND NOT EXISTS (SELECT 1 FROM shown_notes AS shown WHERE shown.user_id = fill_pairs.user_id AND shown.pair_id = fill_pairs.id AND shown.removed_at IS NOT NULL))`

/** The trades with the latest dates that meet a condition, ties by exit time. */
export const recentTrades = (reader: Reader, { sql, values }: Condition, count: number): TradeRecord[] => {
  const some = (from: string) => `SELECT row.ref, row.date, row.exit_time, row.id FROM ${from} AS row WHERE ${sql}`
  // As with fill pairs: an index has the latest derived ones at its end, but every entered one is scanned.
  const derived = `SELECT * FROM (${some('(SELECT *, NULL AS account FROM trades)')} ORDER BY row.exit_time DESC, row.id DESC LIMIT ?)`
  const refs = query<{ ref: number }>(reader, `SELECT ref FROM (${derived} UNION ALL ${some(enteredTrades)}) ORDER BY date DESC, exit_time DESC, id DESC LIMIT ?`)
  return tradesByRef(reader, refs.all(...values, count, ...values, count).map(({ ref }) => ref))
}
