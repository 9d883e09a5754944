import { randomUUID } from 'node:crypto'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import type { Report, reportRoutes, ReportSchedule } from '#shared/api/reports.ts'
import type { AnswerOf, BodyOf, QueryOf } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { DrawPdf } from './pdf-thread.ts'
import { askModel, modelsOf } from './model-client.ts'
import type { JournalCalls, ReportedJournal } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import { createSemaphore } from '../semaphore.ts'
import type { ReportModels, ModelInput } from './report-models.ts'
import type { ReportNarratives } from './report-narratives.ts'
import { periodFault } from './report-periods.ts'
import { doneBefore, nextReportAt, type MakeScheduled } from './report-schedule.ts'
import type { Rights } from '../plans/rights.ts'
import type { NewReport } from './rows.ts'

type Routes = typeof reportRoutes
type Settings = AnswerOf<Routes['saveModel']>['settings']

/** Reports on the trades of a period, and their narratives. */
export type Reports = {
  readonly list: (userId: string) => Promise<AnswerOf<Routes['reports']>>
  readonly one: (userId: string, id: string) => Promise<Result<Report, Refused>>
  readonly trades: (userId: string, query: QueryOf<Routes['reportTrades']>) => Promise<Result<AnswerOf<Routes['reportTrades']>, Refused>>
  /** Rejects once `gone` aborts. */
  readonly make: (userId: string, body: BodyOf<Routes['makeReport']>, gone: AbortSignal) => Promise<Result<Report, Refused>>
  readonly makeScheduled: MakeScheduled
  readonly remove: (userId: string, id: string) => Promise<boolean>
  readonly narratives: Pick<ReportNarratives, 'preview' | 'write' | 'cancel'>
  readonly saveModel: (userId: string, input: ModelInput) => Promise<Result<Settings, Refused>>
  readonly tryModel: (userId: string, gone: AbortSignal) => Promise<Result<AnswerOf<Routes['tryModel']>, Refused>>
  readonly saveSchedule: (userId: string, schedule: ReportSchedule) => Promise<Settings>
  /** Draws a document as a PDF file; the same document gives the same bytes. */
  readonly pdf: DrawPdf
}

/** `now` is UTC ms. */
export type ReportsDeps = {
  readonly journal: JournalCalls & ReportedJournal
  readonly models: ReportModels
  readonly narratives: ReportNarratives
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  /** Called after a schedule changed. */
  readonly onScheduleChange: () => void
  readonly pdf: Reports['pdf']
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
}

const maxConcurrent = 2
// The test asks for one word: an endpoint that is slower than this still loads its model.
const testTimeouts = { firstChunkMs: 60_000, nextChunkMs: 30_000, totalMs: 90_000 }
const modelListTimeoutMs = 10_000

export const createReports = ({ journal, models, narratives, rights, events, onScheduleChange, pdf, log, now }: ReportsDeps): Reports => {
  const { read, write } = journal
  const limited = createSemaphore(maxConcurrent)

  const settings = async (userId: string): Promise<Settings> => {
    const [model, { schedule }] = await Promise.all([models.settings(userId), read.reportSettings({ userId })])
    const nextAt = nextReportAt(schedule, now())
    return { model, schedule, nextAt: nextAt === null ? null : new Date(nextAt).toISOString() }
  }
  const pushChange = (userId: string): void => events.push(userId, { type: 'reports-changed' })

  const compute = async (userId: string, period: Report['period'], accounts: readonly string[], by: NewReport['by'], gone: AbortSignal): Promise<NewReport> => {
    const computed = await limited(gone, () => journal.computeReport({ userId, period, accounts }, gone))
    return { ...computed, userId, id: randomUUID(), at: now(), by, period, accounts }
  }
  const store = async (computed: NewReport): Promise<Report> => {
    const { userId, id } = computed
    await write.addReport(computed)
    pushChange(userId)
    const stored = await read.report({ userId, id })
    if (stored === null) throw new Error('A report that was just stored is gone')
    return stored
  }
  const one = async (userId: string, id: string): Promise<Report | null> => {
    const stored = await read.report({ userId, id })
    return stored === null ? null : { ...stored, narrative: narratives.live(userId, id) ?? stored.narrative }
  }

  const writeNarrative = async (userId: string, id: string): Promise<void> => {
    if (!(await read.reportSettings({ userId })).schedule.narrative) return
    // Without a model or a plan, the report has no narrative.
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
      const found = await read.readReportTrades({ userId, id, of, offset, limit })
      return found === null ? refuse('not-found') : ok(found)
    },
    make: async (userId, { period, accounts }, gone) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const fault = periodFault(period)
      if (fault !== null) return wrongField('period.to', fault)
      return ok(await store(await compute(userId, period, [...new Set(accounts)], 'user', gone)))
    },
    makeScheduled: async (userId, period, gone) => {
      const computed = await compute(userId, period, [], 'schedule', gone)
      if (computed.trades === 0) return
      const { id } = await store(computed)
      // The report is stored: a locked keychain or another error of the narrative must not make it due again.
      await writeNarrative(userId, id).catch((error: unknown) => {
        if (!gone.aborted) log.error({ error }, 'writing the narrative of a scheduled report failed')
      })
    },
    remove: async (userId, id) => {
      await narratives.cancel(userId, id)
      const removed = await write.removeReport({ userId, id })
      if (removed) pushChange(userId)
      return removed
    },
    narratives,
    saveModel: async (userId, input) => {
      const saved = await models.save(userId, input)
      if (!saved.ok) return saved
      pushChange(userId)
      return ok(await settings(userId))
    },
    tryModel: async (userId, gone) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const model = await models.endpoint(userId)
      if (model === null) return refuse('no-model')
      const enough = new AbortController()
      const signal = AbortSignal.any([gone, enough.signal])
      const asked = askModel(model.endpoint, [{ role: 'user', content: 'Answer with the one word ok.' }], { signal, timeouts: testTimeouts, onText: () => enough.abort() })
      const [{ failure }, names] = await Promise.all([asked, modelsOf(model.endpoint, AbortSignal.any([gone, AbortSignal.timeout(modelListTimeoutMs)]))])
      return ok({ ok: failure === null, failure, models: names })
    },
    saveSchedule: async (userId, schedule) => {
      const before = await read.reportSettings({ userId })
      await write.setReportSchedule({ userId, schedule, done: doneBefore(before.schedule, schedule, before.done, now()) })
      onScheduleChange()
      pushChange(userId)
      return settings(userId)
    },
    pdf,
  }
}
