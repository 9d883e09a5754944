/** A trade as a front shows it; money as decimal text. */
export type ShownTrade = { readonly account: string; readonly contract: string; readonly side: string; readonly qty: number; readonly entry: number; readonly exit: number; readonly gross: string; readonly commission: string; readonly net: string; readonly tradingDay: string; readonly marks: readonly string[]; readonly feeSource: string }

/** A day of one currency as a front shows it; the currency is null where no file says it. */
export type ShownDay = { readonly account: string; readonly tradingDay: string; readonly currency: string | null; readonly gross: string; readonly commission: string; readonly net: string; readonly state: 'equal' | 'differs' | 'unchecked'; readonly reason: string | null }

/** All money of an account in one currency; the currency is null where no file says it. */
export type ShownTotal = { readonly account: string; readonly currency: string | null; readonly gross: string; readonly commission: string; readonly net: string }

/** What a front shows of files that were handed to it. */
export type Outcome = {
  /** Why nothing, or not all, was taken: a file refused whole, or a question that must be answered first. */
  readonly refused: readonly string[]
  /** How many rows were refused, each with its line. */
  readonly rowsRefused: number
  readonly days: readonly ShownDay[]
  /** Null where the front lists none. */
  readonly trades: readonly ShownTrade[] | null
  readonly totals: readonly ShownTotal[]
  /** Codes of warnings, and what they say. */
  readonly warnings: readonly { readonly code: string; readonly text: string }[]
}
