import type { RuleKind } from '#shared/api/rules.ts'
import type { Amount } from '#shared/money/money.ts'

/** A trade as the rules see it. */
export type RuleTrade = {
  readonly product: string
  readonly qty: number
  /** UTC ms. */
  readonly entryAt: number
  /** UTC ms. */
  readonly exitAt: number
  /** After all fees, 1/10,000 of the account's currency. */
  readonly net: Amount
  /** In another currency: what it made in the account's is unknown, and `net` is 0. */
  readonly foreign?: true
}

/** One session of an account; a trade belongs to the session in which it was closed. */
export type DayFacts = {
  /** `YYYY-MM-DD`. */
  readonly tradingDay: string
  /** By `exitAt`. */
  readonly trades: readonly RuleTrade[]
  /** Payouts, deposits, and non-trade fees booked before the day's first trade; usually 0. */
  readonly adjustment: Amount
  /** The same, booked after a trade of the day closed, sorted by `at` (UTC ms); missing if none. */
  readonly moves?: readonly { readonly at: number; readonly amount: Amount }[]
  /** The day's highest net with open P&L while the account was watched; missing if it was not. */
  readonly highest?: Amount
}

/** An account's position in one contract, signed. */
export type HeldContract = { readonly contract: string; readonly product: string; readonly net: number }

/** An account at a moment. Null means unknown. */
export type NowFacts = {
  /** UTC ms. */
  readonly at: number
  /** The broker's session of the day's figures, where it may not be the current one: on weekends a broker still shows Friday's. */
  readonly session?: string | null
  /** Cash, including today's realized P&L. */
  readonly balance: Amount | null
  /** Net of trades closed since the session's start. */
  readonly dayRealized: Amount | null
  /** Whether trades in another currency closed since then. */
  readonly foreign?: boolean
  readonly open: Amount | null
  readonly positions: readonly HeldContract[]
  /** Positions of the user's other accounts. */
  readonly others: readonly { readonly account: string; readonly product: string; readonly net: number }[]
  /** This session's transfers, in `balance` but not in `dayRealized`; one amount per source. */
  readonly moved: readonly Amount[]
  /** The most fees that `balance` may include for trades that are in neither the past nor `dayRealized`. */
  readonly openCosts: Amount
  /** The session's highest equity, open P&L included. */
  readonly peak: Amount | null
  /** The highest equity of earlier sessions. */
  readonly earlierPeak: Amount | null
  /** The session's lowest equity, and lowest balance. */
  readonly trough: Amount | null
  readonly lowestBalance: Amount | null
  /** The session's lowest `dayRealized`, and lowest sum of it and `open`. */
  readonly lowestRealized: Amount | null
  readonly lowestDay: Amount | null
}

/** The broker's own limits of an account; null if it has none. They override the rule set's. */
export type BrokerLimits = {
  /** The size of the evaluation: the starting balance if balance and trades agree with it. */
  readonly startingBalance: Amount | null
  /** The balance at which the broker liquidates. */
  readonly drawdownLimit: Amount | null
  /** How far below its peak the drawdown limit trails, if it does. */
  readonly trailing: Amount | null
  /** The largest allowed loss of a session, above zero. */
  readonly dailyLoss: Amount | null
  /** The account may only reduce positions, or not trade at all. */
  readonly reduceOnly: boolean
  /** When the broker closes all positions in the current session, UTC ms. */
  readonly flatBy: number | null
}

/** The session in which a rule was broken, and the time (UTC ms) if known. */
export type Broken = { readonly tradingDay: string; readonly at: number | null }

/** Rules that are goals. */
export type GoalKind = Extract<RuleKind, 'profit-target' | 'consistency' | 'minimum-days' | 'winning-days' | 'payout'>

/** The result of folding past days. Amounts are profit over the starting balance, whatever that is. */
export type Past = {
  readonly days: number
  readonly firstDay: string | null
  /** Trades and adjustments. */
  readonly profit: Amount
  /** Trades alone. */
  readonly net: Amount
  /** The highest profit at the end of a day, at least 0. */
  readonly highestClose: Amount
  /** The highest profit, at least 0: by closed trades, and with open P&L while the account was watched. */
  readonly highest: Amount
  /** Net of the best day; 0 if none was profitable. */
  readonly bestDay: Amount
  readonly daysTraded: number
  /** Winning days by the rule set, and by its payout gate. */
  readonly daysWon: number
  readonly payoutDaysWon: number
  /** The first hard breach of each loss limit. */
  readonly lost: { readonly 'max-loss': Broken | null; readonly 'daily-loss': Broken | null }
  /** The day since which each goal has been met; null if it is not. */
  readonly metSince: Readonly<Record<GoalKind, string | null>>
  /** The first hard breach. */
  readonly breach: (Broken & { readonly rule: RuleKind }) | null
  /** The day on which target, days, and consistency were all met, in time and before any breach. */
  readonly passed: string | null
  /** The first and the last day with trades in another currency; null if there is none. From the first one on, no sum of money is known. */
  readonly foreign: { readonly since: string; readonly last: string } | null
}

/** The result of one day. Amounts are profit over the starting balance. */
export type DayOutcome = {
  readonly tradingDay: string
  /** Including the day's adjustment, but not later transfers. */
  readonly opening: Amount
  /** By closed trades. */
  readonly low: Amount
  readonly high: Amount
  readonly closing: Amount
  /** Net of the day's trades. */
  readonly net: Amount
  readonly trades: number
  /** The drawdown limit at the session's end, before its close moves it; null without one. */
  readonly drawdownLimit: Amount | null
  /** When the day's trades first reached the max loss, or the daily loss. */
  readonly maxLoss: Broken | null
  readonly dailyLoss: Broken | null
  /** The first trade held after the flat-by time. */
  readonly heldLate: Broken | null
  /** When a cap was nearest, or exceeded most. */
  readonly nearestCap: NearestCap
  /** The state after this day. */
  readonly after: Past
}

/** A cap on contracts with the least room, and the contracts held, in tenths if micros count as a tenth; null if no cap applies. */
export type NearestCap = { readonly limit: number; readonly value: number } | null
