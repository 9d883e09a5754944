import type { Passage, Report, ReportFact, Segment } from '#shared/api/reports.ts'
import { aboutKey, checkSentence, type Checked, type Grounds, type Setting } from './check-sentence.ts'
import { passagesOf, type RawPassage } from './passages.ts'
import { nothingPending } from './pieces.ts'

/** What a narrative is held against: the facts that it may cite, and the report's accounts, period and zone. */
export type Known = { readonly facts: readonly ReportFact[]; readonly names: Report['names']; readonly period: { readonly from: string; readonly to: string }; readonly zone: string }

/** A narrative after the check, with how many claims (figures, dates, names) were proved and how many were not. */
export type Grounded = { readonly passages: readonly Passage[]; readonly proved: number; readonly unproved: number }

/** A passage to be asked for again: its place among all, its text as it came, and the words in it that were not proved. */
export type ToMend = { readonly index: number; readonly raw: string; readonly failed: readonly string[] }

/**
 * Checks the text of a model against the facts that it cites as `[f12]`. The segments of a passage give its text without
 * citations and markup. A figure is `proved` only where a cited fact says just that; what is not understood, not cited or
 * cited wrongly is `unproved`; stretches without a figure, date or name are `plain`. Nothing in the text is obeyed. Time is
 * linear in the text.
 */
export const groundNarrative = (text: string, known: Known): Grounded => {
  const checked = check(text, known)
  const claims = (check: Segment['check']): number => checked.reduce((sum, { parts }) => sum + parts.reduce((some, part) => some + (part.segment.check === check ? part.claims : 0), 0), 0)
  return {
    passages: checked.map(({ passage: { kind }, parts }) => ({ kind, segments: joined(parts) })),
    proved: claims('proved'),
    unproved: claims('unproved'),
  }
}

/**
 * The passages that were not proved, for asking the model once more. Show it each with its `index`, its `raw` text and the
 * words that `failed`, and put what it answers in their place with `mendNarrative`.
 */
export const passagesToMend = (text: string, known: Known): readonly ToMend[] =>
  check(text, known).flatMap(({ passage, parts }, index) => {
    const failed = [...new Set(parts.flatMap((part) => part.failed))]
    return parts.some(({ segment }) => segment.check === 'unproved') ? [{ index, raw: passage.raw, failed }] : []
  })

/**
 * The text with second answers in place of passages, by their index. An answer stays one passage of the same kind, whatever
 * line ends it has. It is taken only where less of it fails than of what it stands for; an empty one is not taken.
 */
export const mendNarrative = (text: string, answers: ReadonlyMap<number, string>, known: Known): string => {
  const before = check(text, known)
  const pieces: string[] = []
  let from = 0
  before.forEach(({ passage, parts }, index) => {
    const answer = answers.get(index)
    const mended = answer === undefined ? '' : asPassage(answer, passage)
    if (mended === '' || failuresIn(check(mended, known).flatMap((one) => one.parts)) >= failuresIn(parts)) return
    pieces.push(text.slice(from, passage.at), mended)
    from = passage.at + passage.raw.length
  })
  return [...pieces, text.slice(from)].join('')
}

type CheckedPassage = { readonly passage: RawPassage; readonly parts: readonly Checked[] }

const check = (text: string, known: Known): readonly CheckedPassage[] => {
  const grounds = groundsOf(known)
  const nothing: Setting = { scene: [], told: [], pending: nothingPending, isTurned: false }
  let heading = nothing
  let setting = nothing
  return passagesOf(text).map((passage): CheckedPassage => {
    if (passage.kind === 'paragraph') setting = heading
    if (passage.kind === 'heading') setting = nothing
    const parts: Checked[] = []
    const leads = passage.kind === 'heading' || isLeadIn(passage)
    let { scene, told, pending, isTurned } = setting
    for (const sentence of passage.sentences) {
      const result = checkSentence(sentence, grounds, { scene, told, pending, isTurned: setting.isTurned })
      parts.push(...result.checked)
      scene = result.scene
      told = result.told
      isTurned ||= passage.kind === 'heading' ? result.isTurned : result.isTurnedAsLeadIn
      pending = leads ? result.pending : { ...setting.pending, gain: setting.pending.gain || result.pending.gain, loss: setting.pending.loss || result.pending.loss }
    }
    const left: Setting = { scene, told, isTurned, pending: { ...pending, nouns: false, poison: false } }
    if (passage.kind === 'heading') heading = { ...left, pending: { ...left.pending, other: false } }
    if (leads) setting = left
    return { passage, parts }
  })
}

// `By weekday, on average:` speaks of the items after it, and so does the head of a table.
const isLeadIn = ({ raw, kind }: RawPassage): boolean => (kind === 'paragraph' && /:(?:\*\*|__)?$/u.test(raw.trimEnd())) || (raw.trimStart().startsWith('|') && !/\[f\d/u.test(raw))

const groundsOf = ({ facts, names, period, zone }: Known): Grounds => ({
  period,
  zone,
  facts: new Map(facts.map((fact) => [fact.id, fact])),
  byAbout: new Map(facts.filter(({ finding }) => finding === null).map((fact) => [aboutKey(fact.about), fact])),
  accounts: new Map(names.map(({ account, pseudonym }) => [pseudonym.toLowerCase(), account])),
  products: new Set(facts.flatMap(({ about: { product } }) => (product === undefined ? [] : [product]))),
})

const failuresIn = (parts: readonly Checked[]): number => parts.reduce((sum, { segment, failed }) => sum + (segment.check === 'unproved' ? Math.max(1, failed.length) : 0), 0)

const asPassage = (answer: string, { kind, raw }: RawPassage): string => {
  const words = answer.replaceAll(/\s+/gu, ' ').trim().replace(/^(?:#{1,6}|[-*+•]|\d{1,3}[.)]) /u, '')
  if (words === '' || kind === 'paragraph') return words
  return `${/^\s*(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s/u.exec(raw)?.[0] ?? '- '}${words}`
}

// Neighbours that say the same of the same are one segment.
const joined = (parts: readonly Checked[]): Segment[] => {
  const segments: Segment[] = []
  for (const { segment } of parts) {
    const last = segments.at(-1)
    if (segment.text === '') continue
    if (last !== undefined && last.check === segment.check && last.fact === segment.fact && segment.check === 'plain') segments[segments.length - 1] = { ...last, text: last.text + segment.text }
    else segments.push(segment)
  }
  return segments
}
