import { compareText } from '#shared/base/compare-text.ts'
import type { Side } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'
import { priceOf } from './fill-facts.ts'
import type { PairReading, PairedFill } from './reading.ts'

/** Pair rows without an account that belong to one account, because their files share fills. */
export type UnattributedGroup = {
  /** Indexes of their files. */
  readonly files: ReadonlySet<number>
  readonly pairs: readonly PairReading[]
  /** Its lowest fill key: an id independent of files. */
  readonly name: string
  readonly span: Span
  /** First to last fill, by contract. */
  readonly spans: ReadonlyMap<string, Span>
}

/** UTC ms, both ends included. */
export type Span = { readonly first: number; readonly last: number }

/** A pair without an account, and its file's index. */
export type UnattributedRow = { readonly file: number; readonly pair: PairReading }

/** A fill's key across files: the same id with another price is another fill. */
export const sharedFillKey = (contract: string, side: Side, fillId: string, price: number, tickSize: string): string => keyOf(contract, side, fillId, priceOf(price, tickSize))

/** Both fills of a pair. */
export const fillsOfPair = ({ contract, tickSize, buy, sell }: PairReading): readonly [buy: string, sell: string] => {
  const of = (side: Side, { fillId, price }: PairedFill): string => sharedFillKey(contract, side, fillId, price, tickSize)
  return [of('buy', buy), of('sell', sell)]
}

/** Groups linked pairs: by shared fills, and with `filesAreOne` also by file. */
export const unattributedGroups = (rows: readonly UnattributedRow[], filesAreOne: boolean): readonly UnattributedGroup[] => {
  const parents = new Map<string, string>()
  const find = (knot: string): string => {
    let root = knot
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // Path compression: a long chain is walked once.
    for (let at = knot; at !== root; ) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  const tie = (one: string, other: string): void => {
    const [first, second] = [find(one), find(other)]
    if (first !== second) parents.set(first, second)
  }
  for (const { file, pair } of rows) {
    const [buy, sell] = fillsOfPair(pair)
    tie(buy, sell)
    if (filesAreOne) tie(buy, keyOf('file', file))
  }
  return [...Map.groupBy(rows, ({ pair }) => find(fillsOfPair(pair)[0])).values()].map(groupOf)
}

const groupOf = (rows: readonly UnattributedRow[]): UnattributedGroup => {
  const files = new Set(rows.map(({ file }) => file))
  const pairs = rows.map(({ pair }) => pair)
  const spans = new Map<string, Span>()
  let name = ''
  let closings: Span | undefined
  for (const pair of pairs) {
    const [opened, closed] = [Math.min(pair.buy.time, pair.sell.time), Math.max(pair.buy.time, pair.sell.time)]
    spans.set(pair.contract, wider(spans.get(pair.contract), { first: opened, last: closed }))
    closings = wider(closings, { first: closed, last: closed })
    for (const fill of fillsOfPair(pair)) if (name === '' || compareText(fill, name) < 0) name = fill
  }
  return { files, pairs, name, spans, span: closings ?? { first: 0, last: 0 } }
}

const wider = (known: Span | undefined, next: Span): Span => (known === undefined ? next : { first: Math.min(known.first, next.first), last: Math.max(known.last, next.last) })

const meet = (one: Span, other: Span): boolean => one.first <= other.last && other.first <= one.last

/**
 * Whether two groups cannot be of one account: they closed positions in the same period, or held one contract at the same time, yet share no fill, as
 * two reports of one account would.
 */
export const cannotBeOneAccount = (one: UnattributedGroup, other: UnattributedGroup): boolean =>
  meet(one.span, other.span) || [...one.spans].some(([contract, span]) => {
    const against = other.spans.get(contract)
    return against !== undefined && meet(span, against)
  })

/** Placeholder numbers, from 0, for groups of unknown accounts: groups that cannot be of one account never share one. */
export const placeholderNumbers = (groups: readonly UnattributedGroup[]): ReadonlyMap<UnattributedGroup, number> => {
  const places: UnattributedGroup[][] = []
  const placeOf = new Map<UnattributedGroup, number>()
  for (const group of groups.toSorted((one, other) => one.span.first - other.span.first || compareText(one.name, other.name))) {
    const free = places.findIndex((others) => !others.some((other) => cannotBeOneAccount(group, other)))
    const place = free < 0 ? places.length : free
    places[place] = [...(places[place] ?? []), group]
    placeOf.set(group, place)
  }
  return placeOf
}
