import type { Finance } from '#shared/api/records.ts'
import type { AlertSettings, RuleAlert, RuleKind, RuleSet, Stage } from '#shared/api/rules.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Past } from '#shared/rules/day-facts.ts'

type OfUser = { readonly userId: string }
type OfAccount = OfUser & { readonly account: string }
type At = { readonly at: number }

/** A rule that was seen broken while its account was watched; `at` is UTC ms. */
export type SeenBreach = { readonly rule: RuleKind; readonly tradingDay: string; readonly at: number }

/** A connected account with its rules, and what its past comes to. Amounts are in its currency, times are UTC ms. */
export type RuledAccount = {
  readonly account: string
  readonly name: string
  readonly firm: Finance['firm']
  /** What its user calls it, `Funded Account`; null where it has no label. */
  readonly label: Finance['type'] | null
  readonly currency: Currency
  readonly balance: Amount | null
  readonly balanceAt: number | null
  readonly set: RuleSet | null
  readonly presetId: string | null
  readonly since: string | null
  readonly stageByHand: Stage | null
  readonly breach: SeenBreach | null
  /** All its days before the one that was asked for, folded by its rules; empty without rules. */
  readonly past: Past
  /** Net of the day that was asked for. */
  readonly dayNet: Amount
  /** What went in or out on it, or later. */
  readonly dayMoved: Amount
  /** The highest equity that was seen on it while the account was watched, and on the watched days before it; null where none was. */
  readonly dayPeak: Amount | null
  readonly earlierPeak: Amount | null
  /** The first trading day after the account's last reset, where its past begins earlier; else null. */
  readonly resetDay: string | null
}

/** How high and low an account was seen in a session while it was watched, as the table of the same name has it. */
export type SessionExtremes = {
  readonly account: string
  readonly tradingDay: string
  readonly peak: Amount | null
  readonly trough: Amount | null
  readonly lowestBalance: Amount | null
  readonly highestDay: Amount | null
  readonly lowestDay: Amount | null
  readonly lowestRealised: Amount | null
  readonly moved: Amount
}

/** Which days of an account: from `since` on, or all of them. Trades in another currency than `currency` are left out, since nothing adds them. */
export type OfDays = OfAccount & { readonly since: string | null; readonly currency: string }

/** Where an alert was given in a session, so that it is not given twice. */
export type AlertMark = { readonly account: string; readonly rule: RuleKind; readonly level: number; readonly tradingDay: string }

/** An alert to be kept; `at` is UTC ms. */
export type NewAlert = Omit<RuleAlert, 'id' | 'at' | 'seen'> & At

/** What can be asked of rules and alerts. */
export type RulesReads = {
  /** Every connected account, with what its past before the trading day `day` comes to. */
  readonly ruledAccounts: (input: OfUser & { readonly day: string }) => RuledAccount[]
  /** Whether rules are set for any connected account. */
  readonly anyRules: (input: OfUser) => boolean
  /** An account's days as UTF-8 JSON of `DayFacts[]`, and how many they are; none where it is unknown. */
  readonly ruleDays: (input: OfDays) => { readonly days: Uint8Array; readonly count: number }
  /** The whole answer of the call `replay`, as UTF-8 JSON; `own`: the set is the account's own, so that its balance is what the days should come to. */
  readonly replayJson: (input: OfDays & { readonly set: RuleSet; readonly own: boolean }) => Uint8Array
  /** Null where nothing was ever set. */
  readonly alertSettings: (input: OfUser) => AlertSettings | null
  /** Newest first, before the alert of that number; `unseen` counts all of the user's. */
  readonly ruleAlerts: (input: OfUser & { readonly before?: number | undefined; readonly limit: number }) => { readonly alerts: RuleAlert[]; readonly more: boolean; readonly unseen: number }
  readonly alertMarks: (input: OfUser) => AlertMark[]
  /** What was seen of a user's accounts in one session, on this computer. */
  readonly sessionExtremes: (input: OfUser & { readonly day: string }) => SessionExtremes[]
}

/** What can be done to rules and alerts; `at` is UTC ms. */
export type RulesWrites = {
  /** Keeps what an account's rules are, or takes them back. False where no such account is connected. */
  readonly setRules: (input: OfAccount & At & { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }) => boolean
  /** Moves an account's stage by hand, or lets it follow again. False where no such account is connected. */
  readonly setStage: (input: OfAccount & At & { readonly stage: Stage | null }) => boolean
  /** Keeps the first breach of an account that was seen; false where one is known already. */
  readonly noteBreach: (input: OfAccount & SeenBreach) => boolean
  /** Keeps what was seen of sessions, in place of what was known of them. */
  readonly keepExtremes: (input: OfUser & { readonly extremes: readonly SessionExtremes[] }) => void
  readonly setAlertSettings: (input: OfUser & { readonly settings: AlertSettings }) => void
  /** Keeps marks, and alerts, which it gives with their numbers, in order; of a user's the newest 10,000 stay. Marks that are dropped may be told again. */
  readonly addAlerts: (input: OfUser & { readonly alerts: readonly NewAlert[]; readonly marks: readonly AlertMark[]; readonly dropped: readonly AlertMark[] }) => RuleAlert[]
  /** Counts as seen all up to that number; gives how many are not. */
  readonly seeAlerts: (input: OfUser & { readonly upTo: number }) => number
}
