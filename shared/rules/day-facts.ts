import type { RuleKind } from '#shared/api/rules.ts'
import type { Amount } from '#shared/money/money.ts'

/** A round trip as the rules see it. */
export type RuleTrade = {
  readonly contract: string
  readonly product: string
  readonly side: 'long' | 'short'
  readonly qty: number
  /** UTC ms. */
  readonly entryAt: number
  /** UTC ms. */
  readonly exitAt: number
  /** After all fees, 1/10,000 of the account's currency. */
  readonly net: Amount
}

/** One session of an account; a trade belongs to the session in which it was closed. */
export type DayFacts = {
  /** `YYYY-MM-DD`. */
  readonly tradingDay: string
  /** By `exitAt`. */
  readonly trades: readonly RuleTrade[]
  /** Payouts, deposits and fees that are no trade, booked before the day's first trade; mostly 0. */
  readonly adjustment: Amount
  /** The same, booked after a trade of the day was closed, by `at` (UTC ms); missing where nothing was. */
  readonly moves?: readonly { readonly at: number; readonly amount: Amount }[]
  /** The highest that the day's net stood at with what was open, as far as the account was watched; missing where it was not. */
  readonly highest?: Amount
}

/** What one account holds of one contract; signed contracts. */
export type Held = { readonly contract: string; readonly product: string; readonly net: number }

/** An account as it is at a moment. What is null is not known. */
export type NowFacts = {
  /** UTC ms. */
  readonly at: number
  /** Cash, with what was realised today in it. */
  readonly balance: Amount | null
  /** Net of what was closed since the session's start. */
  readonly dayRealised: Amount | null
  readonly open: Amount | null
  readonly positions: readonly Held[]
  /** What the user's other accounts hold. */
  readonly others: readonly { readonly account: string; readonly product: string; readonly net: number }[]
  /** What went in or out in this session and is in `balance`, but not in `dayRealised`, as each tells it who knows of it. */
  readonly moved: readonly Amount[]
  /** The highest equity, open P&L included, that was seen in this session. */
  readonly peak: Amount | null
  /** The highest that was seen in earlier sessions. */
  readonly earlierPeak: Amount | null
  /** The lowest one of this session, and the lowest balance. */
  readonly trough: Amount | null
  readonly lowestBalance: Amount | null
  /** The lowest that `dayRealised` was seen at in this session, and together with `open`. */
  readonly lowestRealised: Amount | null
  readonly lowestDay: Amount | null
}

/** Limits that the broker itself tells of an account; null where it tells none. They win over the rule set's. */
export type BrokerLimits = {
  /** The size of the evaluation: the starting balance, where balance and trades bear it out. */
  readonly startingBalance: Amount | null
  /** The balance at which the broker liquidates. */
  readonly floor: Amount | null
  /** How much may be lost in a session, above zero. */
  readonly dailyLoss: Amount | null
  /** The account may reduce only, or do nothing at all. */
  readonly reduceOnly: boolean
  /** When the broker closes everything in the present session, UTC ms. */
  readonly flatBy: number | null
}

/** When a rule was broken: in which session, and the moment (UTC ms) where it is known. */
export type Broken = { readonly tradingDay: string; readonly at: number | null }

/** What has to be reached, each by itself. */
export type GoalKind = Extract<RuleKind, 'profit-target' | 'consistency' | 'minimum-days' | 'winning-days' | 'payout'>

/** What is left of all days that were folded. Amounts are profit over the starting balance, whichever that is. */
export type Past = {
  readonly days: number
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** Trades and adjustments. */
  readonly profit: Amount
  /** Trades alone. */
  readonly net: Amount
  /** The highest profit at the end of a day, at least 0. */
  readonly highestClose: Amount
  /** The highest profit, at least 0: by closed trades, and with what was open where the account was watched. */
  readonly highest: Amount
  /** Net of the best day; 0 where none made a profit. */
  readonly bestDay: Amount
  readonly daysTraded: number
  /** Winning days as the rule set counts them, and as its payout gate does. */
  readonly daysWon: number
  readonly payoutDaysWon: number
  /** The first time that each of the losses was broken for good. */
  readonly lost: { readonly 'max-loss': Broken | null; readonly 'daily-loss': Broken | null }
  /** The day since which each goal is met without a break; null where it is not. */
  readonly metSince: Readonly<Record<GoalKind, string | null>>
  /** The first hard breach. */
  readonly breach: (Broken & { readonly rule: RuleKind }) | null
  /** The day on which target, days and consistency were all met, before any breach and in time. */
  readonly passed: string | null
}

/** What one day came to. Amounts are profit over the starting balance. */
export type DayOutcome = {
  readonly tradingDay: string
  /** With the day's adjustment in it, but not what moved later. */
  readonly opening: Amount
  /** By closed trades. */
  readonly low: Amount
  readonly high: Amount
  readonly closing: Amount
  /** Net of the day's trades. */
  readonly net: Amount
  readonly trades: number
  /** The floor of the maximum loss as it held at the session's end, before its close moves it; null without one. */
  readonly floor: Amount | null
  /** Where the day's trades first brought the maximum loss, or the daily loss, to its limit. */
  readonly maxLoss: Broken | null
  readonly dailyLoss: Broken | null
  /** The first that was held after the time to be flat. */
  readonly heldLate: Broken | null
  /** What was held when the caps were nearest, or exceeded most. */
  readonly held: HeldMost
  /** What all days up to this one's end come to. */
  readonly after: Past
}

/** The cap that has least left, and how much of it was held; contracts, or tenths of one where micros count as a tenth. Null where no cap applies. */
export type HeldMost = { readonly limit: number; readonly value: number } | null
