import type { Report, ReportSchedule } from '#shared/api/reports.ts'
import type { Log } from '#shared/base/log.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { lastDue, nextDue, type ScheduledPeriod } from './report-periods.ts'
import type { Rights } from '../plans/rights.ts'
import type { ScheduleDone, ScheduledKind } from './rows.ts'

/** The clockwork behind reports that are made by themselves. */
export type ReportClock = {
  /** Looks at once, and from then on at every due time: what was missed is made up for, the last of each kind. */
  readonly begin: () => void
  /** A user's schedule changed. */
  readonly changed: () => void
  /** Settles once nothing is made any more. */
  readonly stop: () => Promise<void>
}

/** Makes the report of a period that ended, unless nothing was traded in it, and writes its narrative if the user wants one; if that fails, the report stays without. */
export type MakeScheduled = (userId: string, period: Report['period'], gone: AbortSignal) => Promise<void>

type Deps = {
  readonly journal: JournalCalls
  readonly reports: { readonly makeScheduled: MakeScheduled }
  readonly rights: Pick<Rights, 'holds'>
  /** Settles once the sync that runs for a user has ended; at once where none runs. */
  readonly synced: (userId: string) => Promise<void>
  readonly log: Pick<Log, 'error'>
  /** UTC ms. */
  readonly now: () => number
  /** Resolves after `ms`, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** A computer that slept keeps no timer, and sign-ins and plans come without anything happening: the clock is looked at this often, ms. */
const longestSleepMs = 60_000
const kinds = ['day', 'week', 'month'] as const satisfies readonly ScheduledKind[]

/** When the next report of a schedule is due, UTC ms; null where none is wanted. */
export const nextReportAt = (schedule: ReportSchedule, now: number): number | null => {
  const times = kinds.filter((kind) => schedule[kind]).map((kind) => nextDue(kind, now).dueAt)
  return times.length === 0 ? null : Math.min(...times)
}

/** What counts as done where a schedule begins now: nothing of before. */
export const doneBefore = (before: ReportSchedule, schedule: ReportSchedule, done: ScheduleDone, now: number): ScheduleDone => {
  const of = (kind: ScheduledKind): string | null => (!schedule[kind] ? null : before[kind] && done[kind] !== null ? done[kind] : lastDue(kind, now).period.to)
  return { day: of('day'), week: of('week'), month: of('month') }
}

/** Makes reports for whoever is signed in on this computer and has a plan for it. */
export const createReportClock = ({ journal: { read, write }, reports, rights, synced, log, now, sleep }: Deps): ReportClock => {
  const stopping = new AbortController()
  let woken = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  const isThere = async (userId: string): Promise<boolean> => (await read.sessionCount({ userId, at: now() })) > 0 && (await rights.holds(userId, 'autosync'))

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
    if (due.length === 0 || !(await isThere(userId))) return
    await synced(userId)
    for (const { period } of due) {
      if (stopping.signal.aborted) return
      await reports.makeScheduled(userId, period, stopping.signal)
      // A report is done as soon as it is kept; a period without trades is done here. What was said of the schedule meanwhile stands.
      const { schedule, done } = await read.reportSettings({ userId })
      await write.setReportSchedule({ userId, schedule, done: { ...done, [period.kind]: period.to } })
    }
  }
  const turn = async (): Promise<number> => {
    let soonest = now() + longestSleepMs
    for (const userId of await read.scheduledUsers()) {
      await makeDue(userId).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ error }, 'A report was not made by itself')
      })
      soonest = Math.min(soonest, nextReportAt((await read.reportSettings({ userId })).schedule, now()) ?? soonest)
    }
    return soonest
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const wakeAt = await turn().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ error }, 'The schedule of reports stumbled')
        return now() + longestSleepMs
      })
      await sleep(Math.max(0, wakeAt - now()), AbortSignal.any([stopping.signal, woken.signal])).catch(() => undefined)
    }
  }

  return {
    begin: () => {
      loop = run()
    },
    changed: () => woken.abort(),
    stop: async () => {
      stopping.abort()
      await loop
    },
  }
}
