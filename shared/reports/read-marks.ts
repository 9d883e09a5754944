import type { Mark, Read } from './marks.ts'
import { readDay } from './read-dates.ts'
import { readFigure } from './read-figures.ts'
import { readHour } from './read-hours.ts'
import { readName, readWhen, textOf, type KnownNames } from './read-names.ts'
import type { Shown } from './shown-figure.ts'
import { isSign, isWord, tokensOf, type Token } from './text-tokens.ts'
import { beforeFigure, neutral, onlyBeforeFigure, phrases, plainVerbs } from './vocabulary.ts'

const plain = { is: 'word', between: false, known: true, text: '' } as const satisfies Mark
const parts: Mark = { is: 'break', against: false }
const atMost = new Set(['under', 'below', 'within'])
const atLeast = new Set(['over', 'above'])
const counted = new Set('in of trade trades trip trips win wins winner winners loss losses loser losers day days session sessions contract contracts lot lots minute minutes min hour hours second seconds dollar dollars euro euros percent thousand million'.split(' '))
const pointing = new Set(['this', 'that', 'the', 'which', 'these', 'those'])
const than = new Set(['than'])
const [hourWord, halves, sideWord, sides] = [new Set(['hour']), new Set(['am', 'pm']), new Set(['side']), new Set(['long', 'short'])]
const outcomes = new Set(['win', 'wins', 'winner', 'winners', 'loss', 'losses', 'loser', 'losers'])
const costs = new Set(['commission', 'commissions', 'fees', 'costs'])
const [longer, shorter] = [new Set(['longer', 'more']), new Set(['shorter', 'less'])]
const [opens, joins] = [new Set(['between', 'from']), new Set(['to', 'and'])]

/** Reads a stretch of text from its beginning to its end, in time linear in it. */
export const readMarks = (text: string, known: KnownNames): readonly Mark[] => {
  const tokens = tokensOf(text)
  const marks: Mark[] = []
  for (let at = 0; at < tokens.length; ) {
    const { found, next } = readAt(tokens, at, known)
    for (const mark of found) marks.push(mark)
    at = next
  }
  return marks
}

const readAt = (tokens: readonly Token[], at: number, known: KnownNames): Read<readonly Mark[]> => {
  const token = tokens[at]
  if (token === undefined || token.kind === 'odd') return one({ is: 'unreadable', text: token?.raw ?? '' }, at + 1)
  const phrase = readPhrase(tokens, at, 2)
  if (phrase !== null && !boundsFigure(phrase.found, tokens, phrase.next)) return phrase
  const held = readHeld(tokens, at)
  if (held !== null) return one(held.found, held.next)
  const when = readWhen(tokens, at)
  if (when !== null) return one(when.found, when.next)
  if (isWord(token, opens)) {
    const range = readFigure(tokens, at + 1)
    if (range !== null && range.found.to !== null) return one({ is: 'figure', figure: range.found, text: textOf(tokens, at + 1, range.next) }, range.next)
  }
  const figure = token.text === 'one' && !isCounted(tokens, at) ? null : readFigure(tokens, at)
  if (figure !== null) return countedLoss(tokens, figure.next, { is: 'figure', figure: figure.found, text: textOf(tokens, at, figure.next) })
  const name = readName(tokens, at, known)
  if (name !== null) return one(name.found, name.next)
  if (token.kind === 'symbol') return one(signMark(tokens, at), at + 1)
  if (token.kind !== 'word') return one({ is: 'unreadable', text: token.raw }, at + 1)
  if (token.text === 'after' && isCost(tokens, at + 1)) return one(parts, at + 1)
  if (token.text === 'with' && isWord(tokens[at - 1], outcomes)) return one(strange(token.raw), at + 1)
  if (phrase !== null || (beforeFigure.has(token.text) && beginsFigure(tokens, at + 1) && !isAcross(tokens, at))) return one({ is: 'poison', text: token.text }, at + 1)
  return readPhrase(tokens, at, 1) ?? one(wordMark(tokens, at), at + 1)
}

const strange = (text: string): Mark => ({ is: 'word', between: false, known: false, text })

const one = (mark: Mark, next: number): Read<readonly Mark[]> => ({ found: [mark], next })

// `1 loss`, which elsewhere is a word for money lost.
const countedLoss = (tokens: readonly Token[], next: number, mark: Extract<Mark, { is: 'figure' }>): Read<readonly Mark[]> =>
  mark.figure.unit === 'number' && tokens[next]?.text === 'loss' ? { found: [mark, { is: 'noun', noun: 'losses' }], next: next + 1 } : one(mark, next)

const wordMark = (tokens: readonly Token[], at: number): Mark => {
  const { text = '', raw = '' } = tokens[at] ?? {}
  if (text.endsWith("n't") || text.endsWith("'d")) return { is: 'poison', text: 'if' }
  if (plainVerbs.has(text)) return { ...plain, isVerb: true }
  const isBefore = onlyBeforeFigure.has(text) && beginsFigure(tokens, at + 1) && readWhen(tokens, at + 1) === null
  return isBefore || neutral.has(text) || isOfName(tokens, at) ? plain : strange(raw)
}

