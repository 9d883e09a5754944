import type { Side } from '#shared/fills/fill.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { DecimalSign } from './cell-number.ts'
import type { ExportKind } from './export-kind.ts'

/** The account that a row names; the broker's id, its name, or (a Performance report) neither. */
export type AccountNamed = { readonly id: string | null; readonly name: string | null }

/** The name of the file of a row, missing until files are put together, empty where the broker's API said it; and its line there, counted from 1 with the header, missing in readings that were stored before lines were kept. */
type OfFile = { readonly file?: string; readonly line?: number }

/** A row of a file as its user finds it; null where its line is not known. */
export type RowPlace = { readonly file: string; readonly line: number | null }

/** One execution, from a Fills report or NinjaTrader's grid of executions. */
export type FillReading = OfFile & {
  readonly says: 'fill'
  readonly account: AccountNamed
  readonly fillId: string
  readonly orderId: string | null
  /** The contract in the broker's short form, `MNQH5`. */
  readonly contract: string
  /** The product that the row names, where the contract's own name does not say it; missing where it names none. */
  readonly product?: string
  /** UTC milliseconds. */
  readonly time: number
  readonly side: Side
  readonly qty: number
  /** Whole ticks of `tickSize`. */
  readonly price: Ticks
  readonly tickSize: string
  /** Of the whole fill, a cost is positive; null where the file does not say. */
  readonly fee: Amount | null
  /** As a fill has them; no file tells them by the fill. */
  readonly otherFees?: CurrencyAmounts | undefined
  readonly feeFrom?: string | undefined
  readonly active: boolean
  /** What was held right after it by the platform's own count, above zero where long; only NinjaTrader tells it. */
  readonly netAfter?: number
  /** Its place among the rows of its account, contract and moment: `rank` in order of time, `row` in that of a file that does not show which way it is sorted. */
  readonly rank?: number
  readonly row?: number
  /** The session that the broker books it on, `YYYY-MM-DD`. */
  readonly tradeDate: string | null
}

/** What was filled of one order, from an Orders report. */
export type OrderReading = OfFile & {
  readonly says: 'order'
  readonly account: AccountNamed
  readonly orderId: string
  readonly contract: string
  readonly product?: string
  /** UTC ms at which the order was placed, and at which it was filled to the end. */
  readonly placedAt: number
  readonly filledAt: number
  readonly side: Side
  /** Contracts filled. */
  readonly qty: number
  /** Average price times quantity, in whole ticks of `tickSize`: the average itself need not lie on a tick. */
  readonly priceSum: number
  readonly tickSize: string
  readonly currency: Currency | null
}

/** One side of a pair. */
export type PairedFill = { readonly fillId: string; /** UTC ms. */ readonly time: number; readonly price: Ticks }

/** A quantity that the broker itself paired first in, first out, from a Performance report or the Position History. */
export type PairReading = OfFile & {
  readonly says: 'pair'
  readonly account: AccountNamed
  readonly pairId: string | null
  readonly contract: string
  readonly product?: string
  readonly buy: PairedFill
  readonly sell: PairedFill
  readonly qty: number
  readonly tickSize: string
  /** The broker's own gross P&L. */
  readonly pnl: Amount
  readonly currency: Currency | null
  readonly tradeDate: string | null
}

/** One movement of cash, from the Cash History: `pair` is the gross of a fill pair or takes one back, `fee` a commission or fee of trading, `other` neither. */
export type CashReading = OfFile & {
  readonly says: 'cash'
  readonly account: AccountNamed
  readonly transactionId: string
  /** UTC ms. */
  readonly time: number
  readonly tradeDate: string
  readonly movement: 'pair' | 'fee' | 'other'
  /** The broker's own name of it, `Exchange Fee`; missing in readings that were stored before it was kept. */
  readonly type?: string
  /** It is a deposit, a payout, or another booking that is no trade's; missing where it is not, or nobody says what it is. */
  readonly transfer?: true
  /** What it changed, and what the account held behind it. */
  readonly delta: Amount
  readonly amount: Amount
  readonly currency: Currency | null
  readonly contract: string | null
}

/** How an account stood at the end of a session, from the Account Balance History. */
export type BalanceReading = OfFile & {
  readonly says: 'balance'
  readonly account: AccountNamed
  readonly tradeDate: string
  readonly total: Amount
  /** Of that session, net of commission. */
  readonly realized: Amount
  /** Where the figures name it. */
  readonly currency?: Currency
}

/** The net position of an account in a contract behind a moment, as the broker counts it: above zero where long. */
export type PositionReading = {
  readonly says: 'position'
  readonly account: AccountNamed
  readonly contract: string
  /** UTC ms. */
  readonly time: number
  readonly tradeDate: string
  readonly net: number
}

/** Trading days from the first to the last, `YYYY-MM-DD`; null where there is no bound. */
export type TradingDays = { readonly from: string | null; readonly to: string | null }

/** A row that was refused: what it says is missing, and this is what of it could still be read. */
export type RefusedReading = {
  readonly says: 'refused'
  readonly kind: ExportKind
  readonly line: number
  readonly account: AccountNamed
  readonly contract: string | null
  /** UTC ms; of a pair the earlier of its two. */
  readonly time: number | null
  /** Of a Cash History the transaction's. */
  readonly fillIds: readonly string[]
  readonly orderId: string | null
  /** The trading days that it may be of, both included, null where there is no bound; missing in readings that were stored before days were kept. */
  readonly days?: TradingDays
  /** Of a Cash History, as far as it can be read. */
  readonly moved?: { readonly delta: Amount | null; readonly amount: Amount | null }
  /** The fills of the rows beside it, in a file that names no account: it is of the same. */
  readonly beside: readonly { readonly contract: string; readonly fillId: string }[]
}

/** What a row of an exported file says. */
export type Reading = FillReading | OrderReading | PairReading | CashReading | BalanceReading | PositionReading | RefusedReading

/** Why a row cannot be read: the column at fault (both where two name different accounts, empty where it is the whole row) and what stood there. */
export type RowProblem = {
  readonly code: 'missing' | 'bad-number' | 'unclear-number' | 'bad-time' | 'bad-date' | 'bad-side' | 'off-tick' | 'too-large' | 'bad-currency' | 'wrong-columns' | 'broken-quotes' | 'contradicts' | 'not-together' | 'negative-fee'
  readonly column: string
  /** At most 40 characters of it. */
  readonly value: string
}

/** How a file writes numbers and dates: as Americans do, or with a decimal comma, or with the day before the month. */
export type Writing = { readonly decimals: DecimalSign; readonly dayFirst: boolean }

/**
 * A row as it lies in the file: `line` is counted from 1, the header included; cells by the name of their column as the
 * broker writes it; written as Americans do where nothing else is said.
 */
export type ExportRow = { readonly line: number; readonly cells: Readonly<Record<string, string>>; readonly writing?: Writing }
