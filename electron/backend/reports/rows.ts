import type { ModelSettings, PeriodKind, Report, ReportHead, ReportSchedule } from '#shared/api/reports.ts'
import type { OfUser } from '../db/rows.ts'

/** One report of a user. */
export type OfReport = OfUser & { readonly id: string }

/** Which trips of one fact or finding belong to it: bit n of byte m is trip 8 m + n of the report. */
export type Members = { readonly of: string; readonly members: Uint8Array }

/** What a report says once it is computed; times are UTC ms where they are no moments. */
export type ComputedReport = Pick<Report, 'zone' | 'names' | 'findings' | 'facts' | 'days' | 'tried' | 'level' | 'trades' | 'net' | 'evident'> & {
  /** Ids of its trips as gzipped JSON, in the order that members go by. */
  readonly tripIds: Uint8Array
  readonly members: readonly Members[]
}

/** A report as it is kept. */
export type NewReport = OfReport & ComputedReport & { readonly at: number; readonly by: ReportHead['by']; readonly period: Report['period']; readonly accounts: readonly string[] }

/** The endpoint as it is kept: its key is elsewhere. */
export type KeptModel = Omit<ModelSettings, 'hasKey'>

/** The kinds of periods that a schedule knows. */
export type ScheduledKind = Exclude<PeriodKind, 'free'>

/** The last day of the newest period of each kind that needs no report any more; null before the first. */
export type ScheduleDone = Readonly<Record<ScheduledKind, string | null>>

/** What is kept of a user's reports beside them. */
export type KeptReportSettings = { readonly model: KeptModel | null; readonly schedule: ReportSchedule; readonly done: ScheduleDone }

/** A note of the user about a trade or a day of a report. */
export type ReportNote = { readonly about: 'trade' | 'day'; readonly tradingDay: string; readonly symbol: string | null; readonly text: string }

/** A word that says who somebody is; `account` is the key of the account that it says, `trader` says whether it is the user's own name. */
export type PrivateWord = { readonly word: string; readonly account: string | null; readonly trader: boolean }