// `from March 2 to March 6`, `the 9 am hour`, `the long side`
const isOfName = (tokens: readonly Token[], at: number): boolean => {
  if (isWord(tokens[at], hourWord)) return ['clock', 'number'].includes(tokens[at + 1]?.kind ?? '') ? readHour(tokens, at + 1) !== null : tokens[at - 1]?.kind === 'clock' || isWord(tokens[at - 1], halves)
  if (isWord(tokens[at], sideWord)) return isWord(tokens[at - 1], sides)
  return isWord(tokens[at], opens) && readDay(tokens, at + 1)?.found.field === 'period'
}

const beginsFigure = (tokens: readonly Token[], at: number): boolean => readFigure(tokens, at) !== null

// `more than $500` bounds a figure; `$500 more than the others` compares one.
const boundsFigure = (marks: readonly Mark[], tokens: readonly Token[], next: number): boolean => marks.some(({ is }) => is === 'more') && beginsFigure(tokens, next)

// `over 38 trades` and `from 38 trades` go through all of them; of money or a time that would be a bound.
const isAcross = (tokens: readonly Token[], at: number): boolean => {
  const unit = readFigure(tokens, at + 1)?.found.unit
  return ((tokens[at]?.text === 'over' || tokens[at]?.text === 'from') && unit === 'number') || tokens[at]?.text === 'by' || tokens[at]?.text === 'to'
}

// `after $76 in commission`
const isCost = (tokens: readonly Token[], at: number): boolean => {
  const figure = readFigure(tokens, at)
  return figure !== null && figure.found.unit === 'money' && tokens.slice(figure.next, figure.next + 3).some((token) => isWord(token, costs))
}

// 'one' is a number where something is counted or measured by it, in `one of them`, and at an end; 'this one' and 'one clear weakness' say none.
const isCounted = (tokens: readonly Token[], at: number): boolean => {
  if (isWord(tokens[at - 1], pointing)) return false
  return tokens[at + 1]?.kind !== 'word' || tokens.slice(Math.max(0, at - 4), at + 5).some((token) => isWord(token, counted))
}

const readPhrase = (tokens: readonly Token[], at: number, least: number): Read<readonly Mark[]> | null => {
  for (const { words, marks } of phrases.get(tokens[at]?.text ?? '') ?? []) {
    if (words.length < least) return null
    const next = endOfPhrase(tokens, at, words)
    if (next !== null) return { found: marks.map((mark) => (mark.is === 'word' && !mark.known ? strange(words.join(' ')) : mark)), next }
  }
  return null
}

const endOfPhrase = (tokens: readonly Token[], from: number, words: readonly string[]): number | null => {
  let at = from
  for (const [index, word] of words.entries()) {
    if (index > 0 && isSign(tokens[at], '-') && tokens[at]?.tight === true && tokens[at + 1]?.tight === true) at += 1
    if (tokens[at]?.text !== word) return null
    at += 1
  }
  return at
}

const signMark = (tokens: readonly Token[], at: number): Mark => {
  const { raw = '', tight = false } = tokens[at] ?? {}
  if (',;()|—.!?…•'.includes(raw)) return parts
  if ('-–'.includes(raw)) return tight && tokens[at + 1]?.tight === true ? plain : parts
  if ('<>≤≥±×+*^→'.includes(raw)) return { is: 'poison', text: raw }
  return '%$€£¥−'.includes(raw) ? { is: 'unreadable', text: raw } : plain
}

// `under 5 minutes`, `longer than 15 min`, `from 5 to 15 minutes`: how long trades were held.
const readHeld = (tokens: readonly Token[], at: number): Read<Mark> | null => {
  const token = tokens[at]
  if (isWord(token, opens)) return readHeldBetween(tokens, at)
  const compared = isWord(tokens[at + 1], than)
  const upper = isWord(token, atMost) || (compared && isWord(token, shorter))
  const lower = isWord(token, atLeast) || (compared && isWord(token, longer))
  if (!upper && !lower) return null
  const time = readFigure(tokens, compared ? at + 2 : at + 1)
  if (time === null || time.found.unit !== 'time') return null
  return heldName(tokens, at, time.next, lower ? time.found.shown : null, upper ? time.found.shown : null)
}

const readHeldBetween = (tokens: readonly Token[], at: number): Read<Mark> | null => {
  const low = readFigure(tokens, at + 1)
  const joined = low === null ? null : tokens[low.next]
  if (low === null || !(isWord(joined ?? undefined, joins) || isSign(joined ?? undefined, '–'))) return null
  const high = readFigure(tokens, low.next + 1)
  if (high === null || high.found.unit !== 'time') return null
  const from = low.found.unit === 'time' ? low : low.found.unit === 'number' ? withUnitOf(tokens, at + 1, low.next, high.next) : null
  return from === null ? null : heldName(tokens, at, high.next, from.found.shown, high.found.shown)
}

// `5 to 15 minutes`: the first has the unit of the second.
const withUnitOf = (tokens: readonly Token[], from: number, next: number, end: number): ReturnType<typeof readFigure> => {
  const unit = tokens[end - 1]
  return unit === undefined ? null : readFigure([...tokens.slice(from, next), { ...unit, tight: false }], 0)
}

const heldName = (tokens: readonly Token[], at: number, next: number, from: Shown | null, to: Shown | null): Read<Mark> => ({ found: { is: 'name', name: { field: 'held', value: { from, to } }, text: textOf(tokens, at, next) }, next })
