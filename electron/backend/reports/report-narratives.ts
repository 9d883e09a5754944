import { refuse, type Refused } from '#shared/api/refused.ts'
import type { EarlierText, ModelSettings, Narrative, Report, reportRoutes } from '#shared/api/reports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import { answerSchema, draftOf, readAnswer, type AnswerPassage } from '#shared/reports/answer.ts'
import { escapePattern } from '#shared/base/escape-pattern.ts'
import { failedPassages, groundAnswer, groundNarrative, replacePassages, type Grounded } from '#shared/reports/grounding.ts'
import type { Citable } from '#shared/reports/references.ts'
import { askModel, type Endpoint, type ModelAnswer, type ModelMessage, type Timeouts } from './model-client.ts'
import { digestOf, formatMessages, messagesOf, repairMessages, roughTokens, type PromptMessage } from './prompt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import { createSemaphore } from '../semaphore.ts'
import type { ReportModels } from './report-models.ts'
import type { PrivateWord } from './rows.ts'
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

type NarrativeRun = { narrative: Narrative; /** The answer so far. */ received: string; readonly canceling: AbortController; ended: Promise<void> }
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
const withDraft = ({ narrative, received }: NarrativeRun): Narrative => ({ ...narrative, draft: narrative.state === 'writing' || narrative.state === 'checking' ? draftOf(withoutThoughts(received)) : '' })

/** The texts that a model writes about reports. */
export type ReportNarratives = ReturnType<typeof createReportNarratives>

