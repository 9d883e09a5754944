import type { ModelSettings, Narrative, PeriodKind, Report, ReportHead, ReportSchedule } from '#shared/api/reports.ts'
import type { Trip } from '#shared/api/records.ts'

type OfUser = { readonly userId: string }
type OfReport = OfUser & { readonly id: string }

/** Which trips of one fact or finding belong to it: bit n of byte m is trip 8 m + n of the report. */
export type Members = { readonly of: string; readonly members: Uint8Array }

/** What a report says once it is computed; times are UTC ms where they are no moments. */
export type ComputedReport = Pick<Report, 'zone' | 'names' | 'findings' | 'facts' | 'tried' | 'level' | 'trades' | 'net' | 'evident'> & {
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

/** What can be asked of reports. */
export type ReportReads = {
  /** Newest first. */
  readonly reports: (input: OfUser) => ReportHead[]
  /** Null for an unknown one. */
  readonly report: (input: OfReport) => Report | null
  /** The trips behind a fact or finding, newest exit first, one window of them; null where the report or what is asked for is unknown. A trip that is no longer in view counts in `gone`, and not in `total`. */
  readonly reportTrips: (input: OfReport & { readonly of: string; readonly offset: number; readonly limit: number }) => { readonly trades: Trip[]; readonly total: number; readonly gone: number } | null
  /** Notes of the trips and days of a report, newest first, as many as fit both bounds; an unknown report has none. */
  readonly reportNotes: (input: OfReport & { readonly most: number; readonly characters: number }) => ReportNote[]
  readonly reportSettings: (input: OfUser) => KeptReportSettings
  /** Users with a report that is made by itself. */
  readonly scheduledUsers: () => string[]
  /** What must not be told to others: names, ids and keys of all accounts and logins of a user, with the key of the account where it is one's, and the user's own names and e-mail addresses. */
  readonly privateWords: (input: OfUser) => PrivateWord[]
}

/** What can be done to reports. */
export type ReportWrites = {
  /** One that was made by itself counts as done from then on. */
  readonly addReport: (input: NewReport) => void
  /** False where there is none. */
  readonly removeReport: (input: OfReport) => boolean
  /** False where the report is gone. */
  readonly keepNarrative: (input: OfReport & { readonly narrative: Narrative }) => boolean
  /** Fails every narrative that is still under way, at `at` (UTC ms), since nobody writes it any more; counts them. */
  readonly endNarratives: (input: { readonly at: number }) => number
  readonly setReportModel: (input: OfUser & { readonly model: KeptModel | null }) => void
  readonly setReportSchedule: (input: OfUser & { readonly schedule: ReportSchedule; readonly done: ScheduleDone }) => void
}
