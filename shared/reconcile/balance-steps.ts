import type { Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { sumOf, type AccountDay, type AccountDays } from './account-days.ts'

/** The rows of a day's cash in the currency of the balances; null where the Cash History does not have the whole day. */
export type RowsOf = (tradingDay: string) => readonly Placed<CashReading>[] | null

/**
 * Holds each total of an account against the one before it: what lies between them must be the cash that was booked on
 * the days between, or where no file has that, what Fillbook's trades made. Gives what is left, for each of these days.
 * A span with trades or cash in other currencies is left out.
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

/** What moved the balance on a day, the fees of fills counted where they were charged, or with the closing. */
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

// A fee that falls to two days may be split within a cent.
const cent = 100

const leftOf = (change: number, days: readonly Moved[]): number => {
  const charged = change - days.reduce((sum, day) => sum + day.charged, 0)
  const closed = change - days.reduce((sum, day) => sum + day.closed, 0)
  return Math.abs(charged) < cent || Math.abs(closed) < cent ? 0 : charged
}