/** Writes at most one narrative per report and two in total; others queue. */
export const createReportNarratives = ({ journal: { read, write }, models, rights, events, log, now, timeouts }: Deps) => {
  const running = new Map<string, NarrativeRun>()
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

  const run = async (userId: string, { report, endpoint, prices, messages }: Prepared, current: NarrativeRun): Promise<void> => {
    const { id } = report
    const signal = AbortSignal.any([current.canceling.signal, stopping.signal])
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
    return finish({ state: current.canceling.signal.aborted ? 'cancelled' : 'done', failure: null, tokens }, grounded)
  }

  const begin = async (userId: string, prepared: Prepared, current: NarrativeRun): Promise<void> => {
    const { id } = prepared.report
    try {
      await limited(AbortSignal.any([current.canceling.signal, stopping.signal]), () => run(userId, prepared, current))
    } catch (error) {
      const canceled = current.canceling.signal.aborted
      if (!canceled && !stopping.signal.aborted) log.error({ error }, 'writing a narrative failed')
      current.narrative = { ...current.narrative, state: canceled ? 'cancelled' : 'failed', failure: canceled ? null : 'internal', draft: '', endedAt: moment() }
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
    current.canceling.abort(new Error('Cancelled'))
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
      const current: NarrativeRun = { narrative, received: '', canceling: new AbortController(), ended: Promise.resolve() }
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
      current.ended.catch((error: unknown) => log.error({ error }, 'storing a narrative failed'))
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

// Reasoning models print their thoughts before the answer, some without the opening tag.
const thoughts = /^[\s\S]*?<\/think(?:ing)?>|^\s*<think(?:ing)?>[\s\S]*$/

/** The answer without the model's thoughts before it; empty if it broke off within them. */
export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim()

/** A model's text, the facts that it may cite, and how to ask the model again. */
type RepairInput = { readonly text: string; readonly citable: Citable; readonly messages: readonly PromptMessage[]; readonly ask: (messages: readonly ModelMessage[]) => Promise<ModelAnswer> }

/** The checked text. `second` is the second answer, null if none was needed. */
type RepairResult = { readonly grounded: Grounded; readonly second: ModelAnswer | null }

/**
 * Checks a text and asks the model once more if needed: for the right format, or for the passages that failed the check. A new
 * passage replaces the old one only if less of it fails.
 */
export const checkAndRepair = async ({ text, citable, messages, ask }: RepairInput): Promise<RepairResult> => {
  const answer = readAnswer(text)
  if (answer === null) {
    const second = await ask(formatMessages(messages, text))
    const reformatted = readAnswer(withoutThoughts(second.text))
    return { grounded: reformatted === null ? groundNarrative(text, citable) : groundAnswer(reformatted, citable), second }
  }
  const failed = failedPassages(answer, citable)
  if (failed.length === 0) return { grounded: groundAnswer(answer, citable), second: null }
  const second = await ask(repairMessages(messages, text, failed))
  const rewritten = readAnswer(withoutThoughts(second.text)) ?? []
  // With another number of passages there is no telling which replaces which.
  const repaired = new Map(rewritten.length === failed.length ? failed.flatMap(({ index }, at): [number, AnswerPassage][] => (rewritten[at] === undefined ? [] : [[index, rewritten[at]]])) : [])
  return { grounded: groundAnswer(replacePassages(answer, repaired, citable), citable), second }
}

/** The cost of an answer at the user's prices per million tokens, cut after ten decimals; null if tokens or prices are unknown. */
export const costOf = (tokens: Narrative['tokens'], prices: ModelSettings['prices']): Narrative['cost'] => {
  const [input, output] = prices === null ? [null, null] : [parseDecimal(prices.input), parseDecimal(prices.output)]
  if (tokens === null || prices === null || input === null || output === null) return null
  const places = Math.max(input.scale, output.scale)
  const millionths = BigInt(tokens.input) * input.digits * tenTo(places - input.scale) + BigInt(tokens.output) * output.digits * tenTo(places - output.scale)
  const exact = writeDecimal(millionths, places + 6)
  const [whole = '0', part = ''] = exact.split('.')
  const kept = part.slice(0, 10).replace(/0+$/, '').padEnd(2, '0')
  return { amount: `${whole}.${kept}`, currency: prices.currency }
}

/** Replaces logins and accounts outside the report. */
const otherAccount = 'another account'
const trader = 'the trader'
const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/gu
const spaced = String.raw`[\p{Script=Latin}\p{N}_]`
const beginsSpaced = new RegExp(`^${spaced}`, 'u')
const endsSpaced = new RegExp(`${spaced}$`, 'u')

// Other scripts write without spaces or add endings to names: there, match within words too.
const wholeWord = (word: string): string => `${beginsSpaced.test(word) ? `(?<!${spaced})` : ''}${escapePattern(word)}${endsSpaced.test(word) ? `(?!${spaced})` : ''}`

/**
 * Anonymizes a text: names, ids and keys of the report's accounts become their pseudonyms, those of other accounts and logins
 * `another account`, the user's own names `the trader`, and email addresses are removed. Matches whole words only, since a
 * short name may be part of another word.
 */
export const withoutPrivateWords = (words: readonly PrivateWord[], pseudonyms: ReadonlyMap<string, string>): ((text: string) => string) => {
  const replacements = words.map(({ word, account, trader: isTrader }) => ({ word: word.toLowerCase(), by: (account === null ? undefined : pseudonyms.get(account)) ?? (isTrader ? trader : otherAccount) }))
  // A word may have several replacements: the last one wins, so the most specific ones come last.
  const ofTrader = replacements.filter(({ by }) => by === trader)
  const ofOthers = replacements.filter(({ by }) => by === otherAccount)
  const ofReport = replacements.filter(({ by }) => by !== trader && by !== otherAccount)
  const byWord = new Map([...ofTrader, ...ofOthers, ...ofReport].map(({ word, by }) => [word, by]))
  const longestFirst = [...byWord.keys()].sort((one, other) => other.length - one.length)
  const any = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(wholeWord).join('|'), 'giu')
  return (text) => {
    const plain = text.replace(address, '…')
    return any === null ? plain : plain.replace(any, (found) => byWord.get(found.toLowerCase()) ?? otherAccount)
  }
}
