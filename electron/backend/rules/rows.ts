import type { RuleAlert, RuleSet, Stage } from '#shared/api/rules.ts'
import type { Finance } from '#shared/api/records.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Past } from '#shared/rules/day-facts.ts'
import type { At, OfUser } from '../db/rows.ts'
import type { alertMarks, ruleBreaches, sessionExtremes } from '../db/schema/rules.ts'

/** One account of a user. */
export type OfAccount = OfUser & { readonly account: string }

/** A rule that was seen broken while its account was watched; `at` is UTC ms. */
export type SeenBreach = Readonly<Pick<typeof ruleBreaches.$inferSelect, 'rule' | 'tradingDay' | 'at'>>

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
  /** At most so much of fees is in its balance of trades that were not closed before that day. */
  readonly openCosts: Amount
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
export type SessionExtremes = Readonly<Omit<typeof sessionExtremes.$inferSelect, 'userId'>>

/** Which days of an account: from `since` on, or all of them. Trades in another currency than `currency` are left out, since nothing adds them. */
export type OfDays = OfAccount & { readonly since: string | null; readonly currency: string }

/** Where an alert was given in a session, so that it is not given twice. */
export type AlertMark = Readonly<Omit<typeof alertMarks.$inferSelect, 'userId'>>

/** An alert to be kept; `at` is UTC ms. */
export type NewAlert = Omit<RuleAlert, 'id' | 'at' | 'seen'> & At
