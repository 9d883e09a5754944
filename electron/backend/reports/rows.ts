import type { ModelSettings, PeriodKind, Report, ReportHead, ReportSchedule } from '#shared/api/reports.ts'
import type { OfUser } from '../db/rows.ts'

/** Identifies one report of a user. */
export type ReportKey = OfUser & { readonly id: string }

/** The trades of one fact or finding as a bitmap: bit n of byte m is trade 8 m + n of the report. */
export type Members = { readonly of: string; readonly members: Uint8Array }

/** The computed content of a report. */
export type ComputedReport = Pick<Report, 'zone' | 'names' | 'findings' | 'facts' | 'days' | 'reconciled' | 'tried' | 'level' | 'trades' | 'net' | 'evident'> & {
  /** The ids of its trades as gzipped JSON, in the order of the bits of `Members`. */
  readonly tradeIds: Uint8Array
  readonly members: readonly Members[]
}

/** A report to store; `at` is UTC ms. */
export type NewReport = ReportKey & ComputedReport & { readonly at: number; readonly by: ReportHead['by']; readonly period: Report['period']; readonly accounts: readonly string[] }

/** The stored endpoint; its key is in the secret store. */
export type StoredModel = Omit<ModelSettings, 'hasKey'>

/** The periods that a schedule can have. */
export type ScheduledKind = Exclude<PeriodKind, 'free'>

/** The last day of the newest period of each kind that is done; null before the first. */
export type ScheduleDone = Readonly<Record<ScheduledKind, string | null>>

/** The stored settings of a user's reports. */
export type StoredReportSettings = { readonly model: StoredModel | null; readonly schedule: ReportSchedule; readonly done: ScheduleDone }

/** A user's note on a trade or a day of a report. */
export type ReportNote = { readonly about: 'trade' | 'day'; readonly tradingDay: string; readonly symbol: string | null; readonly text: string }

/** A word that identifies somebody. `account` is the key of the account that it names; `trader` is whether it is the user's own name. */
export type PrivateWord = { readonly word: string; readonly account: string | null; readonly trader: boolean }
