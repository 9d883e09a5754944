import { mostDrawings, type Drawing } from '../api/drawings.ts'
import { attach, type Written } from './attach.ts'
import type { PairPlace } from './place.ts'

/** The user's annotations of a trade; `stop` is decimal text, a picture is its file name. */
export type Words = {
  readonly notes: string
  readonly tags: readonly string[]
  readonly stop: string | null
  readonly screenshot: string
  readonly screenshotHeadline: string
  readonly screenshot2: string
  readonly screenshot2Headline: string
  readonly drawings: readonly Drawing[]
}
export type WordField = keyof Words

/** No annotations. */
export const noWords: Words = { notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', drawings: [] }

/** One field of one record. */
export type From = { readonly record: string; readonly field: WordField | 'removedAt' }

/** Several records joined into one: the source of each shown field, and the fields without room. */
export type Joined = { readonly words: Words; readonly from: ReadonlyMap<WordField, readonly From[]>; readonly left: ReadonlyMap<string, readonly WordField[]> }

const longestNotes = 20_000
const mostTags = 50

const pictures = [
  ['screenshot', 'screenshotHeadline'],
  ['screenshot2', 'screenshot2Headline'],
] as const

/**
 * Joins the records of one trade, in order, without replacing anything: different notes follow each other, tags and
 * drawings are united, pictures take the free places. What has no room (a second stop, a third picture) is left over.
 */
export const joinWords = (records: readonly { readonly id: string; readonly words: Words }[]): Joined => {
  const words: { -readonly [Field in WordField]: Words[Field] } = { ...noWords }
  const from = new Map<WordField, From[]>()
  const left = new Map<string, WordField[]>()
  const note = (shown: WordField, record: string, field: WordField) => from.set(shown, [...(from.get(shown) ?? []), { record, field }])
  const leave = (record: string, ...fields: WordField[]) => left.set(record, [...(left.get(record) ?? []), ...fields])
  const texts: string[] = []
  for (const { id, words: own } of records) {
    if (own.notes !== '') {
      const longer = texts.includes(own.notes) ? texts : [...texts, own.notes]
      if (longer.join('\n\n').length > longestNotes) leave(id, 'notes')
      else {
        if (longer !== texts) texts.push(own.notes)
        note('notes', id, 'notes')
      }
    }
    if (own.tags.length > 0) {
      const more = [...new Set([...words.tags, ...own.tags])]
      if (more.length > mostTags) leave(id, 'tags')
      else {
        words.tags = more
        note('tags', id, 'tags')
      }
    }
    if (own.drawings.length > 0) {
      const more = [...new Map([...words.drawings, ...own.drawings].map((one) => [JSON.stringify(one), one])).values()]
      if (more.length > mostDrawings) leave(id, 'drawings')
      else {
        words.drawings = more
        note('drawings', id, 'drawings')
      }
    }
    if (own.stop !== null) {
      if (words.stop !== null && words.stop !== own.stop) leave(id, 'stop')
      else {
        words.stop = own.stop
        note('stop', id, 'stop')
      }
    }
    for (const [picture, headline] of pictures) {
      if (own[picture] === '' && own[headline] === '') continue
      const places = [[picture, headline] as const, ...pictures]
      const room = places.find(([place, line]) => words[place] === own[picture] && words[line] === own[headline]) ?? places.find(([place, line]) => words[place] === '' && words[line] === '')
      if (room === undefined) {
        leave(id, ...[picture, headline].filter((field) => own[field] !== ''))
        continue
      }
      const [place, line] = room
      words[place] = own[picture]
      words[line] = own[headline]
      if (own[picture] !== '') note(place, id, picture)
      if (own[headline] !== '') note(line, id, headline)
    }
  }
  return { words: { ...words, notes: texts.join('\n\n') }, from, left }
}

/** A record of the user's annotations of a trade; `removedAt` is UTC ms. */
export type WrittenWords = Omit<Written, 'removed'> & { readonly words: Words; readonly removedAt: number | null }

/** What a trade shows, and the source of each field. */
export type Shown = { readonly words: Words; readonly removedAt: number | null; readonly from: ReadonlyMap<WordField | 'removedAt', readonly From[]> }

/** The fields of a record that no trade shows; `on` is the trade that shows the rest of it, or whose contracts it removed in part. */
export type LeftOver = { readonly fields: readonly (WordField | 'removedAt')[]; readonly on: string | null }

/** All of a user's records, resolved. */
export type ShownNotes = { readonly shown: ReadonlyMap<string, Shown>; readonly leftOver: ReadonlyMap<string, LeftOver> }

/** The non-empty fields of a record. */
export const filledFields = (words: Words): readonly WordField[] => (Object.keys(noWords) as WordField[]).filter((field) => (field === 'tags' || field === 'drawings' ? words[field].length > 0 : words[field] !== noWords[field]))

/**
 * What every trade shows of the user's annotations, and what no trade can show: each word is in exactly one of the two.
 * Exception: a removal whose trade is gone is kept in case the trade returns. A trade's own record comes first, the
 * others by time.
 */
export const showNotes = (records: readonly WrittenWords[], pairs: readonly PairPlace[]): ShownNotes => {
  const { on, removed, unsure } = attach(records.map((record) => ({ ...record, removed: record.removedAt !== null })), pairs)
  const since = (record: WrittenWords): number => record.place?.closing.time ?? 0
  const inOrder = records.toSorted((one, other) => since(one) - since(other) || (one.id < other.id ? -1 : 1))
  const sides = new Map(pairs.map(({ id, side }) => [id, side]))
  const wordsByPair = new Map<string, { id: string; words: Words }[]>()
  for (const { id, words, place: was } of inOrder) {
    for (const [number, pair] of (on.get(id) ?? []).entries()) {
      // A stop for the other direction would be on the wrong side of the entry.
      const stop = was === null || was.side === null || was.side === sides.get(pair) ? words.stop : null
      const part = number === 0 ? { ...words, stop } : { ...noWords, stop }
      if (filledFields(part).length === 0) continue
      const list = wordsByPair.get(pair) ?? []
      wordsByPair.set(pair, id === pair ? [{ id, words: part }, ...list] : [...list, { id, words: part }])
    }
  }
  const at = new Map(records.map(({ id, removedAt }) => [id, removedAt ?? 0]))
  const shown = new Map<string, Shown>()
  const left = new Map<string, readonly WordField[]>()
  const stopsShown = new Set<string>()
  for (const pair of new Set([...wordsByPair.keys(), ...removed.keys()])) {
    const joined = joinWords(wordsByPair.get(pair) ?? [])
    const by = removed.get(pair)
    const from = new Map<WordField | 'removedAt', readonly From[]>(joined.from)
    if (by !== undefined) from.set('removedAt', by.map((record) => ({ record, field: 'removedAt' })))
    shown.set(pair, { words: joined.words, removedAt: by === undefined ? null : Math.max(...by.map((record) => at.get(record) ?? 0)), from })
    for (const { record } of joined.from.get('stop') ?? []) stopsShown.add(record)
    for (const [record, fields] of joined.left) left.set(record, [...new Set([...(left.get(record) ?? []), ...fields])])
  }
  const leftOver = new Map<string, LeftOver>()
  for (const { id, words } of records) {
    const pair = on.get(id)?.[0] ?? null
    const fields = pair === null ? filledFields(words) : filledFields(words).filter((field) => (field === 'stop' ? !stopsShown.has(id) : left.get(id)?.includes(field)))
    const counting = unsure.get(id)
    if (fields.length > 0 || counting !== undefined) leftOver.set(id, { fields: [...fields, ...(counting === undefined ? [] : (['removedAt'] as const))], on: counting ?? pair })
  }
  return { shown, leftOver }
}
