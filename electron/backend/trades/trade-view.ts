import { alias, QueryBuilder } from 'drizzle-orm/sqlite-core'
import type { Drawing } from '#shared/api/drawings.ts'
import type { Trade, TradeWarning } from '#shared/api/records.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import { tradeView, type ExactTrade, type FeeFacts } from '#shared/pnl/exact-trade.ts'
import { copied } from './copied-trades.ts'
import { isoTime } from '../db/iso-time.ts'
import { countedTrips, trades, trips, type shownNotes } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'

type Annotations = Pick<SqlRow<typeof shownNotes>, 'notes' | 'tags' | 'stop' | 'screenshot' | 'screenshot_headline' | 'screenshot2' | 'screenshot2_headline' | 'drawings'>

/** A trade with its account's name and the user's annotations, null without any. */
export type TradeRow = SqlRow<typeof trades> & { readonly account_name: string; readonly copied: 0 | 1 } & { readonly [Field in keyof Annotations]: Annotations[Field] | null }

/** Fill pairs, derived and all counted trips, by the name that conditions know them by. */
export const pairRow = alias(trades, 'row')
export const derivedRow = alias(trips, 'row')
// A subquery, since drizzle cannot select from the alias of a view; SQLite sees through it.
export const tripRow = new QueryBuilder().select().from(countedTrips).as('row')

/** The name of a row's account: the entered one, else the broker's. */
export const accountName = 'COALESCE(row.account, accounts.name, row.account_id)'

/** The key of a row's account: the entered name, if there is no account. */
export const accountKey = "COALESCE(NULLIF(row.account_id, ''), row.account, '')"

/** Whole trades, to be narrowed by a WHERE on `row`. */
export const tradeRows = `SELECT row.*, ${accountName} AS account_name, ${copied.pairs} AS copied, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings
  FROM trades AS row
  LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id
  LEFT JOIN shown_notes ON shown_notes.user_id = row.user_id AND shown_notes.trade_id = row.id`

/** A user's visible rows: none of a removed account. Takes the user twice. */
export const inView = 'row.user_id = ? AND row.account_id NOT IN (SELECT key FROM accounts WHERE user_id = ? AND removed_at IS NOT NULL)'

/** The same for trades, some of which were removed individually. Takes the user three times. */
export const tradeInView = `${inView} AND row.id NOT IN (SELECT trade_id FROM shown_notes INDEXED BY shown_notes_removed WHERE user_id = ? AND removed_at IS NOT NULL)`

/** A JSON list; most are empty. */
const listOf = <Item>(json: string): Item[] => (json === '[]' ? [] : (JSON.parse(json) as Item[]))

/** A stored trade. */
export const toExactTrade = (row: TradeRow): ExactTrade & FeeFacts => ({
  accountId: row.account_id,
  symbol: row.symbol,
  date: row.date,
  tradingDay: row.trading_day,
  side: row.side,
  qty: row.qty,
  tickSize: row.tick_size,
  entryPrice: row.entry_price,
  exitPrice: row.exit_price,
  entryTime: row.entry_time,
  exitTime: row.exit_time,
  gross: row.gross,
  commission: row.commission,
  net: row.net,
  currency: row.currency,
  platform: row.platform,
  tripId: row.trip_id,
  multiplierSource: row.multiplier_source,
  feeSource: row.fee_source,
  warnings: listOf<TradeWarning>(row.warnings),
  ...(row.other_fees === null ? {} : { otherFees: amountsOfText(row.other_fees) }),
  ...(row.fee_from === null ? {} : { feeFrom: listOf<string>(row.fee_from) }),
})

/** The user's tags of a trade. */
export const tagsOf = ({ tags }: Pick<TradeRow, 'tags'>): string[] => listOf(tags ?? '[]')

/** A trade as the API returns it. */
export const toTrade = (row: TradeRow): Trade => {
  const view = tradeView(
    toExactTrade(row),
    { id: row.id, userId: row.user_id, account: row.account_name, origin: row.origin, entryTime: isoTime(row.entry_time), exitTime: isoTime(row.exit_time) },
    {
      notes: row.notes,
      tags: tagsOf(row),
      stop: row.stop,
      screenshot: row.screenshot,
      screenshotHeadline: row.screenshot_headline,
      screenshot2: row.screenshot2,
      screenshot2Headline: row.screenshot2_headline,
      drawings: listOf<Drawing>(row.drawings ?? '[]'),
    },
  )
  return { ...view, ...(row.missing === null ? {} : { missing: row.missing }), ...(row.copied === 1 ? { copied: true } : {}) }
}
