import type { Side } from '#shared/fills/fill.ts'
import type { FillSource } from '#shared/fills/source.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { DecimalSign } from './cell-number.ts'
import type { ExportKind } from './export-kind.ts'

/** The account named in a row: the broker's id, its name, or (Performance report) neither. */
export type AccountNamed = { readonly id: string | null; readonly name: string | null }

/** A row's file, missing until files are assembled, empty for the broker's API; and its line, counted from 1 with the header, missing in readings stored before lines were. */
type OfFile = {
  readonly file?: string
  readonly line?: number
  /** Which of all files, once they are put together: of closed trades, and where several files have that name. */
  readonly ofFile?: number
}

/** Tells the file of a row from all others. */
export const sourceOf = ({ file = '', ofFile }: OfFile): string => (ofFile === undefined ? file : `\n${String(ofFile)}`)

/** A row's file and line; null if the line is unknown. */
export type RowLocation = { readonly file: string; readonly line: number | null }

/** One execution, from a Fills report or NinjaTrader's executions grid. */
export type FillReading = OfFile & {
  readonly says: 'fill'
  readonly account: AccountNamed
  readonly fillId: string
  readonly orderId: string | null
  /** The contract in the broker's short form, `MNQH5`. */
  readonly contract: string
  /** The row's product, if the contract's name does not show it; missing if none. */
  readonly product?: string
  /** UTC milliseconds. */
  readonly time: number
  readonly side: Side
  readonly qty: number
  /** Whole ticks of `tickSize`. */
  readonly price: Ticks
  readonly tickSize: string
  /** Of the whole fill, a cost is positive; null if the file has none. */
  readonly fee: Amount | null
  /** As in `Fill`; no file has them per fill. */
  readonly otherFees?: CurrencyAmounts | undefined
  readonly feeFrom?: string | undefined
  readonly active: boolean
  /** The gross P&L that the platform states of the quantity that it closed; missing if none. */
  readonly realized?: Amount
  /** The platform's net position right after it, above zero if long; NinjaTrader only. */
  readonly netAfter?: number
  /** Its position among rows of the same account, contract, and timestamp: `rank` in time order, `row` in file order if the sort direction is unknown. */
  readonly rank?: number
  readonly row?: number
  /** Set if the row gives its time with the offset from UTC, so that no zone can be wrong for it; missing in readings stored before it was. */
  readonly hasOffset?: true
  /** The broker's session, `YYYY-MM-DD`. */
  readonly tradeDate: string | null
  /** What another computer made the fill of, if only the mirror has it here; missing in rows of files and of the API. */
  readonly mirrored?: Exclude<FillSource, 'api' | 'handed-in'>
}

/** The filled part of one order, from an Orders report. */
export type OrderReading = OfFile & {
  readonly says: 'order'
  readonly account: AccountNamed
  readonly orderId: string
  readonly contract: string
  readonly product?: string
  /** UTC ms when the order was placed, and when its last fill was. */
  readonly placedAt: number
  readonly filledAt: number
  readonly side: Side
  /** Contracts filled. */
  readonly qty: number
  /** Average price times quantity, in whole ticks of `tickSize`: the average itself may be off-tick. */
  readonly priceSum: number
  readonly tickSize: string
  readonly currency: Currency | null
  /** Of the filled part, a cost is positive; missing if the file has none. */
  readonly fee?: Amount
}

/** One side of a pair. */
export type PairedFill = { readonly fillId: string; /** UTC ms. */ readonly time: number; readonly price: Ticks }

/** MFE and MAE of a closed trade, gross and above zero, as its platform or the user's own file states them; null if it does not. They show beside Fillbook's own and never replace them. */
export type StatedExcursions = { readonly by: 'ninjatrader' | 'file'; readonly mfe: Amount | null; readonly mae: Amount | null }

