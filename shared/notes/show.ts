import { type Drawing, mostDrawings } from '../api/drawings.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { endMatch, endsOf, momentOf, type NoteEnd, type NotePlace, type PairPlace } from './place.ts'

/** A record of the user's annotations of a fill pair: its id is the pair's id, `place` where the pair was then. */
type Written = { readonly id: string; readonly place: NotePlace | null; readonly removed: boolean }

/** The current pairs that records attach to. */
type Attached = {
  /** By record: the pair that shows its words and pictures, then the other parts of what it was, to which its stop applies too. Missing if the pair is gone. */
  readonly on: ReadonlyMap<string, readonly [string, ...string[]]>
  /** Removed pairs, with the records that removed them: those records cover all their contracts. */
  readonly removed: ReadonlyMap<string, readonly string[]>
  /** By record: a pair that holds removed contracts among others, or that only shares the opening with the removed one. It counts until the user decides. */
  readonly unsure: ReadonlyMap<string, string>
}

type Edge = {
  readonly record: Written
  readonly place: NotePlace | null
  readonly pair: PairPlace
  readonly tier: number
  readonly closing: number
  readonly opening: number
  readonly overlap: number
}

const tiers = { same: 5, bothEnds: 4, closing: 3, opening: 2, turned: 1 } as const

/**
 * Finds the current pairs that annotations belong to. Only the records and the pairs decide, so two computers with the
 * same data get the same result, whatever happened in between. A record attaches to the pair of the same two fills. If
 * that is gone, its contracts are dealt out among the pairs that share an end with it, the surest first: both ends,
 * then the closing end, then the opening one; by fill, by order, by second and price; and then by the contracts of the
 * orders that they hold. No contract is dealt to two removals, nor to two records of words, and a pair that already
 * existed beside the pair when it was annotated takes only what it has gained since. Words attach to the surest pair.
 * A pair is removed only if all its contracts were dealt to removals by their closing end.
 */
const attach = (records: readonly Written[], pairs: readonly PairPlace[]): Attached => {
  const edges = edgesOf(records, pairs)
  // A pair's words and its removal may be separate records: they do not compete for contracts.
  const [forRemovals, forWords] = [roomOf(pairs), roomOf(pairs)]
  // A pair with both ends of a pair that counts is that pair, not a removed one that only shared its closing.
  const counting = roomOf(pairs)
  const left = contractsOf(edges)
  const parts = new Map<string, string[]>()
  const removing = new Map<string, { record: string; qty: number }[]>()
  for (const { record, place, pair, tier } of edges) {
    if (tier === tiers.turned) continue
    const free = record.removed ? forRemovals : forWords
    const isSure = tier >= tiers.bothEnds
    const room = Math.min(free.get(pair.id) ?? 0, record.removed && !isSure ? (counting.get(pair.id) ?? 0) : pair.qty, pair.qty - (tier === tiers.same ? 0 : qtyBeside(place, pair)))
    const dealt = Math.min(room, left.get(record.id) ?? room)
    if (dealt <= 0) continue
    free.set(pair.id, (free.get(pair.id) ?? 0) - dealt)
    if (!record.removed && isSure) counting.set(pair.id, (counting.get(pair.id) ?? 0) - dealt)
    left.set(record.id, (left.get(record.id) ?? dealt) - dealt)
    parts.set(record.id, [...(parts.get(record.id) ?? []), pair.id])
    // The number of contracts of a removal that lost its place is unknown: it attaches only to a pair with both its ends.
    if (record.removed && tier >= (place === null || place.qty !== null ? tiers.closing : tiers.bothEnds)) removing.set(pair.id, [...(removing.get(pair.id) ?? []), { record: record.id, qty: dealt }])
  }
  const removed = new Map<string, readonly string[]>()
  for (const { id, qty } of pairs) {
    const by = removing.get(id) ?? []
    if (by.length > 0 && by.reduce((sum, one) => sum + one.qty, 0) >= qty) removed.set(id, by.map(({ record }) => record))
  }
  return { removed, ...placed(records, edges, parts, removed) }
}

const roomOf = (pairs: readonly PairPlace[]): Map<string, number> => new Map(pairs.map(({ id, qty }) => [id, qty]))

