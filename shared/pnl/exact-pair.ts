import type { FillPairRecord, TradeUpdates } from '#shared/api/records.ts'
import { amountTexts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { exactMoney, type Amount, type Currency } from '#shared/money/money.ts'
import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'

type Fact = 'accountId' | 'symbol' | 'date' | 'tradingDay' | 'side' | 'qty' | 'platform' | 'tradeId' | 'multiplierSource' | 'feeSource' | 'warnings'

/** A fill pair, or a trade entered by hand, as stored: money in 1/10,000 of `currency`, prices in ticks of `tickSize`, times in UTC ms. */
export type ExactPair = Readonly<Pick<FillPairRecord, Fact>> & {
  readonly tickSize: string
  readonly entryPrice: Ticks
  readonly exitPrice: Ticks
  readonly entryTime: number
  readonly exitTime: number
  readonly gross: Amount
  readonly commission: Amount
  readonly net: Amount
  readonly currency: Currency
}

/** A derived pair's further fee facts, as in `FillPair`; missing or null is none. */
export type FeeFacts = { readonly otherFees?: CurrencyAmounts | null; readonly feeFrom?: readonly string[] }

/** The fields that the user owns, on a broker's fill pair too. */
export const userFields = ['notes', 'tags', 'stop', 'screenshot', 'screenshotHeadline', 'screenshot2', 'screenshot2Headline', 'drawings'] as const satisfies readonly (keyof TradeUpdates)[]
export type UserField = (typeof userFields)[number]

/** The user's fields of a fill pair; an unset one is missing or null. */
export type UserEdits = { readonly [Field in UserField]?: FillPairRecord[Field] | null | undefined }

/** A pair's owner and names; times are ISO 8601. */
export type Naming = Pick<FillPairRecord, 'id' | 'userId' | 'account' | 'origin' | 'entryTime' | 'exitTime'>

/** A fill pair as the API returns it: exact money, prices as the nearest numbers. */
export const pairRecordOf = (exact: ExactPair & FeeFacts, naming: Naming, edits: UserEdits): FillPairRecord => ({
  id: naming.id,
  userId: naming.userId,
  symbol: exact.symbol,
  account: naming.account,
  accountId: exact.accountId,
  side: exact.side,
  qty: exact.qty,
  entryPrice: priceToJsonNumber(exact.entryPrice, exact.tickSize),
  exitPrice: priceToJsonNumber(exact.exitPrice, exact.tickSize),
  entryTime: naming.entryTime,
  exitTime: naming.exitTime,
  date: exact.date,
  tradingDay: exact.tradingDay,
  pnl: Number(exactMoney(exact.net)),
  grossPnl: exactMoney(exact.gross),
  commission: exactMoney(exact.commission),
  netPnl: exactMoney(exact.net),
  currency: exact.currency,
  platform: exact.platform,
  tradeId: exact.tradeId,
  origin: naming.origin,
  multiplierSource: exact.multiplierSource,
  feeSource: exact.feeSource,
  warnings: exact.warnings,
  ...(exact.otherFees === undefined || exact.otherFees === null || exact.otherFees.length === 0 ? {} : { otherFees: amountTexts(exact.otherFees) }),
  ...(exact.feeFrom === undefined || exact.feeFrom.length === 0 ? {} : { feeFrom: [...exact.feeFrom] }),
  notes: edits.notes ?? '',
  tags: edits.tags ?? [],
  stop: edits.stop ?? null,
  screenshot: edits.screenshot ?? '',
  screenshotHeadline: edits.screenshotHeadline ?? '',
  screenshot2: edits.screenshot2 ?? '',
  screenshot2Headline: edits.screenshot2Headline ?? '',
  ...((edits.drawings ?? []).length === 0 ? {} : { drawings: edits.drawings ?? [] }),
})
