import { alias, QueryBuilder } from 'drizzle-orm/sqlite-core'
import type { Drawing } from '#shared/api/drawings.ts'
import type { FillPairRecord, TradeWarning } from '#shared/api/records.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import { type ExactPair, type FeeFacts, pairRecordOf } from '#shared/pnl/exact-pair.ts'
import { copied } from './copied-trades.ts'
import { isoTime } from '../db/iso-time.ts'
import { countedTrades, fillPairs, trades, type shownNotes } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'

type Annotations = Pick<SqlRow<typeof shownNotes>, 'notes' | 'tags' | 'stop' | 'screenshot' | 'screenshot_headline' | 'screenshot2' | 'screenshot2_headline' | 'drawings'>

/** A fill pair with its account's name and the user's annotations, null without any. */
export type PairRow = SqlRow<typeof fillPairs> & { readonly account_name: string; readonly copied: 0 | 1 } & { readonly [Field in keyof Annotations]: Annotations[Field] | null }

/** Fill pairs, derived trades, and all counted trades, by the name that conditions know them by. */
export const pairRow = alias(fillPairs, 'row')
export const derivedRow = alias(trades, 'row')
// A subquery, since drizzle cannot select from the alias of a view; SQLite sees through it.
export const tradeRow = new QueryBuilder().select().from(countedTrades).as('row')

/** The name of a row's account: the entered one, else the broker's. */
export const accountName = 'COALESCE(row.account, accounts.name, row.account_id)'

/** What fill pairs and trades are both sorted by; their prices are different columns. */
export const sharedSorts = {
  exitTime: 'row.exit_time',
  entryTime: 'row.entry_time',
  symbol: 'row.symbol',
  account: accountName,
  side: 'row.side',
  qty: 'row.qty',
  commission: 'row.commission',
  netPnl: 'row.net',
} as const

/** The key of a row's account: the entered name, if there is no account. */
export const accountKey = "COALESCE(NULLIF(row.account_id, ''), row.account, '')"

/** Fill pairs as `PairRow`, to be narrowed by a WHERE on `row`. */
export const pairRows = `SELECT row.*, ${accountName} AS account_name, ${copied.pairs} AS copied, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings
  FROM fill_pairs AS row
  LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id
  LEFT JOIN shown_notes ON shown_notes.user_id = row.user_id AND shown_notes.pair_id = row.id`

/** A user's visible rows: none of a removed account. Takes the user twice. */
export const inView = 'row.user_id = ? AND row.account_id NOT IN (SELECT key FROM accounts WHERE user_id = ? AND removed_at IS NOT NULL)'

/** The same for fill pairs, some of which were removed individually. Takes the user three times. */
export const pairInView = `${inView} AND row.id NOT IN (SELECT pair_id FROM shown_notes INDEXED BY shown_notes_removed WHERE user_id = ? AND removed_at IS NOT NULL)`

/** A JSON list; most are empty. */
const listOf = <Item>(json: string): Item[] => (json === '[]' ? [] : (JSON.parse(json) as Item[]))

/** A stored fill pair. */
export const toExactPair = (row: PairRow): ExactPair & FeeFacts => ({
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
  tradeId: row.trade_id,
  multiplierSource: row.multiplier_source,
  feeSource: row.fee_source,
  warnings: listOf<TradeWarning>(row.warnings),
  ...(row.other_fees === null ? {} : { otherFees: amountsOfText(row.other_fees) }),
  ...(row.fee_from === null ? {} : { feeFrom: listOf<string>(row.fee_from) }),
})

/** The user's tags of a fill pair. */
export const tagsOf = ({ tags }: Pick<PairRow, 'tags'>): string[] => listOf(tags ?? '[]')

/** A fill pair as the API returns it. */
export const toPairRecord = (row: PairRow): FillPairRecord => {
  const view = pairRecordOf(
    toExactPair(row),
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
