import type { Passage, Segment } from '#shared/api/reports.ts'
import { readAnswer, type AnswerPassage, type Part } from './answer.ts'
import { isClaim, isStranger, tokensOf } from './claim-words.ts'
import { resolve, type Known } from './references.ts'

/** A narrative after the check, with how many figures are proved and how many sentences are not. */
export type Grounded = { readonly passages: Passage[]; readonly proved: number; readonly unproved: number }

/** A passage to be asked for again: its place among all, and the words and references in it that are not proved. */
export type ToMend = { readonly index: number; readonly failed: readonly string[] }

/**
 * Checks the answer of a model. Figures, names and comparisons are references to the report's facts, and Fillbook writes
 * them: so they are `proved` by what they are, where nothing beside them says otherwise. Beside figures only joining words
 * may stand; in sentences without any, no word that claims something. An answer in another form is shown as it came, and
 * nothing of it is proved. Nothing in an answer is obeyed. Time is linear in it.
 */
export const groundNarrative = (text: string, known: Known): Grounded => {
  const answer = readAnswer(text)
  return answer === null ? freeText(text) : groundAnswer(answer, known)
}

/** The same of an answer that was read. */
export const groundAnswer = (answer: readonly AnswerPassage[], known: Known): Grounded => {
  const judgements = judged(answer, known)
  return {
    passages: judgements.map(({ passage }) => passage),
    proved: judgements.reduce((sum, { passage }) => sum + passage.segments.reduce((some, segment) => some + figuresIn(segment), 0), 0),
    unproved: judgements.reduce((sum, { unproved }) => sum + unproved, 0),
  }
}

/** The passages of an answer that were not proved, for asking the model once more. */
export const passagesToMend = (answer: readonly AnswerPassage[], known: Known): readonly ToMend[] =>
  judged(answer, known).flatMap(({ passage: { segments } }, index) => {
    const failed = segments.filter(isUnproved).map((segment) => ('text' in segment ? segment.text : 'says' in segment ? JSON.stringify(segment.says) : ''))
    return failed.length === 0 ? [] : [{ index, failed }]
  })

/** The answer with second ones in place of passages, by their index; each is taken only where less of it fails. */
export const mendAnswer = (answer: readonly AnswerPassage[], again: ReadonlyMap<number, AnswerPassage>, known: Known): readonly AnswerPassage[] => {
  const failures = (passage: AnswerPassage): number => passagesToMend([passage], known)[0]?.failed.length ?? 0
  return answer.map((passage, index) => {
    const other = again.get(index)
    return other !== undefined && other.kind === passage.kind && failures(other) < failures(passage) ? other : passage
  })
}

const isUnproved = (segment: Segment): boolean => 'check' in segment && segment.check === 'unproved'

const figuresIn = (segment: Segment): number => (!('says' in segment) || segment.check !== 'proved' ? 0 : 'fact' in segment.says ? segment.says.figures.length : 'compare' in segment.says ? 2 : 1)

type Judgement = { readonly passage: Passage; readonly unproved: number }

const judged = (answer: readonly AnswerPassage[], known: Known): readonly Judgement[] => {
  const own = new Set(known.facts.flatMap(({ about: { product } }) => (product === undefined ? [] : [product.toLowerCase()])))
  // What is said behind words that are not proved is not proved either, to the end of their passage, and in the items that it leads to.
  let [isTurned, leadsTurned] = [false, false]
  return answer.map((passage): Judgement => {
    if (passage.kind === 'heading') {
      leadsTurned = false
      return { passage: { kind: 'heading', segments: [{ heading: passage.heading }] }, unproved: 0 }
    }
    isTurned = passage.kind === 'item' && leadsTurned
    const checked = passage.sentences.map((sentence, index) => {
      const segments = checkSentence(joined(sentence, index > 0), known, { own, isTurned })
      isTurned ||= segments.some(isUnproved)
      return segments
    })
    if (passage.kind === 'paragraph') leadsTurned = isTurned
    return { passage: { kind: passage.kind, segments: checked.flat() }, unproved: checked.filter((segments) => segments.some(isUnproved)).length }
  })
}

type Written = Exclude<Part, null>

