import { isoDate } from '#shared/market/zone-clock.ts'
import { writeDecimal } from '#shared/money/decimal.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import type { ExactTrade, FeeFacts } from '#shared/pnl/exact-trade.ts'
import type { ExcursionBounds } from '#shared/prices/excursion-bounds.ts'
import { csvLine, exact, text, trimmed, type CsvCell } from './csv-line.ts'
import { rUnits } from './r-multiple.ts'
import { wallClock } from './trade-times.ts'

/** A trade with the data of its line. `account` is the account's name; `risk` is the loss at the stop; `excursions` is null without prices. */
export type CsvTrade = ExactTrade & FeeFacts & {
  readonly id: string
  readonly account: string
  readonly origin: 'synced' | 'manual'
  readonly stop: string | null
  readonly risk: Amount | null
  readonly excursions: ExcursionBounds | null
  readonly tags: readonly string[]
  readonly notes: string
}

const moneyCell = (amount: Amount | null | undefined): CsvCell => exact(amount === null || amount === undefined ? '' : exactMoney(amount))
const ratioCell = (units: number | null | undefined): CsvCell => exact(units === null || units === undefined ? '' : writeDecimal(BigInt(units), 4))

const columns: readonly (readonly [heading: (zone: string) => string, cell: (trade: CsvTrade, zone: string) => CsvCell])[] = [
  [() => 'Trading day', (trade) => exact(trade.tradingDay)],
  [() => 'Account', (trade) => text(trade.account)],
  [() => 'Symbol', (trade) => text(trade.symbol)],
  [() => 'Side', (trade) => exact(trade.side)],
  [() => 'Quantity', (trade) => exact(String(trade.qty))],
  [(zone) => `Entry time (${zone})`, (trade, zone) => exact(wallText(trade.entryTime, zone))],
  [() => 'Entry price', (trade) => exact(formatPrice(trade.entryPrice, trade.tickSize, 'trimmed'))],
  [(zone) => `Exit time (${zone})`, (trade, zone) => exact(wallText(trade.exitTime, zone))],
  [() => 'Exit price', (trade) => exact(formatPrice(trade.exitPrice, trade.tickSize, 'trimmed'))],
  [() => 'Seconds held', (trade) => exact(trimmed(writeDecimal(BigInt(trade.exitTime - trade.entryTime), 3), 0))],
  [() => 'Gross P&L', (trade) => exact(exactMoney(trade.gross))],
  [() => 'Commission', (trade) => exact(exactMoney(trade.commission))],
  [() => 'Net P&L', (trade) => exact(exactMoney(trade.net))],
  [() => 'Currency', (trade) => exact(trade.currency)],
  [() => 'Stop', (trade) => text(trade.stop ?? '')],
  [() => 'Risk', (trade) => exact(trade.risk === null || trade.risk < 0 ? '' : exactMoney(trade.risk))],
  [() => 'R-multiple', (trade) => exact(rText(trade))],
  [() => 'MFE (least)', ({ excursions }) => moneyCell(excursions?.mfeLeast)],
  [() => 'MFE (most)', ({ excursions }) => moneyCell(excursions?.mfeMost)],
  [() => 'MAE (least)', ({ excursions }) => moneyCell(excursions?.maeLeast)],
  [() => 'MAE (most)', ({ excursions }) => moneyCell(excursions?.maeMost)],
  [() => 'Entry efficiency (least)', ({ excursions }) => ratioCell(excursions?.entryLeast)],
  [() => 'Entry efficiency (most)', ({ excursions }) => ratioCell(excursions?.entryMost)],
  [() => 'Exit efficiency (least)', ({ excursions }) => ratioCell(excursions?.exitLeast)],
  [() => 'Exit efficiency (most)', ({ excursions }) => ratioCell(excursions?.exitMost)],
  [() => 'Tags', (trade) => text(trade.tags.join('; '))],
  [() => 'Notes', (trade) => text(trade.notes)],
  [() => 'Platform', (trade) => text(trade.platform)],
  [() => 'Origin', (trade) => exact(trade.origin)],
  [() => 'Multiplier from', (trade) => exact(trade.multiplierSource)],
  [() => 'Fee from', (trade) => exact(trade.feeSource)],
  [() => 'Fees in other currencies', (trade) => exact((trade.otherFees ?? []).map(({ currency, amount }) => `${exactMoney(amount)} ${currency}`).join('; '))],
  [() => 'Last word on fees', (trade) => text((trade.feeFrom ?? []).join('; '))],
  [() => 'Warnings', (trade) => exact(trade.warnings.join('; '))],
  [() => 'Entry time (ISO 8601)', (trade) => exact(utcText(trade.entryTime))],
  [() => 'Exit time (ISO 8601)', (trade) => exact(utcText(trade.exitTime))],
  [() => 'Account id', (trade) => text(trade.accountId)],
  [() => 'Trip id', (trade) => text(trade.tripId ?? '')],
  [() => 'Trade id', (trade) => text(trade.id)],
]

/** The header line of the CSV file, with its line end; local times are in `zone` (IANA). */
export const tradesCsvHeader = (zone: string): string => csvLine(columns.map(([heading]) => exact(heading(zone))))

/**
 * One trade as a CSV line (RFC 4180) with its line end. Money is exact, with two to four decimals, so that columns add up to the
 * statistics. Times are local to `zone` (IANA), and again in UTC.
 */
export const tradeCsvLine = (trade: CsvTrade, zone: string): string => csvLine(columns.map(([, cell]) => cell(trade, zone)))

const rText = (trade: CsvTrade): string => {
  const units = rUnits({ netPnl: trade.net, risk: trade.risk })
  return units === null ? '' : trimmed(writeDecimal(BigInt(units), 4), 2)
}

const utcText = (time: number): string => {
  const { date, clock, ms } = clockText(time, 'UTC')
  return `${date}T${clock}.${ms}Z`
}

// The format that spreadsheets read as a time.
const wallText = (time: number, zone: string): string => {
  const { date, clock } = clockText(time, zone)
  return `${date} ${clock}`
}

const clockText = (time: number, zone: string) => {
  const { day, wallTime } = wallClock(time, zone)
  const seconds = Math.floor(wallTime / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return { date: isoDate(day), clock: parts.map((part) => String(part).padStart(2, '0')).join(':'), ms: String(wallTime % 1000).padStart(3, '0') }
}