const placed = (records: readonly Written[], edges: readonly Edge[], parts: ReadonlyMap<string, readonly string[]>, removed: ReadonlyMap<string, unknown>): Pick<Attached, 'on' | 'unsure'> => {
  const surest = new Map<string, string>()
  for (const { record, pair } of edges) if (!surest.has(record.id)) surest.set(record.id, pair.id)
  const on = new Map<string, readonly [string, ...string[]]>()
  const unsure = new Map<string, string>()
  for (const record of records) {
    const first = surest.get(record.id)
    if (first === undefined) continue
    const dealt = parts.get(record.id) ?? [first]
    on.set(record.id, [first, ...dealt.filter((id) => id !== first)])
    const counting = record.removed ? dealt.find((id) => !removed.has(id)) : undefined
    if (counting !== undefined) unsure.set(record.id, counting)
  }
  return { on, unsure }
}

/** The contracts that each record has to deal out; if unknown, as many as the first pair that takes some. */
const contractsOf = (edges: readonly Edge[]): Map<string, number> => {
  const left = new Map<string, number>()
  for (const { record, place, pair, tier } of edges) {
    if (left.has(record.id) || place === null || place.qty === null) continue
    // A fill corrected to more contracts is still the same pair.
    const grown = tier === tiers.same ? Math.max(0, gain(place.opening, pair.opening), gain(place.closing, pair.closing)) : 0
    left.set(record.id, place.qty + grown)
  }
  return left
}

const gain = (was: NoteEnd, is: NoteEnd): number => (was.qty === null || is.qty === null ? 0 : is.qty - was.qty)

const qtyBeside = (place: NotePlace | null, pair: PairPlace): number => place?.beside.find(([ends]) => ends === endsOf(pair))?.[1] ?? 0

const edgesOf = (records: readonly Written[], pairs: readonly PairPlace[]): readonly Edge[] => {
  const byId = new Map(pairs.map((pair) => [pair.id, pair]))
  const near = neighbors(pairs)
  const places = new Map(pairs.map(({ id }, place) => [id, place]))
  const edges = records.flatMap((record): Edge[] => {
    const { place } = record
    const same = byId.get(record.id)
    const others = place === null ? [] : near(place).flatMap((pair) => edgeOf(record, place, pair) ?? [])
    return same === undefined ? others : [{ record, place, pair: same, tier: tiers.same, closing: 3, opening: 3, overlap: 0 }, ...others]
  })
  const since = ({ place }: Edge): number => place?.closing.time ?? 0
  return edges.sort(
    (one, other) =>
      other.tier - one.tier || other.closing - one.closing || other.opening - one.opening || other.overlap - one.overlap || since(one) - since(other) ||
      compareText(one.record.id, other.record.id) || (places.get(one.pair.id) ?? 0) - (places.get(other.pair.id) ?? 0),
  )
}

const edgeOf = (record: Written, place: NotePlace, pair: PairPlace): Edge | null => {
  if (pair.id === record.id || qtyBeside(place, pair) >= pair.qty) return null
  const edge = { record, place, pair, overlap: 0 }
  const isSameSide = place.side === null || place.side === pair.side
  const [closing, opening] = isSameSide ? [endMatch(place.closing, pair.closing), endMatch(place.opening, pair.opening)] : [0, 0]
  if (closing === 0 && opening === 0) {
    if (place.side === pair.side) return null
    // A closing became an opening, or the reverse: an earlier position became known.
    const [closes, opens] = [endMatch(place.opening, pair.closing), endMatch(place.closing, pair.opening)]
    return closes === 3 || opens === 3 ? { ...edge, tier: tiers.turned, closing: closes, opening: opens } : null
  }
  const tier = closing > 0 && opening > 0 ? tiers.bothEnds : closing > 0 ? tiers.closing : tiers.opening
  const overlap = place.date === pair.date ? shared(place, pair, 'closing') + shared(place, pair, 'opening') : 0
  return { ...edge, tier, closing, opening, overlap }
}

const shared = (place: NotePlace, pair: PairPlace, end: 'opening' | 'closing'): number => {
  const [one, other] = [place[end].from, pair[end].from]
  return Math.max(0, Math.min(one + (place.qty ?? 1), other + pair.qty) - Math.max(one, other))
}

const keysOf = (end: NoteEnd): readonly string[] => [`fill ${end.fill}`, ...(end.order === null ? [] : [`order ${end.order}`]), ...(momentOf(end) === null ? [] : [`moment ${momentOf(end) ?? ''}`])]

