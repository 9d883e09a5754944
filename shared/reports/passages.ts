import type { Passage } from '#shared/api/reports.ts'

/** A stretch of a sentence with what is cited for it; `isGlued` where the text goes on right behind the citation, as if a figure were cut in two. */
export type Stretch = { readonly text: string; readonly cited: readonly string[]; readonly isGlued: boolean }

/** A passage as it was written: `raw` with its markup and its line ends, from `at` in the whole text. */
export type RawPassage = { readonly kind: Passage['kind']; readonly raw: string; readonly at: number; readonly sentences: readonly (readonly Stretch[])[] }

const heading = /^#{1,6}[ \t]+/u
const item = /^(?:[-*+•]|\d{1,3}[.)])[ \t]+/u
const rule = /^[-|:*_ \t]+$/u
const mostCited = 8

/** A text of light Markdown as passages: headings, items (rows of a table too), and paragraphs, whose lines belong together. */
export const passagesOf = (text: string): readonly RawPassage[] => {
  const passages: { kind: Passage['kind']; raw: string; at: number; lines: string[] }[] = []
  let at = 0
  let isOpen = false
  for (const line of text.split('\n')) {
    const words = line.trim()
    const kind = heading.test(words) ? 'heading' : item.test(words) || words.startsWith('|') ? 'item' : 'paragraph'
    const last = passages.at(-1)
    if (words === '' || (rule.test(words) && !/\d/.test(words))) isOpen = false
    else if (kind === 'paragraph' && isOpen && last !== undefined && last.kind !== 'heading') {
      last.raw = text.slice(last.at, at + line.length)
      last.lines.push(words)
    } else {
      passages.push({ kind, raw: line, at, lines: [words.replace(kind === 'heading' ? heading : kind === 'item' ? item : /^/u, '')] })
      isOpen = kind !== 'heading'
    }
    at += line.length + 1
  }
  return passages.map(({ kind, raw, at: start, lines }) => ({ kind, raw, at: start, sentences: sentencesOf(lines.join(' ').replaceAll(/\*\*|__|`/gu, '')) }))
}

const citation = /\[ {0,3}(f[1-9]\d{0,3}(?: {0,3}[,;] {0,3}f[1-9]\d{0,3}){0,30}) {0,3}\]/gu

type Cited = { readonly from: number; readonly to: number; readonly ids: readonly string[] }

// One blank or a few before a citation go with it.
const withoutBlanks = (text: string, at: number): number => {
  let from = at
  while (from > 0 && at - from < 4 && ' \t\u00a0'.includes(text.charAt(from - 1))) from -= 1
  return from
}

const sentencesOf = (text: string): readonly (readonly Stretch[])[] => {
  const citations = [...text.matchAll(citation)].map(({ 0: whole, 1: ids = '', index }): Cited => ({ from: withoutBlanks(text, index), to: index + whole.length, ids: ids.split(/[,; ]+/u) }))
  const ends = sentenceEnds(text, citations)
  const sentences: Stretch[][] = []
  let [from, next] = [0, 0]
  for (const end of ends) {
    const stretches: Stretch[] = []
    while (next < citations.length && (citations[next]?.from ?? end) < end) {
      const first = citations[next]
      if (first === undefined) break
      let last = first
      const cited = new Set(first.ids)
      // `[f3][f7]` is one citation of two.
      while (citations[next + 1]?.from === last.to) {
        next += 1
        last = citations[next] ?? last
        for (const id of last.ids) if (cited.size <= mostCited) cited.add(id)
      }
      stretches.push({ text: text.slice(from, first.from), cited: [...cited], isGlued: goesOn.test(text.slice(last.to, last.to + 16)) })
      from = last.to
      next += 1
    }
    if (end > from) stretches.push({ text: text.slice(from, end), cited: [], isGlued: false })
    from = end
    if (stretches.length > 0) sentences.push(stretches)
  }
  return sentences
}

// What would go on with a figure before it: a letter or digit, a unit, a word for a thousand.
const goesOn = /^(?:[^\s.,;:!?)\]}"”’'|—–-]|[.,:'’-][^\s"”)\]]|[ \t\u00a0]*(?:[%$€£¥\d]|(?:[kKmM]|thousand|million|billion|hundred|percent|pct|dollars|euros|cents|[A-Z]{3})\b))/u
const shortWords = new Set(['vs', 'approx', 'avg', 'acct', 'acc', 'est', 'ca', 'incl', 'excl', 'max', 'min', 'no', 'nos', 'e.g', 'i.e', 'etc', 'a.m', 'p.m', 'dr', 'st', 'jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec', 'mon', 'tue', 'tues', 'wed', 'thu', 'thur', 'thurs', 'fri', 'sat', 'sun', 'hr', 'hrs', 'sec', 'mins', 'u.s', 'eq', 'fig', 'ref'])

// Sentences end at a point before a blank and a capital letter; what is cited right behind the point belongs before it. Where that is not clear, a sentence goes on.
const sentenceEnds = (text: string, citations: readonly Cited[]): readonly number[] => {
  const ends: number[] = []
  const after = new Map(citations.map(({ from, to }) => [from, to]))
  for (const { 0: sign, index } of text.matchAll(/[.!?]+["”’')]*/gu)) {
    // What trails off goes on.
    if (sign.includes('..')) continue
    const isCited = after.has(index + sign.length)
    let end = index + sign.length
    for (let to = after.get(end); to !== undefined; to = after.get(end)) end = to
    if (!/^\s+["“‘'(]?\p{Lu}/u.test(text.slice(end, end + 8))) continue
    const word = /[\p{L}.]{1,6}$/u.exec(text.slice(Math.max(0, index - 6), index))?.[0].toLowerCase() ?? ''
    if (sign.startsWith('.') && !isCited && (shortWords.has(word) || /^(?:.*\.)?\p{L}$/u.test(word))) continue
    ends.push(end)
  }
  return [...ends, text.length]
}
