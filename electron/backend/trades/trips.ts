import type { TradeSort } from '#shared/api/journal.ts'
import type { TradeWarning, Trip } from '#shared/api/records.ts'
import { amountsOfText, amountTexts } from '#shared/money/currency-amounts.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { formatAveragePrice, type Ticks } from '#shared/money/price.ts'
import { copied } from './copied-trades.ts'
import { query, type Reader } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import { readPage, type PageQuery } from './page.ts'
import { accountName } from './trade-view.ts'

type TripRow = {
  ref: number
  id: string
  account_id: string
  account_name: string
  copied: 0 | 1
  symbol: string
  date: string
  trading_day: string
  side: Trip['side']
  qty: number
  pairs: number
  tick_size: string
  base_price: Ticks
  entry_sum: number
  exit_sum: number
  entry_time: number
  exit_time: number
  gross: Amount
  commission: Amount
  net: Amount
  currency: string
  multiplier_source: Trip['multiplierSource']
  fee_source: Trip['feeSource']
  warnings: string
  missing: number | null
  other_fees: string | null
}

const average = (sum: string) => `(row.base_price + row.${sum} * 1.0 / row.qty) * CAST(row.tick_size AS REAL)`

const sorts: Record<TradeSort, string> = {
  exitTime: 'row.exit_time',
  entryTime: 'row.entry_time',
  symbol: 'row.symbol',
  account: accountName,
  side: 'row.side',
  qty: 'row.qty',
  entryPrice: average('entry_sum'),
  exitPrice: average('exit_sum'),
  commission: 'row.commission',
  netPnl: 'row.net',
}

const toTrip = (row: TripRow): Trip => ({
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

const tripRows = `SELECT row.*, ${accountName} AS account_name, ${copied.trips} AS copied FROM counted_trips AS row
  LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id WHERE row.ref IN (SELECT value FROM json_each(?))`

export const tripPage = (reader: Reader, input: PageQuery): { total: number; rows: Trip[] } => {
  const { total, refs } = readPage(reader, { unit: 'trips', sort: sorts[input.sort] }, input)
  return { total, rows: tripsByRef(reader, refs) }
}

/** The counted trips of these row numbers, in their order. */
export const tripsByRef = (reader: Reader, refs: readonly number[]): Trip[] => {
  const byRef = new Map(query<TripRow>(reader, tripRows).all(JSON.stringify(refs)).map((row) => [row.ref, row]))
  return refs.flatMap((ref) => byRef.get(ref) ?? []).map(toTrip)
}