/** The pairs that may share an end with a place, each once. */
const neighbors = (pairs: readonly PairPlace[]): ((place: NotePlace) => readonly PairPlace[]) => {
  const byKey = new Map<string, PairPlace[]>()
  for (const pair of pairs) {
    for (const key of new Set([...keysOf(pair.opening), ...keysOf(pair.closing)])) {
      getOrInsert(byKey, key, (): PairPlace[] => []).push(pair)
    }
  }
  return (place) => [...new Set([...keysOf(place.opening), ...keysOf(place.closing)].flatMap((key) => byKey.get(key) ?? []))]
}

/** The user's annotations of a fill pair; `stop` is decimal text, a picture is its file name. */
export type Annotations = {
  readonly notes: string
  readonly tags: readonly string[]
  readonly stop: string | null
  readonly screenshot: string
  readonly screenshotHeadline: string
  readonly screenshot2: string
  readonly screenshot2Headline: string
  readonly drawings: readonly Drawing[]
}
export type AnnotationField = keyof Annotations

/** No annotations. */
export const noAnnotations: Annotations = { notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', drawings: [] }

/** One field of one record. */
export type From = { readonly record: string; readonly field: AnnotationField | 'removedAt' }

/** Several records joined into one: the source of each shown field, and the fields without room. */
export type Joined = { readonly annotations: Annotations; readonly from: ReadonlyMap<AnnotationField, readonly From[]>; readonly left: ReadonlyMap<string, readonly AnnotationField[]> }

const longestNotes = 20_000
const mostTags = 50

const pictures = [
  ['screenshot', 'screenshotHeadline'],
  ['screenshot2', 'screenshot2Headline'],
] as const

/**
 * Joins the records of one fill pair, in order, without replacing anything: different notes follow each other, tags and
 * drawings are united, pictures take the free places. What has no room (a second stop, a third picture) is left over.
 */
export const joinAnnotations = (records: readonly { readonly id: string; readonly annotations: Annotations }[]): Joined => {
  const annotations: { -readonly [Field in AnnotationField]: Annotations[Field] } = { ...noAnnotations }
  const from = new Map<AnnotationField, From[]>()
  const left = new Map<string, AnnotationField[]>()
  const note = (shown: AnnotationField, record: string, field: AnnotationField) => from.set(shown, [...(from.get(shown) ?? []), { record, field }])
  const leave = (record: string, ...fields: AnnotationField[]) => left.set(record, [...(left.get(record) ?? []), ...fields])
  const texts: string[] = []
  for (const { id, annotations: own } of records) {
    if (own.notes !== '') {
      const longer = texts.includes(own.notes) ? texts : [...texts, own.notes]
      if (longer.join('\n\n').length > longestNotes) leave(id, 'notes')
      else {
        if (longer !== texts) texts.push(own.notes)
        note('notes', id, 'notes')
      }
    }
    if (own.tags.length > 0) {
      const more = [...new Set([...annotations.tags, ...own.tags])]
      if (more.length > mostTags) leave(id, 'tags')
      else {
        annotations.tags = more
        note('tags', id, 'tags')
      }
    }
    if (own.drawings.length > 0) {
      const more = [...new Map([...annotations.drawings, ...own.drawings].map((one) => [JSON.stringify(one), one])).values()]
      if (more.length > mostDrawings) leave(id, 'drawings')
      else {
        annotations.drawings = more
        note('drawings', id, 'drawings')
      }
    }
    if (own.stop !== null) {
      if (annotations.stop !== null && annotations.stop !== own.stop) leave(id, 'stop')
      else {
        annotations.stop = own.stop
        note('stop', id, 'stop')
      }
    }
    for (const [picture, headline] of pictures) {
      if (own[picture] === '' && own[headline] === '') continue
      const places = [[picture, headline] as const, ...pictures]
      const room = places.find(([place, line]) => annotations[place] === own[picture] && annotations[line] === own[headline]) ?? places.find(([place, line]) => annotations[place] === '' && annotations[line] === '')
      if (room === undefined) {
        leave(id, ...[picture, headline].filter((field) => own[field] !== ''))
        continue
      }
      const [place, line] = room
      annotations[place] = own[picture]
      annotations[line] = own[headline]
      if (own[picture] !== '') note(place, id, picture)
      if (own[headline] !== '') note(line, id, headline)
    }
  }
  return { annotations: { ...annotations, notes: texts.join('\n\n') }, from, left }
}

/** A record of the user's annotations of a fill pair; `removedAt` is UTC ms. */
export type WrittenAnnotations = Omit<Written, 'removed'> & { readonly annotations: Annotations; readonly removedAt: number | null }

/** What a fill pair shows, and the source of each field. */
export type Shown = { readonly annotations: Annotations; readonly removedAt: number | null; readonly from: ReadonlyMap<AnnotationField | 'removedAt', readonly From[]> }

/** The fields of a record that no fill pair shows; `on` is the pair that shows the rest of it, or whose contracts it removed in part. */
export type LeftOver = { readonly fields: readonly (AnnotationField | 'removedAt')[]; readonly on: string | null }

/** All of a user's records, resolved. */
export type ShownNotes = { readonly shown: ReadonlyMap<string, Shown>; readonly leftOver: ReadonlyMap<string, LeftOver> }

/** The non-empty fields of a record. */
export const filledFields = (annotations: Annotations): readonly AnnotationField[] => (Object.keys(noAnnotations) as AnnotationField[]).filter((field) => (field === 'tags' || field === 'drawings' ? annotations[field].length > 0 : annotations[field] !== noAnnotations[field]))

/**
 * What every fill pair shows of the user's annotations, and what none can show: each word is in exactly one of the two.
 * Exception: a removal whose pair is gone is kept in case the pair returns. A pair's own record comes first, the
 * others by time.
 */
export const showNotes = (records: readonly WrittenAnnotations[], pairs: readonly PairPlace[]): ShownNotes => {
  const { on, removed, unsure } = attach(records.map((record) => ({ ...record, removed: record.removedAt !== null })), pairs)
  const since = (record: WrittenAnnotations): number => record.place?.closing.time ?? 0
  const inOrder = records.toSorted((one, other) => since(one) - since(other) || compareText(one.id, other.id))
  const sides = new Map(pairs.map(({ id, side }) => [id, side]))
  const wordsByPair = new Map<string, { id: string; annotations: Annotations }[]>()
  for (const { id, annotations, place: was } of inOrder) {
    for (const [number, pair] of (on.get(id) ?? []).entries()) {
      // A stop for the other direction would be on the wrong side of the entry.
      const stop = was === null || was.side === null || was.side === sides.get(pair) ? annotations.stop : null
      const part = number === 0 ? { ...annotations, stop } : { ...noAnnotations, stop }
      if (filledFields(part).length === 0) continue
      const list = wordsByPair.get(pair) ?? []
      wordsByPair.set(pair, id === pair ? [{ id, annotations: part }, ...list] : [...list, { id, annotations: part }])
    }
  }
  const at = new Map(records.map(({ id, removedAt }) => [id, removedAt ?? 0]))
  const shown = new Map<string, Shown>()
  const left = new Map<string, readonly AnnotationField[]>()
  const stopsShown = new Set<string>()
  for (const pair of new Set([...wordsByPair.keys(), ...removed.keys()])) {
    const joined = joinAnnotations(wordsByPair.get(pair) ?? [])
    const by = removed.get(pair)
    const from = new Map<AnnotationField | 'removedAt', readonly From[]>(joined.from)
    if (by !== undefined) from.set('removedAt', by.map((record) => ({ record, field: 'removedAt' })))
    shown.set(pair, { annotations: joined.annotations, removedAt: by === undefined ? null : Math.max(...by.map((record) => at.get(record) ?? 0)), from })
    for (const { record } of joined.from.get('stop') ?? []) stopsShown.add(record)
    for (const [record, fields] of joined.left) left.set(record, [...new Set([...(left.get(record) ?? []), ...fields])])
  }
  const leftOver = new Map<string, LeftOver>()
  for (const { id, annotations } of records) {
    const pair = on.get(id)?.[0] ?? null
    const fields = pair === null ? filledFields(annotations) : filledFields(annotations).filter((field) => (field === 'stop' ? !stopsShown.has(id) : left.get(id)?.includes(field)))
    const counting = unsure.get(id)
    if (fields.length > 0 || counting !== undefined) leftOver.set(id, { fields: [...fields, ...(counting === undefined ? [] : (['removedAt'] as const))], on: counting ?? pair })
  }
  return { shown, leftOver }
}
