import { endMatch, endsOf, momentOf, type NoteEnd, type NotePlace, type PairPlace } from './place.ts'

/** A record of the user's annotations of a trade: its id is the trade's id, `place` where the trade was then. */
export type Written = { readonly id: string; readonly place: NotePlace | null; readonly removed: boolean }

/** The current pairs that records attach to. */
export type Attached = {
  /** By record: the pair that shows its words and pictures, then the other parts of the trade, to which its stop applies too. Missing if the trade is gone. */
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
 * existed beside the trade when it was annotated takes only what it has gained since. Words attach to the surest pair.
 * A pair is removed only if all its contracts were dealt to removals by their closing end.
 */
export const attach = (records: readonly Written[], pairs: readonly PairPlace[]): Attached => {
  const edges = edgesOf(records, pairs)
  // A trade's words and its removal may be separate records: they do not compete for contracts.
  const [forRemovals, forWords] = [roomOf(pairs), roomOf(pairs)]
  // A pair with both ends of a trade that counts is that trade, not a removed one that only shared its closing.
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
    // The number of contracts of a removal that lost its place is unknown: it attaches only to a trade with both its ends.
    if (record.removed && tier >= (place === null || place.qty !== null ? tiers.closing : tiers.bothEnds)) removing.set(pair.id, [...(removing.get(pair.id) ?? []), { record: record.id, qty: dealt }])
  }
  const removed = new Map<string, readonly string[]>()
  for (const { id, qty } of pairs) {
    const by = removing.get(id) ?? []
    if (by.length > 0 && by.reduce((sum, one) => sum + one.qty, 0) >= qty) removed.set(id, by.map(({ record }) => record))
  }
  return { removed, ...standing(records, edges, parts, removed) }
}

const roomOf = (pairs: readonly PairPlace[]): Map<string, number> => new Map(pairs.map(({ id, qty }) => [id, qty]))

const standing = (records: readonly Written[], edges: readonly Edge[], parts: ReadonlyMap<string, readonly string[]>, removed: ReadonlyMap<string, unknown>): Pick<Attached, 'on' | 'unsure'> => {
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
    // A fill corrected to more contracts is still the same trade.
    const grown = tier === tiers.same ? Math.max(0, gain(place.opening, pair.opening), gain(place.closing, pair.closing)) : 0
    left.set(record.id, place.qty + grown)
  }
  return left
}

const gain = (was: NoteEnd, is: NoteEnd): number => (was.qty === null || is.qty === null ? 0 : is.qty - was.qty)

const qtyBeside = (place: NotePlace | null, pair: PairPlace): number => place?.beside.find(([ends]) => ends === endsOf(pair))?.[1] ?? 0

const edgesOf = (records: readonly Written[], pairs: readonly PairPlace[]): readonly Edge[] => {
  const byId = new Map(pairs.map((pair) => [pair.id, pair]))
  const near = neighbours(pairs)
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

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

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
const neighbours = (pairs: readonly PairPlace[]): ((place: NotePlace) => readonly PairPlace[]) => {
  const byKey = new Map<string, PairPlace[]>()
  for (const pair of pairs) {
    for (const key of new Set([...keysOf(pair.opening), ...keysOf(pair.closing)])) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [pair])
      else known.push(pair)
    }
  }
  return (place) => [...new Set([...keysOf(place.opening), ...keysOf(place.closing)].flatMap((key) => byKey.get(key) ?? []))]
}
