import type { EarlierText, Narrative, Report, reportRoutes } from '#shared/api/reports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { answerSchema, draftOf } from '#shared/reports/answer.ts'
import { groundNarrative, type Grounded } from '#shared/reports/grounding.ts'
import { askModel, type Endpoint, type ModelAnswer, type ModelMessage, type Patience } from './model-client.ts'
import { withoutPrivateWords } from './private-text.ts'
import { digestOf, messagesOf, roughTokens, type PromptMessage } from './prompt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import { checkedAndMended, withoutThoughts } from './narrative-mending.ts'
import { costOf } from './narrative-cost.ts'
import { createSemaphore } from '../semaphore.ts'
import { refuse, type Refused } from '../refused.ts'
import type { ReportModels } from './report-models.ts'
import type { Rights } from '../plans/rights.ts'

/** What is asked of a narrative. */
export type NarrativeWish = { readonly id: string; readonly notes: boolean }

/** Texts of a model about reports: what would be sent, and writing. */
export type ReportNarratives = {
  readonly preview: (userId: string, wish: NarrativeWish) => Promise<Result<AnswerOf<(typeof reportRoutes)['previewNarrative']>, Refused>>
  /** Begins to write, where what would be sent is still what `digest` names; its course is pushed, and kept at its end. */
  readonly write: (userId: string, wish: NarrativeWish & { readonly digest: string }) => Promise<Result<Narrative, Refused>>
  /** Settles once it is written no more; false where it was not. */
  readonly cancel: (userId: string, id: string) => Promise<boolean>
  /** The narrative that is being written; null where none is. */
  readonly live: (userId: string, id: string) => Narrative | null
  /** Ends all of a user's, and keeps nothing of them. */
  readonly forget: (userId: string) => Promise<void>
  /** Ends what is written; the next start finds it failed. */
  readonly stop: () => Promise<void>
}

/** What they work with; `now` is UTC ms. */
type Deps = {
  readonly journal: JournalCalls
  readonly models: Pick<ReportModels, 'endpoint'>
  readonly rights: Pick<Rights, 'require'>
  readonly events: Pick<Events, 'push'>
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
  readonly patience?: Patience
}

type Running = { narrative: Narrative; /** All that came so far. */ heard: string; readonly cancelling: AbortController; ended: Promise<void> }
type Prepared = { readonly report: Report; readonly endpoint: Endpoint; readonly prices: Parameters<typeof costOf>[1]; readonly messages: readonly PromptMessage[]; readonly digest: string; readonly notes: number }

/** Of both, where both are known. */
const sumOf = (one: Narrative['tokens'], other: Narrative['tokens']): Narrative['tokens'] => (one === null || other === null ? null : { input: one.input + other.input, output: one.output + other.output })

const mostAtOnce = 2
const pushEveryMs = 200
const [mostNotes, mostCharacters] = [200, 20_000]

/** What stays to be read while a narrative is written anew. */
const earlierOf = (narrative: Narrative | null): EarlierText | null => {
  if (narrative === null || narrative.passages.length === 0) return narrative?.before ?? null
  const { model, endedAt, startedAt, passages, proved, unproved } = narrative
  return { model, writtenAt: endedAt ?? startedAt, passages, proved, unproved }
}

// Read anew for every look at it, and not for every word that comes.
const withDraft = ({ narrative, heard }: Running): Narrative => ({ ...narrative, draft: narrative.state === 'writing' || narrative.state === 'checking' ? draftOf(withoutThoughts(heard)) : '' })

