import { compareText } from '#shared/base/compare-text.ts'
import { secondOf } from './fill-facts.ts'
import { factNames, keyOf, type FactName, type Placed, type RowConflict } from './assembly.ts'
import { wholeIdOf } from './fill-ids.ts'
import type { BalanceReading, CashReading, FillReading, OrderReading, PairReading, RowLocation } from './reading.ts'

/** Each record once, however many files have it; `contradicted` holds the keys of those on which they differ. */
export type Distinct<R> = {
  readonly rows: ReadonlyMap<string, R>
  readonly contradicted: ReadonlySet<string>
  readonly apart: readonly RowConflict[]
  /** Records with different fees, and their rows. */
  readonly feeConflicts: ReadonlyMap<string, readonly RowLocation[]>
}

/** How readings of one record merge: which facts must agree, which reading wins if they do not, and what one may add to the other. */
type MergeRules<R> = {
  readonly what: RowConflict['what']
  readonly id: (row: R) => string
  readonly key: (row: R) => string
  readonly facts: (row: R) => Partial<Record<FactName, string | number>>
  /** Below zero if the first wins; a later state of the record is no contradiction. */
  readonly later?: (one: R, other: R) => number
  /** For two that agree: below zero if the first is more precise. */
  readonly finer?: (one: R, other: R) => number
  readonly additions: readonly (keyof R)[]
  readonly fee?: (row: R) => number | null
}

/** A row's file and line. */
export const placeOf = ({ file = '', line }: { readonly file?: string; readonly line?: number }): RowLocation => ({ file, line: line ?? null })

/** Maximum number of rows listed per record. */
export const maxPlaces = 20

const samePlace = (one: RowLocation, other: RowLocation): boolean => one.file === other.file && one.line === other.line

/** Distinct rows by file and line. */
export const placesInOrder = (places: readonly RowLocation[]): readonly RowLocation[] =>
  places.toSorted((one, other) => compareText(one.file, other.file) || (one.line ?? 0) - (other.line ?? 0)).filter((place, index, all) => index === 0 || !samePlace(place, all[index - 1] ?? place))

const distinct = <R extends { readonly file?: string; readonly line?: number }>(rows: readonly R[], { what, id, key, facts, later, finer, additions, fee }: MergeRules<R>): Distinct<R> => {
  const known = new Map<string, R>()
  const contradicted = new Set<string>()
  const charged = new Set<string>()
  for (const row of rows) {
    const name = key(row)
    const before = known.get(name)
    if (before === undefined) {
      known.set(name, row)
      continue
    }
    const [feeBefore, feeOfRow] = fee === undefined ? [null, null] : [fee(before), fee(row)]
    if (feeBefore !== null && feeOfRow !== null && feeBefore !== feeOfRow) charged.add(name)
    const byState = later?.(before, row) ?? 0
    const [one, other] = [keyOf(...Object.values(facts(before))), keyOf(...Object.values(facts(row)))]
    if (byState === 0 && one !== other) contradicted.add(name)
    // Earlier states no longer count.
    if (byState > 0) contradicted.delete(name)
    const isFirst = one < other || (one === other && (finer?.(before, row) ?? 0) <= 0)
    const [winner, loser] = byState < 0 || (byState === 0 && isFirst) ? [before, row] : [row, before]
    known.set(name, additions.some((field) => winner[field] !== loser[field]) ? withAdditions(winner, loser, additions) : winner)
  }
  const rowsOf = (names: ReadonlySet<string>): ReadonlyMap<string, readonly R[]> => (names.size === 0 ? new Map() : Map.groupBy(rows.filter((row) => names.has(key(row))), key))
  const apart = [...rowsOf(contradicted)].sort(([one], [other]) => compareText(one, other)).flatMap(([name, all]): RowConflict[] => {
    const winner = known.get(name)
    if (winner === undefined) return []
    const alike = all.filter((row) => (later?.(winner, row) ?? 0) === 0)
    const found = alike.map(facts)
    return [{ what, id: id(winner), differs: factNames.filter((fact) => new Set(found.map((one) => one[fact])).size > 1), at: placesInOrder(alike.map(placeOf)).slice(0, maxPlaces) }]
  })
  const feeConflicts = new Map([...rowsOf(charged)].map(([name, all]) => [name, placesInOrder(all.filter((row) => fee?.(row) !== null).map(placeOf)).slice(0, maxPlaces)]))
  return { rows: known, contradicted, apart, feeConflicts }
}

// Field by field, so the result does not depend on the order of three or more.
const withAdditions = <R extends object>(winner: R, loser: R, additions: readonly (keyof R)[]): R => {
  const merged = { ...winner }
  for (const field of additions) {
    const [one, other] = [winner[field], loser[field]]
    const isBetter = one === null || one === undefined || (other !== null && other !== undefined && other > one)
    merged[field] = isBetter ? other : one
  }
  return merged
}

/** The key of a fill in its account. */
export const fillKey = ({ account, fillId }: { readonly account: string; readonly fillId: string }): string => keyOf(account, fillId)

/** The key of an order in its account. */
export const orderKey = ({ account, orderId }: { readonly account: string; readonly orderId: string }): string => keyOf(account, orderId)

/** The key of a pair in its account, by buy and sell fill. */
export const pairKey = (account: string, buyId: string, sellId: string): string => keyOf(account, buyId, sellId)

