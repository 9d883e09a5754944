import { compareText, keyOf, type Placed } from './assembly.ts'
import { wholeIdOf } from './fill-ids.ts'
import type { BalanceReading, CashReading, FillReading, OrderReading, PairReading } from './reading.ts'

/** A thing that files tell differently, by the broker's id or the session, and the files that do. */
export type ToldApart = { readonly what: 'fill' | 'order' | 'pair' | 'cash' | 'balance'; readonly id: string; readonly files: readonly string[] }

/** Each thing once, whatever number of files tell of it; `contradicted` names those that they tell differently. */
export type Distinct<R> = { readonly rows: ReadonlyMap<string, R>; readonly contradicted: ReadonlySet<string>; readonly apart: readonly ToldApart[]; /** Those that are charged differently by them. */ readonly chargedApart: ReadonlySet<string> }

/** How readings of one thing become one: what must be the same in all of them, which of two wins where it is not, and what one may add to the other. */
type Telling<R> = {
  readonly what: ToldApart['what']
  readonly id: (row: R) => string
  readonly key: (row: R) => string
  readonly facts: (row: R) => readonly (string | number | boolean)[]
  /** Below zero where the first wins; what is told at a later state of the thing contradicts nothing. */
  readonly later?: (one: R, other: R) => number
  /** Of two that tell the same below zero where the first tells it more exactly. */
  readonly finer?: (one: R, other: R) => number
  readonly additions: readonly (keyof R)[]
  readonly fee?: (row: R) => number | null
}

const distinct = <R extends { readonly file?: string }>(rows: Iterable<R>, { what, id, key, facts, later, finer, additions, fee }: Telling<R>): Distinct<R> => {
  const known = new Map<string, R>()
  const contradicted = new Set<string>()
  const chargedApart = new Set<string>()
  const files = new Map<string, Set<string>>()
  for (const row of rows) {
    const name = key(row)
    const before = known.get(name)
    if (before === undefined) {
      known.set(name, row)
      continue
    }
    const [charged, alsoCharged] = fee === undefined ? [null, null] : [fee(before), fee(row)]
    if (charged !== null && alsoCharged !== null && charged !== alsoCharged) chargedApart.add(name)
    const byState = later?.(before, row) ?? 0
    const [one, other] = [keyOf(...facts(before).map(String)), keyOf(...facts(row).map(String))]
    if (byState === 0 && one !== other) {
      contradicted.add(name)
      files.set(name, (files.get(name) ?? new Set()).add(before.file ?? '').add(row.file ?? ''))
    }
    // What earlier states told of it does not count any more.
    if (byState > 0) contradicted.delete(name)
    const isFirst = one < other || (one === other && (finer?.(before, row) ?? 0) <= 0)
    const [winner, loser] = byState < 0 || (byState === 0 && isFirst) ? [before, row] : [row, before]
    known.set(name, additions.some((field) => winner[field] !== loser[field]) ? withAdditions(winner, loser, additions) : winner)
  }
  const apart = [...contradicted].sort().flatMap((name): ToldApart[] => {
    const row = known.get(name)
    return row === undefined ? [] : [{ what, id: id(row), files: [...(files.get(name) ?? [])].sort() }]
  })
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

/** Each execution once; one that any file calls busted is. */
export const distinctFills = (rows: Iterable<Placed<FillReading>>): Distinct<Placed<FillReading>> =>
  distinct(rows, {
    ...{ what: 'fill', id: ({ fillId }) => fillId },
    key: fillKey,
    // Some kinds of files know whole seconds alone.
    facts: ({ contract, side, qty, price, time }) => [contract, side, qty, price, Math.floor(time / 1000)],
    later: (one, other) => Number(one.active) - Number(other.active),
    finer: (one, other) => other.time - one.time,
    fee: ({ fee }) => fee,
    additions: ['fee', 'otherFees', 'feeFrom', 'orderId', 'tradeDate', 'netAfter', 'rank', 'row'],
  })

/** Each order once, as it was when most of it was filled. */
export const distinctOrders = (rows: Iterable<Placed<OrderReading>>): Distinct<Placed<OrderReading>> =>
  distinct(rows, {
    ...{ what: 'order', id: ({ orderId }) => orderId },
    key: orderKey,
    facts: ({ contract, side, priceSum, placedAt, filledAt }) => [contract, side, priceSum, placedAt, filledAt],
    later: (one, other) => other.qty - one.qty,
    additions: ['currency'],
  })

/** Each pair of the broker once: by account, buying and selling fill, whichever file names it. */
export const distinctPairs = (rows: Iterable<Placed<PairReading>>): Distinct<Placed<PairReading>> =>
  distinct(rows, {
    ...{ what: 'pair', id: ({ buy, sell }) => `${buy.fillId}/${sell.fillId}` },
    key: ({ account, buy, sell }) => pairKey(account, buy.fillId, sell.fillId),
    facts: ({ contract, qty, pnl, buy, sell }) => [contract, qty, pnl, buy.price, sell.price, buy.time, sell.time],
    additions: ['pairId', 'currency', 'tradeDate'],
  })

/** Each movement of cash once. One transaction may have several rows; what the account then held tells them apart. */
export const distinctCash = (rows: Iterable<Placed<CashReading>>): Distinct<Placed<CashReading>> =>
  distinct(rows, {
    ...{ what: 'cash', id: ({ transactionId }) => transactionId },
    key: ({ account, transactionId, delta, amount }) => keyOf(account, transactionId, delta, amount),
    facts: ({ tradeDate, time }) => [tradeDate, time],
    // A reading that was stored before types were kept may have another movement.
    later: (one, other) => Number(one.type === undefined) - Number(other.type === undefined),
    finer: (one, other) => compareText(one.file ?? '', other.file ?? ''),
    additions: ['currency', 'contract', 'transfer', 'type'],
  })

/** The name of a session's balance. */
export const balanceKey = ({ account, tradeDate }: Placed<BalanceReading>): string => keyOf(account, tradeDate)

/** One balance for each account and session. */
export const distinctBalances = (rows: Iterable<Placed<BalanceReading>>): Distinct<Placed<BalanceReading>> =>
  distinct(rows, { what: 'balance', id: ({ tradeDate }) => tradeDate, key: balanceKey, facts: ({ total, realized }) => [total, realized], additions: [] })
