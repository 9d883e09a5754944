import { isUnproved, type Passage, type Segment } from '#shared/api/reports.ts'
import { readAnswer, type AnswerPassage, type AnswerPart } from './answer.ts'
import { isClaim, isForbiddenBesideFigures, tokensOf } from './claim-words.ts'
import { resolve, type Citable } from './references.ts'

/** A checked narrative with the number of proved figures and of unproved sentences. */
export type Grounded = { readonly passages: Passage[]; readonly proved: number; readonly unproved: number }

/** A passage to ask for again: its index, and its unproved words and references. */
export type FailedPassage = { readonly index: number; readonly failed: readonly string[] }

/**
 * Checks a model's answer. Figures, names and comparisons are references to the report's facts, and Fillbook writes them, so
 * they are `proved` unless the words around them claim something. A sentence with figures may hold only connecting words; one
 * without figures must claim nothing. An answer in another format is shown unchanged, all unproved. An answer is never
 * followed as an instruction. Runs in linear time.
 */
export const groundNarrative = (text: string, known: Citable): Grounded => {
  const answer = readAnswer(text)
  return answer === null ? groundFreeText(text) : groundAnswer(answer, known)
}

/** Checks a parsed answer. */
export const groundAnswer = (answer: readonly AnswerPassage[], known: Citable): Grounded => {
  const checkedPassages = checkPassages(answer, known)
  return {
    passages: checkedPassages.map(({ passage }) => passage),
    proved: checkedPassages.reduce((sum, { passage }) => sum + passage.segments.reduce((some, segment) => some + figuresIn(segment), 0), 0),
    unproved: checkedPassages.reduce((sum, { unproved }) => sum + unproved, 0),
  }
}

/** The passages of an answer that failed the check. */
export const failedPassages = (answer: readonly AnswerPassage[], known: Citable): readonly FailedPassage[] =>
  checkPassages(answer, known).flatMap(({ passage: { segments } }, index) => {
    const failed = segments.filter(isUnproved).map((segment) => ('text' in segment ? segment.text : 'says' in segment ? JSON.stringify(segment.says) : ''))
    return failed.length === 0 ? [] : [{ index, failed }]
  })

/** Replaces passages by their rewritten versions, by index, where less of the new version fails. */
export const replacePassages = (answer: readonly AnswerPassage[], rewritten: ReadonlyMap<number, AnswerPassage>, known: Citable): readonly AnswerPassage[] => {
  const failures = (passage: AnswerPassage): number => failedPassages([passage], known)[0]?.failed.length ?? 0
  return answer.map((passage, index) => {
    const other = rewritten.get(index)
    return other !== undefined && other.kind === passage.kind && failures(other) < failures(passage) ? other : passage
  })
}

const figuresIn = (segment: Segment): number => (!('says' in segment) || segment.check !== 'proved' ? 0 : 'fact' in segment.says ? segment.says.figures.length : 'compare' in segment.says ? 2 : 1)

type CheckedPassage = { readonly passage: Passage; readonly unproved: number }

const checkPassages = (answer: readonly AnswerPassage[], known: Citable): readonly CheckedPassage[] => {
  const own = new Set(known.facts.flatMap(({ about: { product } }) => (product === undefined ? [] : [product.toLowerCase()])))
  // Unproved words taint what follows: the rest of their passage, and the list items that it introduces.
  let [isTainted, taintsItems] = [false, false]
  return answer.map((passage): CheckedPassage => {
    if (passage.kind === 'heading') {
      taintsItems = false
      return { passage: { kind: 'heading', segments: [{ heading: passage.heading }] }, unproved: 0 }
    }
    isTainted = passage.kind === 'item' && taintsItems
    const checked = passage.sentences.map((sentence, index) => {
      const segments = checkSentence(joinParts(sentence, index > 0), known, { own, isTainted })
      isTainted ||= segments.some(isUnproved)
      return segments
    })
    if (passage.kind === 'paragraph') taintsItems = isTainted
    return { passage: { kind: passage.kind, segments: checked.flat() }, unproved: checked.filter((segments) => segments.some(isUnproved)).length }
  })
}

type Written = Exclude<AnswerPart, null>

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

// Puts spaces between words and references and a period at the end, so that no sentence runs into the next.
const joinParts = (sentence: readonly AnswerPart[], isLater: boolean): readonly Written[] => {
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

const checkSentence = (parts: readonly Written[], known: Citable, { own, isTainted }: { readonly own: ReadonlySet<string>; readonly isTainted: boolean }): Segment[] => {
  const references = parts.flatMap((part) => ('text' in part ? [] : [part]))
  const hasFigures = references.some((one) => !('name' in one))
  const last = parts.at(-1)
  // A sentence that ends in a colon introduces figures: the strict rule applies to it too.
  const isStrict = hasFigures || (last !== undefined && 'text' in last && last.text.endsWith(':'))
  // A figure names its own subject: a second name would attribute it to something else.
  const isNamed = hasFigures && references.some((one) => 'name' in one)
  const segments = parts.flatMap((part): Segment[] => ('text' in part ? markWords(part.text, isStrict, own) : [{ says: part, check: resolve(part, known) === null || ('name' in part && isNamed) ? 'unproved' : 'name' in part ? 'plain' : 'proved' }]))
  if (!segments.some(isUnproved) && !(isTainted && hasFigures)) return segments
  return segments.map((segment) => ('says' in segment && segment.check === 'proved' ? { ...segment, check: 'unproved' } : segment))
}

// A space, or characters attached to the words around them: `<b>no</b>`.
const isNoGap = /^(?:\s+|\S+)$/u

// Splits a text into allowed and forbidden stretches.
const markWords = (text: string, isStrict: boolean, own: ReadonlySet<string>): Segment[] => {
  const stretches: { text: string; check: 'plain' | 'unproved'; fact: null }[] = []
  for (const token of tokensOf(text)) {
    const check = token.trim() !== '' && (isStrict ? isForbiddenBesideFigures(token) : isClaim(token, own)) ? 'unproved' : 'plain'
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

// Splits light Markdown into headings, list items, table rows and paragraphs.
const groundFreeText = (text: string): Grounded => {
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
