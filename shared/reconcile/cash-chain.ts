import { compareNumbers } from '#shared/fills/order.ts'
import type { Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'

type CashRow = Placed<CashReading>

/** A Cash History row that does not start at the previous balance: rows are missing between, or one of the two is wrong. */
export type ChainBreak = {
  readonly transactionId: string
  /** The previous row. */
  readonly after: string
  /** UTC ms. */
  readonly time: number
  readonly tradingDay: string
  /** The broker's name of the row. */
  readonly type: string | null
  /** The balance after the previous row, and before this one. */
  readonly expected: Amount
  readonly found: Amount
}

/** The cash of one account, currency and trading day. */
export type CashDay = {
  /** In balance order. */
  readonly rows: readonly CashRow[]
  /** Before the first row, and after the last. */
  readonly start: Amount
  readonly end: Amount
  /** The first break within the day, otherwise the one to a neighboring day. */
  readonly broken: ChainBreak | null
  /** Rows are missing only within the day, so its start and end are known. */
  readonly isFramed: boolean
}

/** The cash of one account and currency, from its Cash History or, without balances, as the broker states it fill by fill; `covers`: whether it includes a session, even one without movements. */
export type CashChain = { readonly of: 'cash' | 'fills'; readonly days: ReadonlyMap<string, CashDay>; readonly covers: (tradingDay: string) => boolean }

/** An account's balance at the end of a session, if a file has it. */
export type TotalAt = (tradingDay: string) => Amount | null

/**
 * Chains the balance of one account and currency: each row starts at the previous balance. Rows of one second are ordered by their chain. A break
 * between two sessions puts both in doubt, unless the balance at the end of the earlier one proves it complete.
 */
export const cashChain = (cash: readonly CashRow[], endOf: TotalAt): CashChain => {
  const byDay = Map.groupBy(inOrder(cash), ({ tradeDate }) => tradeDate)
  const dates = [...byDay.keys()].sort()
  const between = new Map<string, ChainBreak>()
  const gaps: { readonly from: string; readonly to: string }[] = []
  dates.forEach((to, place) => {
    const from = dates[place - 1]
    const at = from === undefined ? null : breakBetween(byDay.get(from)?.at(-1), byDay.get(to)?.[0])
    if (from === undefined || at === null) return
    gaps.push({ from, to })
    if (endOf(from) !== at.expected && !between.has(from)) between.set(from, at)
    if (endOf(from) !== at.found) between.set(to, at)
  })
  const days = new Map([...byDay].map(([day, rows]) => [day, dayOf(rows, between.get(day) ?? null)]))
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  return { of: 'cash', days, covers: (day) => day >= first && day <= last && !gaps.some(({ from, to }) => day > from && day < to) }
}

/** What the broker states fill by fill: there is no balance, so nothing can break. */
export const statedChain = (bookings: readonly CashRow[]): CashChain => {
  const days = new Map([...Map.groupBy(bookings, ({ tradeDate }) => tradeDate)].map(([day, rows]) => [day, { rows, start: zero, end: zero, broken: null, isFramed: false }]))
  const dates = [...days.keys()].sort()
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  return { of: 'fills', days, covers: (day) => day >= first && day <= last }
}

const dayOf = (rows: readonly CashRow[], toNeighbor: ChainBreak | null): CashDay => {
  let broken: ChainBreak | null = null
  for (let place = 1; place < rows.length && broken === null; place += 1) broken = breakBetween(rows[place - 1], rows[place])
  return { rows, start: before(rows[0]), end: rows.at(-1)?.amount ?? zero, broken: broken ?? toNeighbor, isFramed: toNeighbor === null }
}

const before = (row: CashRow | undefined): Amount => amountOf(row === undefined ? 0 : row.amount - row.delta)

const breakBetween = (previous: CashRow | undefined, row: CashRow | undefined): ChainBreak | null => {
  if (previous === undefined || row === undefined || before(row) === previous.amount) return null
  const { transactionId, time, tradeDate, type } = row
  return { transactionId, after: previous.transactionId, time, tradingDay: tradeDate, type: type ?? null, expected: previous.amount, found: before(row) }
}

const secondOf = ({ time }: CashRow): number => Math.floor(time / 1000)

/** Sorted by second, and within it chained as far as possible. */
const inOrder = (cash: readonly CashRow[]): readonly CashRow[] => {
  const sorted = isSorted(cash) ? cash : cash.toSorted((one, other) => secondOf(one) - secondOf(other) || compareNumbers(one.transactionId, other.transactionId))
  const rows: CashRow[] = []
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] as CashRow
    let to = from + 1
    let follows = rows.length === 0 || before(first) === rows.at(-1)?.amount
    for (let last = first, next = sorted[to]; next !== undefined && secondOf(next) === secondOf(first); next = sorted[to]) {
      follows &&= before(next) === last.amount
      last = next
      to += 1
    }
    const group = sorted.slice(from, to)
    for (const row of follows || group.length === 1 ? group : linked(group, rows.at(-1)?.amount ?? null)) rows.push(row)
    from = to
  }
  return rows
}

const isSorted = (rows: readonly CashRow[]): boolean => rows.every((row, place) => place === 0 || secondOf(rows[place - 1] as CashRow) <= secondOf(row))

/** Rows of one second as an Eulerian path over balances (Hierholzer), from `start` if a row leaves it; unreachable rows come last. */
const linked = (rows: readonly CashRow[], start: Amount | null): readonly CashRow[] => {
  const leaving = Map.groupBy(rows.toReversed(), before)
  const arriving = new Set(rows.map(({ amount }) => amount))
  const walk: CashRow[] = []
  const beginnings = [...rows.filter((row) => !arriving.has(before(row))), ...rows].map(before)
  for (const from of start === null ? beginnings : [start, ...beginnings]) for (const row of walkFrom(from, leaving)) walk.push(row)
  return walk
}

const walkFrom = (start: Amount, leaving: ReadonlyMap<Amount, CashRow[]>): readonly CashRow[] => {
  const walk: CashRow[] = []
  const under: CashRow[] = []
  for (let at: CashRow | undefined = leaving.get(start)?.pop(); at !== undefined; ) {
    under.push(at)
    at = leaving.get(at.amount)?.pop()
    while (at === undefined && under.length > 0) {
      const done = under.pop() as CashRow
      walk.push(done)
      at = leaving.get(under.at(-1)?.amount ?? start)?.pop()
    }
  }
  return walk.reverse()
}
