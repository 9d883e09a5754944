import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { ComparisonAnswer } from '#shared/api/comparison.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { addAmounts, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { judgeSides } from '#shared/stats/findings/side-by-side.ts'
import { filterOfSide, type SideKind } from '#shared/stats/sides.ts'
import { eachCells, type Reader } from '../db/database.ts'
import { conditionOf, rowOf, rowsMeeting, type OfFilter } from './filtered-rows.ts'

type Days = Map<string, { net: Amount; count: number }>

/** How the sides of a comparison compare with the first one, in each currency of any of them. */
export const comparison = (reader: Reader, { userId, unit, filter, kind, sides }: OfFilter & { readonly unit: Unit; readonly kind: SideKind; readonly sides: readonly string[] }): ComparisonAnswer => {
  const days = sides.map((side) => daysOf(reader, userId, unit, filterOfSide(filter, kind, side)))
  const currencies = [...new Set(days.flatMap((own) => [...own.keys()]))].sort()
  const judged = judgeSides(currencies.map((currency) => days.map((own) => own.get(currency) ?? new Map())))
  return { unit, money: currencies.map((currency, at) => ({ currency, sides: [...(judged[at] ?? [])] })) }
}

const daysOf = (reader: Reader, userId: string, unit: Unit, filter: TradeFilter | null): ReadonlyMap<Currency, Days> => {
  const found = new Map<Currency, Days>()
  if (filter === null) return found
  const row = rowOf[unit]
  const results = reader.orm.select({ currency: row.currency, tradingDay: row.tradingDay, net: row.net }).from(row).where(conditionOf(rowsMeeting(reader, userId, unit, filter)))
  for (const [currency, tradingDay, net] of eachCells<[Currency, string, Amount]>(reader, results)) {
    const day = getOrInsert(getOrInsert(found, currency, () => new Map()), tradingDay, () => ({ net: zero, count: 0 }))
    day.net = addAmounts(day.net, net)
    day.count += 1
  }
  return found
}
