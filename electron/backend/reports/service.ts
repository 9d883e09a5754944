import { randomUUID } from 'node:crypto'
import type { Report, reportRoutes, ReportSchedule } from '#shared/api/reports.ts'
import type { AnswerOf, BodyOf, QueryOf } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { DrawPdf } from './pdf-thread.ts'
import { askModel, modelsOf } from './model-client.ts'
import type { JournalCalls, ReportedJournal } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import { createSemaphore } from '../semaphore.ts'
import { refuse, type Refused } from '../refused.ts'
import type { ReportModels, SaidModel } from './report-models.ts'
import type { NarrativeWish, ReportNarratives } from './report-narratives.ts'
import { periodFault } from './report-periods.ts'
import { doneBefore, nextReportAt, type MakeScheduled } from './report-schedule.ts'
import type { Rights } from '../plans/rights.ts'
import type { NewReport } from './rows.ts'

type Routes = typeof reportRoutes
type Settings = AnswerOf<Routes['saveModel']>['settings']

/** Reports: what the trades of a period show, and what a model wrote of it. */
export type Reports = {
  readonly list: (userId: string) => Promise<AnswerOf<Routes['reports']>>
  readonly one: (userId: string, id: string) => Promise<Result<Report, Refused>>
  readonly trades: (userId: string, asked: QueryOf<Routes['reportTrades']>) => Promise<Result<AnswerOf<Routes['reportTrades']>, Refused>>
  /** Rejects once `gone` aborts: nobody waits for it any more. */
  readonly make: (userId: string, asked: BodyOf<Routes['makeReport']>, gone: AbortSignal) => Promise<Result<Report, Refused>>
  readonly makeScheduled: MakeScheduled
  readonly remove: (userId: string, id: string) => Promise<boolean>
  readonly narratives: Pick<ReportNarratives, 'preview' | 'write' | 'cancel'>
  readonly saveModel: (userId: string, said: SaidModel) => Promise<Result<Settings, Refused>>
  readonly tryModel: (userId: string, gone: AbortSignal) => Promise<Result<AnswerOf<Routes['tryModel']>, Refused>>
  readonly saveSchedule: (userId: string, schedule: ReportSchedule) => Promise<Settings>
  /** A document as a PDF file; the same bytes for the same document. */
  readonly pdf: DrawPdf
}

/** What reports work with; `now` is UTC ms. */
export type ReportsParts = {
  readonly journal: JournalCalls & ReportedJournal
  readonly models: ReportModels
  readonly narratives: ReportNarratives
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  /** Told where a schedule changed. */
  readonly rescheduled: () => void
  readonly pdf: Reports['pdf']
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
}

const mostAtOnce = 2
/** A word is asked for: whoever is slower than this loads the model. */
const tryPatience = { firstMs: 60_000, nextMs: 30_000, wholeMs: 90_000 }
const listPatienceMs = 10_000

/** Reports over the journal. */
export const createReports = ({ journal, models, narratives, rights, events, rescheduled, pdf, log, now }: ReportsParts): Reports => {
  const { read, write } = journal
  const limited = createSemaphore(mostAtOnce)

  const settings = async (userId: string): Promise<Settings> => {
    const [model, { schedule }] = await Promise.all([models.settings(userId), read.reportSettings({ userId })])
    const nextAt = nextReportAt(schedule, now())
    return { model, schedule, nextAt: nextAt === null ? null : new Date(nextAt).toISOString() }
  }
  const changed = (userId: string): void => events.push(userId, { type: 'reports-changed' })

  const compute = async (userId: string, period: Report['period'], accounts: readonly string[], by: NewReport['by'], gone: AbortSignal): Promise<NewReport> => {
    const computed = await limited(gone, () => journal.computeReport({ userId, period, accounts }, gone))
    return { ...computed, userId, id: randomUUID(), at: now(), by, period, accounts }
  }
  const keep = async (computed: NewReport): Promise<Report> => {
    const { userId, id } = computed
    await write.addReport(computed)
    changed(userId)
    const kept = await read.report({ userId, id })
    if (kept === null) throw new Error('A report that was just made is gone')
    return kept
  }
  const one = async (userId: string, id: string): Promise<Report | null> => {
    const kept = await read.report({ userId, id })
    return kept === null ? null : { ...kept, narrative: narratives.live(userId, id) ?? kept.narrative }
  }

  const tell = async (userId: string, id: string): Promise<void> => {
    if (!(await read.reportSettings({ userId })).schedule.narrative) return
    // Where no model is set, or the plan ended meanwhile, the report stands alone.
    const preview = await narratives.preview(userId, { id, notes: false })
    if (preview.ok) await narratives.write(userId, { id, notes: false, digest: preview.value.digest })
  }

  return {
    list: async (userId) => ({ reports: await read.reports({ userId }), settings: await settings(userId) }),
    one: async (userId, id) => {
      const found = await one(userId, id)
      return found === null ? refuse('not-found') : ok(found)
    },
    trades: async (userId, { id, of, offset, limit }) => {
      const found = await read.reportTrips({ userId, id, of, offset, limit })
      return found === null ? refuse('not-found') : ok(found)
    },
    make: async (userId, { period, accounts }, gone) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const fault = periodFault(period)
      if (fault !== null) return refuse('invalid-request', { fields: [{ path: 'period.to', message: fault }] })
      return ok(await keep(await compute(userId, period, [...new Set(accounts)], 'user', gone)))
    },
    makeScheduled: async (userId, period, gone) => {
      const computed = await compute(userId, period, [], 'schedule', gone)
      if (computed.trades === 0) return
      const { id } = await keep(computed)
      // The report is there: a keychain that is locked, or whatever else goes wrong now, is none of its faults.
      await tell(userId, id).catch((error: unknown) => {
        if (!gone.aborted) log.error({ error }, 'A report was made by itself, and not told')
      })
    },
    remove: async (userId, id) => {
      await narratives.cancel(userId, id)
      const removed = await write.removeReport({ userId, id })
      if (removed) changed(userId)
      return removed
    },
    narratives: {
      preview: (userId: string, wish: NarrativeWish) => narratives.preview(userId, wish),
      write: narratives.write,
      cancel: narratives.cancel,
    },
    saveModel: async (userId, said) => {
      const saved = await models.save(userId, said)
      if (!saved.ok) return saved
      changed(userId)
      return ok(await settings(userId))
    },
    tryModel: async (userId, gone) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const set = await models.endpoint(userId)
      if (set === null) return refuse('no-model')
      const enough = new AbortController()
      const signal = AbortSignal.any([gone, enough.signal])
      const asked = askModel(set.endpoint, [{ role: 'user', content: 'Answer with the one word ok.' }], { signal, patience: tryPatience, hear: () => enough.abort() })
      const [{ failure }, names] = await Promise.all([asked, modelsOf(set.endpoint, AbortSignal.any([gone, AbortSignal.timeout(listPatienceMs)]))])
      return ok({ ok: failure === null, failure, models: names })
    },
    saveSchedule: async (userId, schedule) => {
      const before = await read.reportSettings({ userId })
      await write.setReportSchedule({ userId, schedule, done: doneBefore(before.schedule, schedule, before.done, now()) })
      rescheduled()
      changed(userId)
      return settings(userId)
    },
    pdf,
  }
}