/** The broker's own fill pair, from a Performance report or the Position History. */
export type PairReading = OfFile & {
  readonly says: 'pair'
  readonly account: AccountNamed
  /** The broker's or the platform's own id of it; null if the file has none. */
  readonly pairId: string | null
  readonly contract: string
  readonly product?: string
  readonly buy: PairedFill
  readonly sell: PairedFill
  readonly qty: number
  readonly tickSize: string
  /** The broker's own gross P&L. */
  readonly pnl: Amount
  /** The closing side of a platform's closed trade, whose fills are made of the row: they close each other and no others. Missing in the broker's pairs of fills. */
  readonly closing?: Side
  /** Commissions and fees of both sides, a cost is positive; missing if the file has none. */
  readonly fees?: Amount | undefined
  /** Missing if the file has none. */
  readonly excursions?: StatedExcursions
  /** Set if nothing shows that the row is one trade of this account alone: its file has it several times without an id, or names several accounts. Its day is not proved by it. */
  readonly unproved?: true
  /** As in `FillReading`, of both times. */
  readonly hasOffset?: true
  /** Known once files are put together, of closed trades: whether its account is only assumed, since several name none. */
  readonly accountAssumed?: true
  readonly currency: Currency | null
  readonly tradeDate: string | null
}

/** One cash movement, from the Cash History: `pair` is a fill pair's gross P&L or its reversal, `fee` a commission or trading fee, `other` neither. */
export type CashReading = OfFile & {
  readonly says: 'cash'
  readonly account: AccountNamed
  readonly transactionId: string
  /** UTC ms. */
  readonly time: number
  readonly tradeDate: string
  readonly movement: 'pair' | 'fee' | 'other'
  /** The broker's name for it, `Exchange Fee`; missing in readings stored before it was. */
  readonly type?: string
  /** A deposit, a payout, or another booking outside of trading; missing if it is not, or unknown. */
  readonly transfer?: true
  /** The amount, and the balance after it. */
  readonly delta: Amount
  readonly amount: Amount
  readonly currency: Currency | null
  readonly contract: string | null
}

/** An account's balance at the end of a session, from the Account Balance History. */
export type BalanceReading = OfFile & {
  readonly says: 'balance'
  readonly account: AccountNamed
  readonly tradeDate: string
  readonly total: Amount
  /** The session's, net of commission. */
  readonly realized: Amount
  /** If the figures name it. */
  readonly currency?: Currency
}

/** The broker's net position of an account and contract after a time, above zero if long. */
export type PositionReading = {
  readonly says: 'position'
  readonly account: AccountNamed
  readonly contract: string
  /** UTC ms. */
  readonly time: number
  readonly tradeDate: string
  readonly net: number
}

/** Trading days from first to last, `YYYY-MM-DD`; null is unbounded. */
export type TradingDays = { readonly from: string | null; readonly to: string | null }

/** A rejected row: its content is missing, except for the parts that could still be read. */
export type RefusedReading = {
  readonly says: 'refused'
  readonly kind: ExportKind
  readonly line: number
  readonly account: AccountNamed
  readonly contract: string | null
  /** UTC ms; a pair's earlier time. */
  readonly time: number | null
  /** In a Cash History, the transaction's. */
  readonly fillIds: readonly string[]
  readonly orderId: string | null
  /** The trading days it may belong to, inclusive, null is unbounded; missing in readings stored before days were. */
  readonly days?: TradingDays
  /** In a Cash History, as far as readable. */
  readonly moved?: { readonly delta: Amount | null; readonly amount: Amount | null }
  /** Fills of neighboring rows in a file that names no account: the row is in the same account. */
  readonly beside: readonly { readonly contract: string; readonly fillId: string }[]
}

/** The content of a row of an exported file. */
export type Reading = FillReading | OrderReading | PairReading | CashReading | BalanceReading | PositionReading | RefusedReading

/** Why a row is unreadable: the column at fault (both if two name different accounts, empty for the whole row) and its text. */
export type RowProblem = {
  readonly code: 'missing' | 'bad-number' | 'unclear-number' | 'unknown-scale' | 'bad-time' | 'no-day' | 'bad-date' | 'bad-side' | 'off-tick' | 'too-large' | 'bad-currency' | 'wrong-columns' | 'broken-quotes' | 'contradicts' | 'not-together' | 'negative-fee' | 'rows-missing' | 'unknown-symbol' | 'repeated-id'
  readonly column: string
  /** At most 40 characters of it. */
  readonly value: string
}

/** A file's number and date formats: American, with decimal comma, or with the day first. */
export type Writing = { readonly decimals: DecimalSign; readonly dayFirst: boolean }

/**
 * A raw row: `line` counts from 1 with the header; cells by the broker's column names; American formats unless stated otherwise.
 */
export type ExportRow = { readonly line: number; readonly cells: Readonly<Record<string, string>>; readonly writing?: Writing }
