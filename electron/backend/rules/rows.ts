import type { RuleAlert, RuleSet, Stage } from '#shared/api/rules.ts'
import type { Finance } from '#shared/api/records.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Past } from '#shared/rules/day-facts.ts'
import type { At, OfUser } from '../db/rows.ts'
import type { alertMarks, ruleBreaches, sessionExtremes } from '../db/schema/rules.ts'

/** One account of a user. */
export type OfAccount = OfUser & { readonly account: string }

/** A breach seen while its account was watched; `at` is UTC ms. */
export type SeenBreach = Readonly<Pick<typeof ruleBreaches.$inferSelect, 'rule' | 'tradingDay' | 'at'>>

/** A connected account with its rules, and the result of its past. Amounts are in its currency, times are UTC ms. */
export type RuledAccount = OfAccount & {
  readonly name: string
  readonly firm: Finance['firm']
  /** The user's label, `Funded Account`; null without one. */
  readonly label: Finance['type'] | null
  readonly currency: Currency
  readonly balance: Amount | null
  readonly balanceAt: number | null
  readonly set: RuleSet | null
  readonly presetId: string | null
  readonly since: string | null
  readonly stageByHand: Stage | null
  readonly breach: SeenBreach | null
  /** All its days before the requested one, folded by its rules; empty without rules. */
  readonly past: Past
  /** The most fees that its balance may include for trades that were not closed before that day. */
  readonly openCosts: Amount
  /** Net of the requested day. */
  readonly dayNet: Amount
  /** Whether trades in another currency closed on it. */
  readonly dayForeign: boolean
  /** Transfers on that day or later. */
  readonly dayMoved: Amount
  /** The highest equity seen on that day while the account was watched, and on the watched days before it; null if none was. */
  readonly dayPeak: Amount | null
  readonly earlierPeak: Amount | null
  /** The first trading day after the account's last reset, if its past begins earlier; else null. */
  readonly resetDay: string | null
}

/** How high and low an account was seen in a session while it was watched, as in the table of the same name. */
export type SessionExtremes = Readonly<Omit<typeof sessionExtremes.$inferSelect, 'userId'>>

/** Which days of an account: from `since` on, or all of them, in `currency`. */
export type OfDays = OfAccount & { readonly since: string | null; readonly currency: string }

/** An alert that a session already had, so that it is not repeated. */
export type AlertMark = Readonly<Omit<typeof alertMarks.$inferSelect, 'userId'>>

/** An alert to save; `at` is UTC ms. */
export type NewAlert = Omit<RuleAlert, 'id' | 'at' | 'seen'> & At
