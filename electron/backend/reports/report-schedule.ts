import type { Report, ReportSchedule } from '#shared/api/reports.ts'
import type { Log } from '#shared/base/log.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { lastDue, nextDue, type ScheduledPeriod } from './report-periods.ts'
import type { Rights } from '../plans/rights.ts'
import type { ScheduleDone, ScheduledKind } from './rows.ts'

/** Makes the report of a period with trades, and its narrative if the user wants one; a failed narrative leaves the report without one. */
export type MakeScheduled = (userId: string, period: Report['period'], gone: AbortSignal) => Promise<void>

type Deps = {
  readonly journal: JournalCalls
  readonly reports: { readonly makeScheduled: MakeScheduled }
  readonly rights: Pick<Rights, 'holds'>
  /** Settles once no sync runs for the user. */
  readonly synced: (userId: string) => Promise<void>
  readonly log: Pick<Log, 'error'>
  /** UTC ms. */
  readonly now: () => number
  /** Resolves after `ms`, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

// Timers stop while a computer sleeps, and sign-ins and plans change without an event: check the clock this often.
const maxSleepMs = 60_000
const kinds = ['day', 'week', 'month'] as const satisfies readonly ScheduledKind[]

/** When the next report of a schedule is due, UTC ms; null if none is scheduled. */
export const nextReportAt = (schedule: ReportSchedule, now: number): number | null => {
  const times = kinds.filter((kind) => schedule[kind]).map((kind) => nextDue(kind, now).dueAt)
  return times.length === 0 ? null : Math.min(...times)
}

/** What counts as done after a change of the schedule: a kind that starts now makes no report for the past. */
export const doneBefore = (before: ReportSchedule, schedule: ReportSchedule, done: ScheduleDone, now: number): ScheduleDone => {
  const of = (kind: ScheduledKind): string | null => (!schedule[kind] ? null : before[kind] && done[kind] !== null ? done[kind] : lastDue(kind, now).period.to)
  return { day: of('day'), week: of('week'), month: of('month') }
}

/** Makes the scheduled reports of the users who are signed in on this computer and whose plan includes them. */
export const createReportScheduler = ({ journal: { read, write }, reports, rights, synced, log, now, sleep }: Deps) => {
  const stopping = new AbortController()
  let wake = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  const isEligible = async (userId: string): Promise<boolean> => (await read.sessionCount({ userId, at: now() })) > 0 && (await rights.holds(userId, 'autosync'))

  const dueFor = async (userId: string): Promise<readonly ScheduledPeriod[]> => {
    const { schedule, done } = await read.reportSettings({ userId })
    return kinds.flatMap((kind) => {
      if (!schedule[kind]) return []
      const due = lastDue(kind, now())
      const last = done[kind]
      return last === null || last < due.period.to ? [due] : []
    })
  }
  const makeDue = async (userId: string): Promise<void> => {
    const due = await dueFor(userId)
    if (due.length === 0 || !(await isEligible(userId))) return
    await synced(userId)
    for (const { period } of due) {
      if (stopping.signal.aborted) return
      await reports.makeScheduled(userId, period, stopping.signal)
      // A stored report marks its period done itself; this marks periods without trades. Read again: the schedule may have changed meanwhile.
      const { schedule, done } = await read.reportSettings({ userId })
      await write.setReportSchedule({ userId, schedule, done: { ...done, [period.kind]: period.to } })
    }
  }
  const makeAllDue = async (): Promise<number> => {
    let soonest = now() + maxSleepMs
    for (const userId of await read.scheduledUsers()) {
      await makeDue(userId).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ error }, 'making a scheduled report failed')
      })
      soonest = Math.min(soonest, nextReportAt((await read.reportSettings({ userId })).schedule, now()) ?? soonest)
    }
    return soonest
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController()
      const wakeAt = await makeAllDue().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ error }, 'checking the report schedule failed')
        return now() + maxSleepMs
      })
      await sleep(Math.max(0, wakeAt - now()), AbortSignal.any([stopping.signal, wake.signal])).catch(() => undefined)
    }
  }

  return {
    /** Makes what is due now and at every due time from then on. Of missed periods it makes up the last one of each kind. */
    start: (): void => {
      loop = run()
    },
    /** Call it after a user's schedule changed. */
    scheduleChanged: (): void => wake.abort(),
    /** Settles once no report is being made. */
    stop: async (): Promise<void> => {
      stopping.abort()
      await loop
    },
  }
}
