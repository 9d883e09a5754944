import type { EarlierText, Narrative, Report, reportRoutes } from '#shared/api/reports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { answerSchema, draftOf } from '#shared/reports/answer.ts'
import { groundNarrative, type Grounded } from '#shared/reports/grounding.ts'
import { askModel, type Endpoint, type ModelAnswer, type ModelMessage, type Timeouts } from './model-client.ts'
import { withoutPrivateWords } from './private-text.ts'
import { digestOf, messagesOf, roughTokens, type PromptMessage } from './prompt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import { checkAndRepair, withoutThoughts } from './narrative-repair.ts'
import { costOf } from './narrative-cost.ts'
import { createSemaphore } from '../semaphore.ts'
import { refuse, type Refused } from '../refused.ts'
import type { ReportModels } from './report-models.ts'
import type { Rights } from '../plans/rights.ts'

/** The report to write about, and whether to send the user's notes. */
export type NarrativeRequest = { readonly id: string; readonly notes: boolean }

/** `now` is UTC ms. */
type Deps = {
  readonly journal: JournalCalls
  readonly models: Pick<ReportModels, 'endpoint'>
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
  readonly timeouts?: Timeouts
}

type Run = { narrative: Narrative; /** The answer so far. */ received: string; readonly cancelling: AbortController; ended: Promise<void> }
type Prepared = { readonly report: Report; readonly endpoint: Endpoint; readonly prices: Parameters<typeof costOf>[1]; readonly messages: readonly PromptMessage[]; readonly digest: string; readonly notes: number }

/** Null unless both are known. */
const sumOf = (one: Narrative['tokens'], other: Narrative['tokens']): Narrative['tokens'] => (one === null || other === null ? null : { input: one.input + other.input, output: one.output + other.output })

const maxConcurrent = 2
const pushEveryMs = 200
const [maxNotes, maxNoteCharacters] = [200, 20_000]

/** The last text, which stays readable while a new narrative is written. */
const earlierTextOf = (narrative: Narrative | null): EarlierText | null => {
  if (narrative === null || narrative.passages.length === 0) return narrative?.before ?? null
  const { model, endedAt, startedAt, passages, proved, unproved } = narrative
  return { model, writtenAt: endedAt ?? startedAt, passages, proved, unproved }
}

// Parses the draft only when it is shown, not with every chunk.
const withDraft = ({ narrative, received }: Run): Narrative => ({ ...narrative, draft: narrative.state === 'writing' || narrative.state === 'checking' ? draftOf(withoutThoughts(received)) : '' })

/** The texts that a model writes about reports. */
export type ReportNarratives = ReturnType<typeof createReportNarratives>