/** Narratives over the journal's reports: one at a time a report, two at once in all, others wait. */
export const createReportNarratives = ({ journal: { read, write }, models, rights, events, log, now, patience }: Deps): ReportNarratives => {
  const running = new Map<string, Running>()
  const limited = createSemaphore(mostAtOnce)
  const stopping = new AbortController()
  const keyOf = (userId: string, id: string): string => JSON.stringify([userId, id])
  const moment = (): string => new Date(now()).toISOString()

  const notesOf = async (userId: string, report: Report) => {
    const [notes, words] = await Promise.all([read.reportNotes({ userId, id: report.id, most: mostNotes, characters: mostCharacters }), read.privateWords({ userId })])
    const strip = withoutPrivateWords(words, new Map(report.names.map(({ account, pseudonym }) => [account, pseudonym])))
    return notes.map((note) => ({ ...note, text: strip(note.text) }))
  }
  const prepare = async (userId: string, { id, notes }: NarrativeWish): Promise<Result<Prepared, Refused>> => {
    const [report, set] = await Promise.all([read.report({ userId, id }), models.endpoint(userId)])
    if (report === null) return refuse('not-found')
    if (set === null) return refuse('no-model')
    const sent = notes ? await notesOf(userId, report) : []
    const messages = messagesOf({ report, notes: sent })
    return ok({ report, ...set, messages, digest: digestOf(set.endpoint, messages), notes: sent.length })
  }

  const run = async (userId: string, { report, endpoint, prices, messages }: Prepared, mine: Running): Promise<void> => {
    const { id } = report
    const signal = AbortSignal.any([mine.cancelling.signal, stopping.signal])
    let pushing: NodeJS.Timeout | null = null
    const push = (): void => {
      if (pushing !== null) clearTimeout(pushing)
      pushing = null
      events.push(userId, { type: 'report-narrative', reportId: id, narrative: withDraft(mine) })
    }
    const hear = (text: string): void => {
      mine.heard = text
      pushing ??= setTimeout(push, pushEveryMs).unref()
    }
    const ask = (said: readonly ModelMessage[], heard?: (text: string) => void): Promise<ModelAnswer> => {
      mine.narrative = { ...mine.narrative, asked: mine.narrative.asked + 1 }
      return askModel(endpoint, said, { schema: answerSchema, signal, ...(patience === undefined ? {} : { patience }), ...(heard === undefined ? {} : { hear: heard }) })
    }
    const finish = async (last: Pick<Narrative, 'state' | 'failure' | 'tokens'>, { passages, proved, unproved }: Grounded): Promise<void> => {
      if (pushing !== null) clearTimeout(pushing)
      // What the end of the program cuts off is told as that at the next start.
      if (stopping.signal.aborted) return
      const narrative: Narrative = { ...mine.narrative, ...last, passages, proved, unproved, before: passages.length > 0 ? null : mine.narrative.before, draft: '', endedAt: moment(), cost: costOf(last.tokens, prices) }
      await write.keepNarrative({ userId, id, narrative })
      mine.narrative = narrative
    }
    const first = await ask(messages, hear)
    const text = withoutThoughts(first.text)
    if (signal.aborted || first.failure !== null || text === '') {
      const ending = signal.aborted ? ({ state: 'cancelled', failure: null } as const) : ({ state: 'failed', failure: first.failure ?? 'unreadable' } as const)
      return finish({ ...ending, tokens: first.tokens }, groundNarrative(text, report))
    }
    mine.narrative = { ...mine.narrative, state: 'checking' }
    push()
    const { grounded, again } = await checkedAndMended({ text, known: report, messages, ask: (said) => ask(said) })
    const tokens = again === null ? first.tokens : sumOf(first.tokens, again.tokens)
    return finish({ state: mine.cancelling.signal.aborted ? 'cancelled' : 'done', failure: null, tokens }, grounded)
  }

  const begin = async (userId: string, prepared: Prepared, mine: Running): Promise<void> => {
    const { id } = prepared.report
    try {
      await limited(AbortSignal.any([mine.cancelling.signal, stopping.signal]), () => run(userId, prepared, mine))
    } catch (error) {
      const cancelled = mine.cancelling.signal.aborted
      if (!cancelled && !stopping.signal.aborted) log.error({ error }, 'A narrative could not be written')
      mine.narrative = { ...mine.narrative, state: cancelled ? 'cancelled' : 'failed', failure: cancelled ? null : 'internal', draft: '', endedAt: moment() }
      if (!stopping.signal.aborted) await write.keepNarrative({ userId, id, narrative: mine.narrative })
    } finally {
      running.delete(keyOf(userId, id))
      if (!stopping.signal.aborted) {
        events.push(userId, { type: 'report-narrative', reportId: id, narrative: mine.narrative })
        events.push(userId, { type: 'reports-changed' })
      }
    }
  }

  const end = async (key: string): Promise<boolean> => {
    const mine = running.get(key)
    if (mine === undefined) return false
    mine.cancelling.abort(new Error('Nobody wants it any more'))
    await mine.ended.catch(() => undefined)
    return true
  }

  return {
    preview: async (userId, wish) => {
      const prepared = await prepare(userId, wish)
      if (!prepared.ok) return prepared
      const { messages, digest, notes, endpoint } = prepared.value
      return ok({ messages: messages.map(({ role, content }) => ({ role, content })), digest, tokens: roughTokens(messages), notes, host: new URL(endpoint.baseUrl).host })
    },
    write: async (userId, wish) => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const prepared = await prepare(userId, wish)
      if (!prepared.ok) return prepared
      if (prepared.value.digest !== wish.digest) return refuse('preview-changed')
      const key = keyOf(userId, wish.id)
      if (running.has(key) || stopping.signal.aborted) return refuse('narrative-runs')
      const nothing = { endedAt: null, draft: '', passages: [], proved: 0, unproved: 0, asked: 0, tokens: null, cost: null, failure: null }
      const narrative: Narrative = { ...nothing, state: 'writing', model: prepared.value.endpoint.model, startedAt: moment(), withNotes: wish.notes, before: earlierOf(prepared.value.report.narrative) }
      const mine: Running = { narrative, heard: '', cancelling: new AbortController(), ended: Promise.resolve() }
      running.set(key, mine)
      const kept = await write.keepNarrative({ userId, id: wish.id, narrative }).catch((error: unknown) => {
        running.delete(key)
        throw error
      })
      if (!kept) {
        running.delete(key)
        return refuse('not-found')
      }
      mine.ended = begin(userId, prepared.value, mine)
      mine.ended.catch((error: unknown) => log.error({ error }, 'A narrative was not kept'))
      return ok(narrative)
    },
    cancel: (userId, id) => end(keyOf(userId, id)),
    live: (userId, id) => {
      const mine = running.get(keyOf(userId, id))
      return mine === undefined ? null : withDraft(mine)
    },
    forget: async (userId) => {
      const own = [...running.keys()].filter((key) => (JSON.parse(key) as string[])[0] === userId)
      await Promise.all(own.map(end))
    },
    stop: async () => {
      stopping.abort(new Error('The program ends'))
      await Promise.all([...running.values()].map(({ ended }) => ended.catch(() => undefined)))
    },
  }
}
