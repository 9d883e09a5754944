import type { Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { sumOf, type AccountDay, type AccountDays } from './account-days.ts'

/** A day's cash rows in the balances' currency; null if the Cash History does not cover the whole day. */
export type RowsOf = (tradingDay: string) => readonly Placed<CashReading>[] | null

/**
 * Checks each account balance against the previous one: the difference must be the cash booked between them, or, if no file has that, the result of
 * Fillbook's trades. Returns the unexplained rest for each of these days. A span with trades or cash in other currencies is skipped.
 */
export const unexplainedByDay = ({ days, chains, base }: AccountDays, rowsOf: RowsOf): ReadonlyMap<string, Amount> => {
  const unexplained = new Map<string, Amount>()
  if (base === null) return unexplained
  const others = [...chains].flatMap(([currency, chain]) => (currency === base ? [] : [chain]))
  const span: AccountDay[] = []
  let total: number | null = null
  for (const day of [...days.values()].sort((one, other) => (one.tradingDay < other.tradingDay ? -1 : 1))) {
    span.push(day)
    const { balance } = day
    if (balance === null || balance.contradicted) continue
    const isOfOne = span.every(({ tradingDay, own }) => [...own.keys()].every((currency) => currency === base) && others.every((chain) => !chain.days.has(tradingDay)))
    if (total !== null && isOfOne) {
      const left = leftOf(balance.total - total, span.map((each) => moved(each, base, rowsOf)))
      if (left !== 0) for (const { tradingDay } of span) unexplained.set(tradingDay, amountOf(left))
    }
    total = balance.total
    span.length = 0
  }
  return unexplained
}

/** A day's change of balance, with fees counted when charged or with the close. */
type Moved = { readonly charged: number; readonly closed: number }

const moved = ({ tradingDay, own }: AccountDay, base: NonNullable<AccountDays['base']>, rowsOf: RowsOf): Moved => {
  const rows = rowsOf(tradingDay)
  if (rows !== null) {
    const booked = sumOf(rows, ({ delta }) => delta)
    return { charged: booked, closed: booked }
  }
  const side = own.get(base)
  if (side === undefined) return { charged: 0, closed: 0 }
  const gross = sumOf(side.closed, (pair) => pair.gross)
  return { charged: gross - sumOf(side.fees, ({ fee }) => fee), closed: gross - sumOf(side.closed, ({ fees }) => fees) }
}

// A fee split over two days may be off by less than a cent.
const cent = 100

const leftOf = (change: number, days: readonly Moved[]): number => {
  const charged = change - days.reduce((sum, day) => sum + day.charged, 0)
  const closed = change - days.reduce((sum, day) => sum + day.closed, 0)
  return Math.abs(charged) < cent || Math.abs(closed) < cent ? 0 : charged
}
