import { expect } from 'vitest'
import { bookedDay } from '#shared/fills/booked-day.ts'
import type { FillPair } from '#shared/pnl/fill-pair.ts'
import type { Imported } from '#tests/helpers/exports/import-files.ts'
import { placeOf, type Truth } from '#tests/helpers/exports/truth.ts'
import type { TrueFill, World } from '#tests/helpers/exports/world.ts'

const totals = (entries: readonly (readonly [string, bigint])[]): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const [key, value] of entries) sums.set(key, (sums.get(key) ?? 0n) + value)
  return new Map([...sums].filter(([, value]) => value !== 0n).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const plainAccount = (key: string): string => key.replace(/^file:/, '')
const placeOfPair = ({ opening }: FillPair): string => `${plainAccount(opening.account)} ${opening.contract}`
const feeOf = ({ fees }: TrueFill): bigint => fees.reduce((sum, [, cents]) => sum + cents, 0n) * 100n
const good = ({ fills }: World): readonly TrueFill[] => fills.filter(({ busted }) => !busted)

/** Every pair that the engine derives is the truth's: by account and ids of both fills, with quantity and gross to the 1/10,000, on the session that the broker books. */
export const expectTruePairs = ({ pairs }: Imported, truth: Truth, idOf: (fill: TrueFill) => string = ({ id }) => id): void => {
  const derived = pairs.map((pair) => {
    const [buy, sell] = pair.opening.side === 'buy' ? [pair.opening, pair.closing] : [pair.closing, pair.opening]
    return `${placeOfPair(pair)} ${buy.id} ${sell.id}: ${String(pair.qty)} for ${String(pair.grossPnl)}`
  })
  const known = truth.pairs.map((pair) => `${placeOf(pair)} ${idOf(pair.buy)} ${idOf(pair.sell)}: ${String(pair.qty)} for ${String(pair.units)}`)
  expect(derived.sort()).toEqual(known.sort())
}

/** As many trades as the truth has. */
export const expectTrueTrades = ({ trades }: Imported, truth: Truth): void => {
  expect(trades.length).toBe(truth.trades)
}

/** Gross a day and account, in 1/10,000, on the session of the closing fill as the broker books it. */
export const expectTrueDays = ({ pairs }: Imported, truth: Truth): void => {
  const derived = totals(pairs.map((pair) => [`${plainAccount(pair.opening.account)} ${bookedDay({ tradeDate: null, ...pair.closing })}`, BigInt(pair.grossPnl)]))
  expect(derived).toEqual(totals(truth.pairs.map(({ account, bookedOn, units }) => [`${account.name} ${bookedOn}`, units])))
}

/** The fees that fills carry, by account, contract and the broker's day: what was charged, no cent lost or doubled. */
export const expectTrueFees = ({ assembly }: Imported, world: World): void => {
  const fees = totals(assembly.fills.filter(({ active }) => active).map((fill) => [`${plainAccount(fill.account)} ${fill.contract} ${bookedDay(fill)}`, BigInt(fill.fee ?? 0)]))
  expect(fees).toEqual(totals(good(world).map((fill) => [`${placeOf(fill)} ${fill.bookedOn}`, feeOf(fill)])))
}

/** Of each pair the fees that its contracts bear: the share of both fills, at most 1/10,000 a fill beside the even one. */
export const expectTrueCommissions = ({ pairs }: Imported, truth: Truth): void => {
  const known = new Map(truth.pairs.map((pair) => [`${placeOf(pair)} ${pair.buy.id} ${pair.sell.id}`, pair]))
  for (const pair of pairs) {
    const [buy, sell] = pair.opening.side === 'buy' ? [pair.opening, pair.closing] : [pair.closing, pair.opening]
    const own = known.get(`${placeOfPair(pair)} ${buy.id} ${sell.id}`)
    if (own === undefined) throw new Error('A pair that never was')
    const even = (Number(feeOf(own.buy)) * own.qty) / own.buy.qty + (Number(feeOf(own.sell)) * own.qty) / own.sell.qty
    expect(Math.abs(pair.commission - even)).toBeLessThan(2.001)
  }
}

/** Gross by account and contract, where nothing is left open: there it does not matter which of two prices an order's parts had. */
export const expectTrueTotals = ({ pairs }: Imported, truth: Truth): void => {
  const open = new Set(truth.open.map(placeOf))
  const derived = totals(pairs.map((pair) => [placeOfPair(pair), BigInt(pair.grossPnl)]))
  const known = totals(truth.pairs.map((pair) => [placeOf(pair), pair.units]))
  const closed = (sums: ReadonlyMap<string, bigint>) => [...sums].filter(([place]) => !open.has(place))
  expect(closed(derived)).toEqual(closed(known))
}
