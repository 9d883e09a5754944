import { compareText, keyOf, type Placed } from './assembly.ts'
import { wholeIdOf } from './fill-ids.ts'
import type { BalanceReading, CashReading, FillReading, OrderReading, PairReading, RowPlace } from './reading.ts'

/** What rows can say differently of one thing. */
export const factNames = ['fill-id', 'contract', 'side', 'quantity', 'price', 'time', 'placed-time', 'fill-time', 'pnl', 'buy-price', 'sell-price', 'bought-time', 'sold-time', 'date', 'total', 'realized'] as const
export type FactName = (typeof factNames)[number]

/** A thing that rows tell differently, by the broker's id or the session: what of it differs, and the rows that say so. */
export type ToldApart = { readonly what: 'fill' | 'order' | 'pair' | 'cash' | 'balance'; readonly id: string; readonly differs: readonly FactName[]; readonly at: readonly RowPlace[] }

/** Each thing once, whatever number of files tell of it; `contradicted` names those that they tell differently. */
export type Distinct<R> = { readonly rows: ReadonlyMap<string, R>; readonly contradicted: ReadonlySet<string>; readonly apart: readonly ToldApart[]; /** Those that are charged differently by them, and the rows that do. */ readonly chargedApart: ReadonlyMap<string, readonly RowPlace[]> }

/** How readings of one thing become one: what must be the same in all of them, which of two wins where it is not, and what one may add to the other. */
type Telling<R> = {
  readonly what: ToldApart['what']
  readonly id: (row: R) => string
  readonly key: (row: R) => string
  readonly facts: (row: R) => Partial<Record<FactName, string | number>>
  /** Below zero where the first wins; what is told at a later state of the thing contradicts nothing. */
  readonly later?: (one: R, other: R) => number
  /** Of two that tell the same below zero where the first tells it more exactly. */
  readonly finer?: (one: R, other: R) => number
  readonly additions: readonly (keyof R)[]
  readonly fee?: (row: R) => number | null
}

/** Where a row stands. */
export const placeOf = ({ file = '', line }: { readonly file?: string; readonly line?: number }): RowPlace => ({ file, line: line ?? null })

/** So many rows are named of one thing: more of them nobody reads. */
export const mostPlaces = 20

const samePlace = (one: RowPlace, other: RowPlace): boolean => one.file === other.file && one.line === other.line

/** Rows in the order in which their user finds them, each once. */
export const placesInOrder = (places: readonly RowPlace[]): readonly RowPlace[] =>
  places.toSorted((one, other) => compareText(one.file, other.file) || (one.line ?? 0) - (other.line ?? 0)).filter((place, index, all) => index === 0 || !samePlace(place, all[index - 1] ?? place))

const distinct = <R extends { readonly file?: string; readonly line?: number }>(rows: readonly R[], { what, id, key, facts, later, finer, additions, fee }: Telling<R>): Distinct<R> => {
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
    // What earlier states told of it does not count any more.
    if (byState > 0) contradicted.delete(name)
    const isFirst = one < other || (one === other && (finer?.(before, row) ?? 0) <= 0)
    const [winner, loser] = byState < 0 || (byState === 0 && isFirst) ? [before, row] : [row, before]
    known.set(name, additions.some((field) => winner[field] !== loser[field]) ? withAdditions(winner, loser, additions) : winner)
  }
  const rowsOf = (names: ReadonlySet<string>): ReadonlyMap<string, readonly R[]> => (names.size === 0 ? new Map() : Map.groupBy(rows.filter((row) => names.has(key(row))), key))
  const apart = [...rowsOf(contradicted)].sort(([one], [other]) => compareText(one, other)).flatMap(([name, all]): ToldApart[] => {
    const winner = known.get(name)
    if (winner === undefined) return []
    const alike = all.filter((row) => (later?.(winner, row) ?? 0) === 0)
    const said = alike.map(facts)
    return [{ what, id: id(winner), differs: factNames.filter((fact) => new Set(said.map((one) => one[fact])).size > 1), at: placesInOrder(alike.map(placeOf)).slice(0, mostPlaces) }]
  })
  const chargedApart = new Map([...rowsOf(charged)].map(([name, all]) => [name, placesInOrder(all.filter((row) => fee?.(row) !== null).map(placeOf)).slice(0, mostPlaces)]))
  return { rows: known, contradicted, apart, chargedApart }
}

// Field by field, so that the outcome is the same in whatever order three or more of them come.
const withAdditions = <R extends object>(winner: R, loser: R, additions: readonly (keyof R)[]): R => {
  const merged = { ...winner }
  for (const field of additions) {
    const [one, other] = [winner[field], loser[field]]
    const isBetter = one === null || one === undefined || (other !== null && other !== undefined && other > one)
    merged[field] = isBetter ? other : one
  }
  return merged
}

/** One row of an account under its id. */
export const fillKey = ({ account, fillId }: { readonly account: string; readonly fillId: string }): string => keyOf(account, fillId)

/** One order of an account. */
export const orderKey = ({ account, orderId }: { readonly account: string; readonly orderId: string }): string => keyOf(account, orderId)

/** One pair of an account, by its buying and its selling fill. */
export const pairKey = (account: string, buyId: string, sellId: string): string => keyOf(account, buyId, sellId)