/** Writes at most one narrative per report and two in total; others queue. */
export const createReportNarratives = ({ journal: { read, write }, models, rights, events, log, now, timeouts }: Deps) => {
  const running = new Map<string, Run>()
  const limited = createSemaphore(maxConcurrent)
  const stopping = new AbortController()
  const keyOf = (userId: string, id: string): string => JSON.stringify([userId, id])
  const moment = (): string => new Date(now()).toISOString()

  const notesOf = async (userId: string, report: Report) => {
    const [notes, words] = await Promise.all([read.reportNotes({ userId, id: report.id, most: maxNotes, characters: maxNoteCharacters }), read.privateWords({ userId })])
    const strip = withoutPrivateWords(words, new Map(report.names.map(({ account, pseudonym }) => [account, pseudonym])))
    return notes.map((note) => ({ ...note, text: strip(note.text) }))
  }
  const prepare = async (userId: string, { id, notes }: NarrativeRequest): Promise<Result<Prepared, Refused>> => {
    const [report, set] = await Promise.all([read.report({ userId, id }), models.endpoint(userId)])
    if (report === null) return refuse('not-found')
    if (set === null) return refuse('no-model')
    const sent = notes ? await notesOf(userId, report) : []
    const messages = messagesOf({ report, notes: sent })
    return ok({ report, ...set, messages, digest: digestOf(set.endpoint, messages), notes: sent.length })
  }

  const run = async (userId: string, { report, endpoint, prices, messages }: Prepared, current: Run): Promise<void> => {
    const { id } = report
    const signal = AbortSignal.any([current.cancelling.signal, stopping.signal])
    let pushing: NodeJS.Timeout | null = null
    const push = (): void => {
      if (pushing !== null) clearTimeout(pushing)
      pushing = null
      events.push(userId, { type: 'report-narrative', reportId: id, narrative: withDraft(current) })
    }
    const onText = (text: string): void => {
      current.received = text
      pushing ??= setTimeout(push, pushEveryMs).unref()
    }
    const ask = (asked: readonly ModelMessage[], onText?: (text: string) => void): Promise<ModelAnswer> => {
      current.narrative = { ...current.narrative, asked: current.narrative.asked + 1 }
      return askModel(endpoint, asked, { schema: answerSchema, signal, ...(timeouts === undefined ? {} : { timeouts }), ...(onText === undefined ? {} : { onText }) })
    }
    const finish = async (last: Pick<Narrative, 'state' | 'failure' | 'tokens'>, { passages, proved, unproved }: Grounded): Promise<void> => {
      if (pushing !== null) clearTimeout(pushing)
      // The next start marks what a shutdown cut off as failed.
      if (stopping.signal.aborted) return
      const narrative: Narrative = { ...current.narrative, ...last, passages, proved, unproved, before: passages.length > 0 ? null : current.narrative.before, draft: '', endedAt: moment(), cost: costOf(last.tokens, prices) }
      await write.saveNarrative({ userId, id, narrative })
      current.narrative = narrative
    }
    const first = await ask(messages, onText)
    const text = withoutThoughts(first.text)
    if (signal.aborted || first.failure !== null || text === '') {
      const ending = signal.aborted ? ({ state: 'cancelled', failure: null } as const) : ({ state: 'failed', failure: first.failure ?? 'unreadable' } as const)
      return finish({ ...ending, tokens: first.tokens }, groundNarrative(text, report))
    }
    current.narrative = { ...current.narrative, state: 'checking' }
    push()
    const { grounded, second } = await checkAndRepair({ text, citable: report, messages, ask: (repair) => ask(repair) })
    const tokens = second === null ? first.tokens : sumOf(first.tokens, second.tokens)
    return finish({ state: current.cancelling.signal.aborted ? 'cancelled' : 'done', failure: null, tokens }, grounded)
  }

  const begin = async (userId: string, prepared: Prepared, current: Run): Promise<void> => {
    const { id } = prepared.report
    try {
      await limited(AbortSignal.any([current.cancelling.signal, stopping.signal]), () => run(userId, prepared, current))
    } catch (error) {
      const cancelled = current.cancelling.signal.aborted
      if (!cancelled && !stopping.signal.aborted) log.error({ error }, 'Writing a narrative failed')
      current.narrative = { ...current.narrative, state: cancelled ? 'cancelled' : 'failed', failure: cancelled ? null : 'internal', draft: '', endedAt: moment() }
      if (!stopping.signal.aborted) await write.saveNarrative({ userId, id, narrative: current.narrative })
    } finally {
      running.delete(keyOf(userId, id))
      if (!stopping.signal.aborted) {
        events.push(userId, { type: 'report-narrative', reportId: id, narrative: current.narrative })
        events.push(userId, { type: 'reports-changed' })
      }
    }
  }

  const end = async (key: string): Promise<boolean> => {
    const current = running.get(key)
    if (current === undefined) return false
    current.cancelling.abort(new Error('Cancelled'))
    await current.ended.catch(() => undefined)
    return true
  }

  return {
    preview: async (userId: string, request: NarrativeRequest): Promise<Result<AnswerOf<(typeof reportRoutes)['previewNarrative']>, Refused>> => {
      const prepared = await prepare(userId, request)
      if (!prepared.ok) return prepared
      const { messages, digest, notes, endpoint } = prepared.value
      return ok({ messages: messages.map(({ role, content }) => ({ role, content })), digest, tokens: roughTokens(messages), notes, host: new URL(endpoint.baseUrl).host })
    },
    /** Starts to write if the prompt still has the previewed `digest`. Pushes progress, and stores the narrative when it ends. */
    write: async (userId: string, request: NarrativeRequest & { readonly digest: string }): Promise<Result<Narrative, Refused>> => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const prepared = await prepare(userId, request)
      if (!prepared.ok) return prepared
      if (prepared.value.digest !== request.digest) return refuse('preview-changed')
      const key = keyOf(userId, request.id)
      if (running.has(key) || stopping.signal.aborted) return refuse('narrative-runs')
      const blank = { endedAt: null, draft: '', passages: [], proved: 0, unproved: 0, asked: 0, tokens: null, cost: null, failure: null }
      const narrative: Narrative = { ...blank, state: 'writing', model: prepared.value.endpoint.model, startedAt: moment(), withNotes: request.notes, before: earlierTextOf(prepared.value.report.narrative) }
      const current: Run = { narrative, received: '', cancelling: new AbortController(), ended: Promise.resolve() }
      running.set(key, current)
      const stored = await write.saveNarrative({ userId, id: request.id, narrative }).catch((error: unknown) => {
        running.delete(key)
        throw error
      })
      if (!stored) {
        running.delete(key)
        return refuse('not-found')
      }
      current.ended = begin(userId, prepared.value, current)
      current.ended.catch((error: unknown) => log.error({ error }, 'Storing a narrative failed'))
      return ok(narrative)
    },
    /** Settles once writing has stopped; false if nothing was being written. */
    cancel: (userId: string, id: string): Promise<boolean> => end(keyOf(userId, id)),
    /** The narrative that is being written, or null. */
    live: (userId: string, id: string): Narrative | null => {
      const current = running.get(keyOf(userId, id))
      return current === undefined ? null : withDraft(current)
    },
    /** Cancels all of a user's narratives. */
    forget: async (userId: string): Promise<void> => {
      const own = [...running.keys()].filter((key) => (JSON.parse(key) as string[])[0] === userId)
      await Promise.all(own.map(end))
    },
    /** Aborts all narratives without storing them; the next start marks them failed. */
    stop: async (): Promise<void> => {
      stopping.abort(new Error('Shutdown'))
      await Promise.all([...running.values()].map(({ ended }) => ended.catch(() => undefined)))
    },
  }
}