/** The key of the broker's whole fill that a row is part of; null if it is not a part. */
export const wholeKey = ({ account, fillId }: { readonly account: string; readonly fillId: string }): string | null => {
  const whole = wholeIdOf(fillId)
  return whole === null ? null : fillKey({ account, fillId: whole })
}

/** Rows without the parts of fills that the broker also reports whole, so no fill counts twice. */
export const withoutSplitParts = <R extends { readonly account: string; readonly fillId: string }>(rows: readonly R[]): readonly R[] => {
  const wholeFills = new Set(rows.map(fillKey))
  return rows.filter((row) => {
    const whole = wholeKey(row)
    return whole === null || !wholeFills.has(whole)
  })
}

/** The broker's fills whose platform parts (dropped by `withoutSplitParts`) differ in contract, side, price, or total quantity. */
export const contradictingParts = (rows: readonly Placed<FillReading>[]): Pick<Distinct<Placed<FillReading>>, 'contradicted' | 'apart'> => {
  const byWhole = Map.groupBy(rows.filter((row) => wholeKey(row) !== null), (row) => wholeKey(row) ?? '')
  const apart = new Map<string, RowConflict>()
  if (byWhole.size === 0) return { contradicted: new Set(), apart: [] }
  for (const row of rows) {
    const parts = byWhole.get(fillKey(row))
    if (parts === undefined) continue
    const qty = [...new Map(parts.map((part) => [part.fillId, part.qty])).values()].reduce((sum, one) => sum + one, 0)
    const differs = [
      ...(['contract', 'side', 'price'] as const).filter((fact) => parts.some((part) => part[fact] !== row[fact])),
      ...(qty === row.qty ? [] : (['quantity'] as const)),
    ]
    if (differs.length > 0) apart.set(fillKey(row), { what: 'fill', id: row.fillId, differs, at: placesInOrder([row, ...parts].map(placeOf)).slice(0, maxPlaces) })
  }
  return { contradicted: new Set(apart.keys()), apart: [...apart.values()] }
}

/** Each execution once; busted if any file says so. */
export const distinctFills = (rows: readonly Placed<FillReading>[]): Distinct<Placed<FillReading>> =>
  distinct(rows, {
    what: 'fill',
    id: ({ fillId }) => fillId,
    key: fillKey,
    // Some kinds of files have whole seconds only.
    facts: ({ contract, side, qty, price, time }) => ({ contract, side, quantity: qty, price, time: secondOf(time) }),
    later: (one, other) => Number(one.active) - Number(other.active),
    finer: (one, other) => other.time - one.time,
    fee: ({ fee }) => fee,
    additions: ['fee', 'otherFees', 'feeFrom', 'orderId', 'tradeDate', 'realized', 'netAfter', 'rank', 'row'],
  })

/** Each order once, in its most filled state. */
export const distinctOrders = (rows: readonly Placed<OrderReading>[]): Distinct<Placed<OrderReading>> =>
  distinct(rows, {
    what: 'order',
    id: ({ orderId }) => orderId,
    key: orderKey,
    facts: ({ contract, side, priceSum, placedAt, filledAt }) => ({ contract, side, price: priceSum, 'placed-time': placedAt, 'fill-time': filledAt }),
    later: (one, other) => other.qty - one.qty,
    additions: ['currency'],
  })

/** Each pair of the broker once: by account, buying and selling fill, whichever file names it. */
export const distinctPairs = (rows: readonly Placed<PairReading>[]): Distinct<Placed<PairReading>> =>
  distinct(rows, {
    what: 'pair',
    id: ({ buy, sell }) => `${buy.fillId}/${sell.fillId}`,
    key: ({ account, buy, sell }) => pairKey(account, buy.fillId, sell.fillId),
    facts: ({ contract, qty, pnl, buy, sell }) => ({ contract, quantity: qty, pnl, 'buy-price': buy.price, 'sell-price': sell.price, 'bought-time': buy.time, 'sold-time': sell.time }),
    fee: ({ fees }) => fees ?? null,
    additions: ['pairId', 'currency', 'tradeDate', 'fees', 'excursions'],
  })

/** Each cash movement once. A transaction may have several rows; the balance after each tells them apart. */
export const distinctCash = (rows: readonly Placed<CashReading>[]): Distinct<Placed<CashReading>> =>
  distinct(rows, {
    what: 'cash',
    id: ({ transactionId }) => transactionId,
    key: ({ account, transactionId, delta, amount }) => keyOf(account, transactionId, delta, amount),
    facts: ({ tradeDate, time }) => ({ date: tradeDate, time }),
    // A reading stored before types were kept may have another movement.
    later: (one, other) => Number(one.type === undefined) - Number(other.type === undefined),
    finer: (one, other) => compareText(one.file ?? '', other.file ?? ''),
    additions: ['currency', 'contract', 'transfer', 'type'],
  })

/** The key of a session's balance. */
export const balanceKey = ({ account, tradeDate }: Placed<BalanceReading>): string => keyOf(account, tradeDate)

/** One balance per account and session. */
export const distinctBalances = (rows: readonly Placed<BalanceReading>[]): Distinct<Placed<BalanceReading>> =>
  distinct(rows, { what: 'balance', id: ({ tradeDate }) => tradeDate, key: balanceKey, facts: ({ total, realized }) => ({ total, realized }), additions: ['currency'] })
