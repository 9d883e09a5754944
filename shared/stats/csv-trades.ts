import { isoDate } from '#shared/market/zone-clock.ts'
import { writeDecimal } from '#shared/money/decimal.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import type { ExactPair, FeeFacts } from '#shared/pnl/exact-pair.ts'
import type { ExcursionBounds } from '#shared/prices/excursion-bounds.ts'
import { csvLine, exact, text, trimmed, type CsvCell } from './csv-line.ts'
import { rUnits } from './r-multiple.ts'
import { wallClock } from './trade-times.ts'

/** What both kinds of lines have. `account` is the account's name; `risk` is the loss at the stop; `excursions` is null without prices; times are UTC ms. */
type CsvLine = Pick<ExactPair, 'tradingDay' | 'symbol' | 'side' | 'qty' | 'entryTime' | 'exitTime' | 'gross' | 'commission' | 'net' | 'currency' | 'accountId' | 'multiplierSource' | 'feeSource' | 'warnings'> & Pick<FeeFacts, 'otherFees'> & {
  readonly id: string
  readonly account: string
  readonly origin: 'synced' | 'manual'
  readonly risk: Amount | null
  readonly excursions: ExcursionBounds | null
  readonly tags: readonly string[]
  readonly notes: string
}

/** A fill pair with the data of its line. */
export type CsvPair = CsvLine & Pick<ExactPair, 'entryPrice' | 'exitPrice' | 'tickSize' | 'platform' | 'tradeId'> & FeeFacts & { readonly stop: string | null }

/** A trade from flat to flat with the data of its line: of all its pairs together. The average prices are decimals. */
export type CsvTrade = CsvLine & { readonly pairs: number; readonly averageEntry: string; readonly averageExit: string }

const moneyCell = (amount: Amount | null | undefined): CsvCell => exact(amount === null || amount === undefined ? '' : exactMoney(amount))
const ratioCell = (units: number | null | undefined): CsvCell => exact(units === null || units === undefined ? '' : writeDecimal(BigInt(units), 4))

type Column<Line> = readonly [heading: (zone: string) => string, cell: (line: Line, zone: string) => CsvCell]

const what: readonly Column<CsvLine>[] = [
  [() => 'Trading day', (line) => exact(line.tradingDay)],
  [() => 'Account', (line) => text(line.account)],
  [() => 'Symbol', (line) => text(line.symbol)],
  [() => 'Side', (line) => exact(line.side)],
  [() => 'Quantity', (line) => exact(String(line.qty))],
]
const entryTime: Column<CsvLine> = [(zone) => `Entry time (${zone})`, (line, zone) => exact(wallText(line.entryTime, zone))]
const exitTime: Column<CsvLine> = [(zone) => `Exit time (${zone})`, (line, zone) => exact(wallText(line.exitTime, zone))]
const result: readonly Column<CsvLine>[] = [
  [() => 'Seconds held', (line) => exact(trimmed(writeDecimal(BigInt(line.exitTime - line.entryTime), 3), 0))],
  [() => 'Gross P&L', (line) => exact(exactMoney(line.gross))],
  [() => 'Commission', (line) => exact(exactMoney(line.commission))],
  [() => 'Net P&L', (line) => exact(exactMoney(line.net))],
  [() => 'Currency', (line) => exact(line.currency)],
]
const risked: readonly Column<CsvLine>[] = [
  [() => 'Risk', (line) => exact(line.risk === null || line.risk < 0 ? '' : exactMoney(line.risk))],
  [() => 'R-multiple', (line) => exact(rText(line))],
  [() => 'MFE (least)', ({ excursions }) => moneyCell(excursions?.mfeLeast)],
  [() => 'MFE (most)', ({ excursions }) => moneyCell(excursions?.mfeMost)],
  [() => 'MAE (least)', ({ excursions }) => moneyCell(excursions?.maeLeast)],
  [() => 'MAE (most)', ({ excursions }) => moneyCell(excursions?.maeMost)],
  [() => 'Entry efficiency (least)', ({ excursions }) => ratioCell(excursions?.entryLeast)],
  [() => 'Entry efficiency (most)', ({ excursions }) => ratioCell(excursions?.entryMost)],
  [() => 'Exit efficiency (least)', ({ excursions }) => ratioCell(excursions?.exitLeast)],
  [() => 'Exit efficiency (most)', ({ excursions }) => ratioCell(excursions?.exitMost)],
  [() => 'Tags', (line) => text(line.tags.join('; '))],
  [() => 'Notes', (line) => text(line.notes)],
]
const origins: readonly Column<CsvLine>[] = [
  [() => 'Origin', (line) => exact(line.origin)],
  [() => 'Multiplier from', (line) => exact(line.multiplierSource)],
  [() => 'Fee from', (line) => exact(line.feeSource)],
  [() => 'Fees in other currencies', (line) => exact((line.otherFees ?? []).map(({ currency, amount }) => `${exactMoney(amount)} ${currency}`).join('; '))],
]
const warnings: Column<CsvLine> = [() => 'Warnings', (line) => exact(line.warnings.join('; '))]
const utcTimes: readonly Column<CsvLine>[] = [
  [() => 'Entry time (ISO 8601)', (line) => exact(utcText(line.entryTime))],
  [() => 'Exit time (ISO 8601)', (line) => exact(utcText(line.exitTime))],
  [() => 'Account id', (line) => text(line.accountId)],
]