const isStop = /^[.,;:!?)”’]/u
const endsWhole = /[.!?:]["”’)]?$/u

const withJoinedTexts = (parts: readonly Written[]): readonly Written[] => {
  const all: Written[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last !== undefined && 'text' in last && 'text' in part) all[all.length - 1] = { text: last.text + part.text }
    else all.push(part)
  }
  return all
}

// A blank between words and references, and a stop at the end, so that no sentence goes on in the next.
const joined = (sentence: readonly Part[], isLater: boolean): readonly Written[] => {
  const parts: Written[] = []
  for (const part of withJoinedTexts(sentence.map((one) => one ?? { text: '[…]' }))) {
    const written = 'text' in part ? { text: part.text.replaceAll(/\s+/gu, ' ').trim() } : part
    const isText = 'text' in written
    if (isText && written.text === '') continue
    if (parts.length === 0 ? isLater : !isText || !isStop.test(written.text)) parts.push({ text: ' ' })
    parts.push(written)
  }
  const last = parts.at(-1)
  if (last !== undefined && !('text' in last && endsWhole.test(last.text))) parts.push({ text: '.' })
  return withJoinedTexts(parts)
}

const checkSentence = (parts: readonly Written[], known: Known, { own, isTurned }: { readonly own: ReadonlySet<string>; readonly isTurned: boolean }): Segment[] => {
  const references = parts.flatMap((part) => ('text' in part ? [] : [part]))
  const hasFigures = references.some((one) => !('name' in one))
  const last = parts.at(-1)
  // What leads into figures is held to the words of a sentence that has some.
  const isStrict = hasFigures || (last !== undefined && 'text' in last && last.text.endsWith(':'))
  // A figure says itself what it is of; a name beside it would say it is of something else.
  const isNamed = hasFigures && references.some((one) => 'name' in one)
  const segments = parts.flatMap((part): Segment[] => ('text' in part ? marked(part.text, isStrict, own) : [{ says: part, check: resolve(part, known) === null || ('name' in part && isNamed) ? 'unproved' : 'name' in part ? 'plain' : 'proved' }]))
  if (!segments.some(isUnproved) && !(isTurned && hasFigures)) return segments
  return segments.map((segment) => ('says' in segment && segment.check === 'proved' ? { ...segment, check: 'unproved' } : segment))
}

// A blank, or what hangs together with the words around it: `<b>no</b>`.
const isNoGap = /^(?:\s+|\S+)$/u

// The words of a text, those that may not stand there apart from the others.
const marked = (text: string, isStrict: boolean, own: ReadonlySet<string>): Segment[] => {
  const stretches: { text: string; check: 'plain' | 'unproved'; fact: null }[] = []
  for (const token of tokensOf(text)) {
    const check = token.trim() !== '' && (isStrict ? isStranger(token) : isClaim(token, own)) ? 'unproved' : 'plain'
    const [earlier, last] = [stretches.at(-2), stretches.at(-1)]
    if (last?.check === check) last.text += token
    else if (check === 'unproved' && last !== undefined && earlier !== undefined && isNoGap.test(last.text)) {
      earlier.text += last.text + token
      stretches.pop()
    } else stretches.push({ text: token, check, fact: null })
  }
  return stretches
}

const heading = /^#{1,6}\s+/u
const item = /^(?:[-*+•]|\d{1,3}[.)])\s+/u

// Light Markdown as passages: a line that is a heading, an item or a row of a table, and paragraphs, whose lines belong together.
const freeText = (text: string): Grounded => {
  const passages: { kind: Passage['kind']; text: string }[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const words = line.trim().replaceAll(/\*\*|__|`/gu, '')
    const kind = heading.test(words) ? 'heading' : item.test(words) || words.startsWith('|') ? 'item' : 'paragraph'
    const last = passages.at(-1)
    if (/^[-|:*_\s]*$/u.test(words)) isOpen = false
    else if (kind === 'paragraph' && isOpen && last !== undefined) last.text += ` ${words}`
    else {
      passages.push({ kind, text: words.replace(heading, '').replace(item, '') })
      isOpen = kind !== 'heading'
    }
  }
  return { passages: passages.map(({ kind, text: words }) => ({ kind, segments: [{ text: words, check: 'unproved', fact: null }] })), proved: 0, unproved: passages.length }
}