/** The fill of the broker that a row is a part of. Null for a fill of its own. */
export const wholeKey = ({ account, fillId }: { readonly account: string; readonly fillId: string }): string | null => {
  const whole = wholeIdOf(fillId)
  return whole === null ? null : fillKey({ account, fillId: whole })
}

/** Rows without those parts of fills that the broker itself tells whole, so that no fill counts twice. */
export const withoutToldParts = <R extends { readonly account: string; readonly fillId: string }>(rows: readonly R[]): readonly R[] => {
  const told = new Set(rows.map(fillKey))
  return rows.filter((row) => {
    const whole = wholeKey(row)
    return whole === null || !told.has(whole)
  })
}

/** The broker's fills of which a platform's parts, which `withoutToldParts` leaves out, say another contract, side, price, or quantity in all. */
export const partsApart = (rows: readonly Placed<FillReading>[]): Pick<Distinct<Placed<FillReading>>, 'contradicted' | 'apart'> => {
  const byWhole = Map.groupBy(rows.filter((row) => wholeKey(row) !== null), (row) => wholeKey(row) ?? '')
  const apart = new Map<string, ToldApart>()
  if (byWhole.size === 0) return { contradicted: new Set(), apart: [] }
  for (const row of rows) {
    const parts = byWhole.get(fillKey(row))
    if (parts === undefined) continue
    const qty = [...new Map(parts.map((part) => [part.fillId, part.qty])).values()].reduce((sum, one) => sum + one, 0)
    const differs = ([['contract', parts.some(({ contract }) => contract !== row.contract)], ['side', parts.some(({ side }) => side !== row.side)], ['quantity', qty !== row.qty], ['price', parts.some(({ price }) => price !== row.price)]] as const).flatMap(([fact, isOther]) => (isOther ? [fact] : []))
    if (differs.length > 0) apart.set(fillKey(row), { what: 'fill', id: row.fillId, differs, at: placesInOrder([row, ...parts].map(placeOf)).slice(0, mostPlaces) })
  }
  return { contradicted: new Set(apart.keys()), apart: [...apart.values()] }
}

/** Each execution once; one that any file calls busted is. */
export const distinctFills = (rows: readonly Placed<FillReading>[]): Distinct<Placed<FillReading>> =>
  distinct(rows, {
    ...{ what: 'fill', id: ({ fillId }) => fillId },
    key: fillKey,
    // Some kinds of files know whole seconds alone.
    facts: ({ contract, side, qty, price, time }) => ({ contract, side, quantity: qty, price, time: Math.floor(time / 1000) }),
    later: (one, other) => Number(one.active) - Number(other.active),
    finer: (one, other) => other.time - one.time,
    fee: ({ fee }) => fee,
    additions: ['fee', 'otherFees', 'feeFrom', 'orderId', 'tradeDate', 'netAfter', 'rank', 'row'],
  })

/** Each order once, as it was when most of it was filled. */
export const distinctOrders = (rows: readonly Placed<OrderReading>[]): Distinct<Placed<OrderReading>> =>
  distinct(rows, {
    ...{ what: 'order', id: ({ orderId }) => orderId },
    key: orderKey,
    facts: ({ contract, side, priceSum, placedAt, filledAt }) => ({ contract, side, price: priceSum, 'placed-time': placedAt, 'fill-time': filledAt }),
    later: (one, other) => other.qty - one.qty,
    additions: ['currency'],
  })

/** Each pair of the broker once: by account, buying and selling fill, whichever file names it. */
export const distinctPairs = (rows: readonly Placed<PairReading>[]): Distinct<Placed<PairReading>> =>
  distinct(rows, {
    ...{ what: 'pair', id: ({ buy, sell }) => `${buy.fillId}/${sell.fillId}` },
    key: ({ account, buy, sell }) => pairKey(account, buy.fillId, sell.fillId),
    facts: ({ contract, qty, pnl, buy, sell }) => ({ contract, quantity: qty, pnl, 'buy-price': buy.price, 'sell-price': sell.price, 'bought-time': buy.time, 'sold-time': sell.time }),
    additions: ['pairId', 'currency', 'tradeDate'],
  })

/** Each movement of cash once. One transaction may have several rows; what the account then held tells them apart. */
export const distinctCash = (rows: readonly Placed<CashReading>[]): Distinct<Placed<CashReading>> =>
  distinct(rows, {
    ...{ what: 'cash', id: ({ transactionId }) => transactionId },
    key: ({ account, transactionId, delta, amount }) => keyOf(account, transactionId, delta, amount),
    facts: ({ tradeDate, time }) => ({ date: tradeDate, time }),
    // A reading that was stored before types were kept may have another movement.
    later: (one, other) => Number(one.type === undefined) - Number(other.type === undefined),
    finer: (one, other) => compareText(one.file ?? '', other.file ?? ''),
    additions: ['currency', 'contract', 'transfer', 'type'],
  })

/** The name of a session's balance. */
export const balanceKey = ({ account, tradeDate }: Placed<BalanceReading>): string => keyOf(account, tradeDate)

/** One balance for each account and session. */
export const distinctBalances = (rows: readonly Placed<BalanceReading>[]): Distinct<Placed<BalanceReading>> =>
  distinct(rows, { what: 'balance', id: ({ tradeDate }) => tradeDate, key: balanceKey, facts: ({ total, realized }) => ({ total, realized }), additions: ['currency'] })