const pairColumns: readonly Column<CsvPair>[] = [
  ...what,
  entryTime,
  [() => 'Entry price', (pair) => exact(formatPrice(pair.entryPrice, pair.tickSize, 'trimmed'))],
  exitTime,
  [() => 'Exit price', (pair) => exact(formatPrice(pair.exitPrice, pair.tickSize, 'trimmed'))],
  ...result,
  [() => 'Stop', (pair) => text(pair.stop ?? '')],
  ...risked,
  [() => 'Platform', (pair) => text(pair.platform)],
  ...origins,
  [() => 'Last word on fees', (pair) => text((pair.feeFrom ?? []).join('; '))],
  warnings,
  ...utcTimes,
  [() => 'Trade id', (pair) => text(pair.tradeId ?? '')],
  [() => 'Fill pair id', (pair) => text(pair.id)],
]

const tradeColumns: readonly Column<CsvTrade>[] = [
  ...what,
  entryTime,
  [() => 'Average entry price', (trade) => exact(trade.averageEntry)],
  exitTime,
  [() => 'Average exit price', (trade) => exact(trade.averageExit)],
  ...result,
  [() => 'Fill pairs', (trade) => exact(String(trade.pairs))],
  ...risked,
  ...origins,
  warnings,
  ...utcTimes,
  [() => 'Trade id', (trade) => text(trade.id)],
]

const headerOf = <Line>(columns: readonly Column<Line>[], zone: string): string => csvLine(columns.map(([heading]) => exact(heading(zone))))

/** The header line of a CSV file of fill pairs, with its line end; local times are in `zone` (IANA). */
export const pairsCsvHeader = (zone: string): string => headerOf(pairColumns, zone)

/** The same of trades from flat to flat. */
export const tradesCsvHeader = (zone: string): string => headerOf(tradeColumns, zone)

/**
 * One fill pair as a CSV line (RFC 4180) with its line end. Money is exact, with two to four decimals, so that columns add up to the
 * statistics. Times are local to `zone` (IANA), and again in UTC.
 */
export const pairCsvLine = (pair: CsvPair, zone: string): string => csvLine(pairColumns.map(([, cell]) => cell(pair, zone)))

/** The same of a trade from flat to flat. */
export const tradeCsvLine = (trade: CsvTrade, zone: string): string => csvLine(tradeColumns.map(([, cell]) => cell(trade, zone)))

const rText = (trade: Pick<CsvLine, 'net' | 'risk'>): string => {
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
