import { bookedOn } from '#tests/helpers/exports/clock.ts'
import type { Product } from '#tests/helpers/exports/products.ts'
import type { Market } from './market.ts'
import { fine, firstInFirstOut, inOrder, type Fact, type OraclePair } from './oracle.ts'
import { namesGone, pairedNames, saidBy, secondOf, type Said } from './rows.ts'
import type { Draft } from './writers.ts'

type StatedFact = Fact & { readonly product: Product }

/** What is true of an account: its pairs first in, first out. */
export type Truth = { readonly account: string; readonly pairs: readonly OraclePair<StatedFact>[]; /** What was charged on each session in each currency, as `chargedOn` names them; null where files of fills say whose fee each is. */ readonly charged: ReadonlyMap<string, bigint> | null }

/** A session in one currency. */
const chargedOn = (day: string, currency: string): string => `${day} ${currency}`

/** What may be right of each account: what really happened, and what the files say where nothing in them contradicts it. */
export const truthsOf = (files: readonly Draft[], market: Market, givenZone: string): ReadonlyMap<string, readonly Truth[]> => {
  const isOneAccount = pairedNames(files)
  const readings = files.flatMap((file) => saidBy(file, market, givenZone, isOneAccount) ?? [])
  const names = new Set([...market.accounts.map(({ name }) => name), ...readings.map(({ account }) => account)])
  const gone = namesGone(files)
  const gaps = daysAgainst(only(readings, 'trade'))
  return new Map(
    [...names].map((name) => {
      const own = readings.filter(({ account }) => account === name)
      const fills = market.fills.filter(({ account }) => account === name)
      // Files of pairs do not say how much of a fill was closed: its whole fee may be on the session on which it was charged.
      const charged = own.some(({ says }) => says === 'fill' || says === 'trade') ? null : new Map([...Map.groupBy(fills, ({ day, product }) => chargedOn(day, product.currency))].map(([key, rows]) => [key, total(rows.map(({ fee }) => fee * fine))] as const))
      const real: Truth = { account: name, pairs: market.pairs.filter(({ close }) => close.account === name), charged }
      const stated = statedOf(name, own, real, gaps)
      // Whoever reads files in which another name stands everywhere cannot know of this one.
      const nobody: readonly Truth[] = gone.has(name) ? [{ account: name, pairs: [], charged: null }] : []
      return [name, [real, ...(stated === null ? [] : [stated]), ...nobody]] as const
    }),
  )
}

type Of<S extends Said['says']> = Extract<Said, { says: S }>
const only = <S extends Said['says']>(said: readonly Said[], says: S): readonly Of<S>[] => said.filter((one): one is Of<S> => one.says === says)

/** What files say of one account; null where they contradict each other. */
const statedOf = (account: string, said: readonly Said[], real: Truth, gaps: ReturnType<typeof daysAgainst>): Truth | null => {
  const { charged } = real
  if (said.some(({ says }) => says === 'trade')) return tradesStated(account, only(said, 'trade'), real, gaps)
  const fills = new Map<string, StatedFact & { readonly orderId: string; readonly netAfter: number | null }>()
  const isMixed = new Set(only(said, 'fill').map(({ from }) => from)).size > 1
  if (isMixed) return null
  for (const { id, product, time, side, qty, ticks, fee, day, orderId, netAfter } of only(said, 'fill')) {
    const fact = { id, account, contract: product.contract, product, time, side, qty, sum: ticks * qty, tickValue: product.tickValue, fee, day, orderId, netAfter }
    const known = fills.get(id)
    if (known !== undefined && textOf(known) !== textOf(fact)) return null
    fills.set(id, fact)
  }
  const pairs = new Map(only(said, 'pair').map((pair) => [`${pair.buyId} ${pair.sellId}`, pair] as const))
  if (only(said, 'pair').some((pair) => textOf({ ...pairs.get(`${pair.buyId} ${pair.sellId}`), day: null }) !== textOf({ ...pair, day: null }))) return null
  const sides = [...pairs.values()].flatMap(({ product, buyId, sellId, qty, buyTicks, sellTicks, buyTime, sellTime }) => [
    { id: buyId, side: 'buy' as const, product, qty, ticks: buyTicks, time: buyTime },
    { id: sellId, side: 'sell' as const, product, qty, ticks: sellTicks, time: sellTime },
  ])
  for (const [id, parts] of Map.groupBy(sides, (part) => part.id)) {
    const [first] = parts
    if (first === undefined || new Set(parts.map(({ side, product, ticks, time }) => textOf([side, product.contract, ticks, time]))).size > 1) return null
    const qty = parts.reduce((sum, part) => sum + part.qty, 0)
    const known = fills.get(id)
    if (known !== undefined && (known.side !== first.side || known.contract !== first.product.contract || known.sum !== first.ticks * known.qty || known.qty < qty || secondOf(known.time) !== first.time)) return null
    if (known === undefined) fills.set(id, { id, account, contract: first.product.contract, product: first.product, time: first.time, side: first.side, qty, sum: first.ticks * qty, tickValue: first.product.tickValue, fee: 0n, day: bookedOn(first.time), orderId: '', netAfter: null })
  }
  if (!addOrders(account, only(said, 'order'), pairs.size > 0, fills)) return null
  const ordered = inOrder([...fills.values()])
  const matched = firstInFirstOut(ordered).pairs
  const known = new Set(matched.map(({ open, close, qty }) => pairKey(open, close, qty)))
  for (const { buyId, sellId, qty } of pairs.values()) if (!known.has([buyId, sellId].sort().join() + String(qty))) return null
  if (!positionsFit(ordered)) return pairs.size > 0 || said.some(({ says }) => says === 'cash' || says === 'balance') ? null : resumed(account, ordered, real)
  const against = booksAgainst(only(said, 'cash'), only(said, 'balance'), matched, ordered)
  // What the books contradict is what really happened; on all other days nothing speaks against what the rows say.
  return against === null ? null : { account, charged, pairs: [...real.pairs.filter(({ close }) => against.has(close.day)), ...matched.filter(({ close }) => !against.has(close.day))] }
}

/** What closed trades say: each stands for itself, and equal ones of one file add up. What rows or files differ on is what really happened. */
const tradesStated = (account: string, trades: readonly Of<'trade'>[], real: Truth, gaps: ReturnType<typeof daysAgainst>): Truth => {
  const unsure = new Set<string>()
  const isAgainst = (day: string): boolean => unsure.has(day) || gaps.some(([first, last]) => first <= day && day <= last)
  const pairs: OraclePair<StatedFact>[] = []
  for (const rows of Map.groupBy(trades, ({ key }) => key).values()) {
    const files = [...Map.groupBy(rows, ({ file }) => file).values()].map((own) => {
      // Under one number or id a row is there twice; without any it is another trade.
      const distinct = own.filter((row, index) => (row.fees !== null && row.number === null && !row.keyless ? index === 0 : row.number === null || own.findIndex(({ number }) => number === row.number) === index))
      return distinct.map((row) => pairOfTrade(account, row))
    })
    const texts = files.map((own) => textOf([own.reduce((sum, { qty }) => sum + qty, 0), own.map(({ close }) => [close.contract, close.time, close.sum / close.qty]).at(0), own.reduce((sum, { fees }) => sum + fees, 0n)]))
    const isById = rows.every(({ number, fees, keyless }) => number === null && fees !== null && !keyless)
    if (new Set(texts).size > 1 || (isById && new Set(rows.map((row) => textOf({ ...row, file: '' }))).size > 1)) for (const { day } of rows) unsure.add(day)
    pairs.push(...(files[0] ?? []))
  }
  return { account, charged: null, pairs: [...real.pairs.filter(({ close }) => isAgainst(close.day)), ...pairs.filter(({ close }) => !isAgainst(close.day))] }
}

/** The days, from first to last, of which the numbers and sums of a file show that rows are missing or wrong. */
const daysAgainst = (trades: readonly Of<'trade'>[]): readonly (readonly [first: string, last: string])[] =>
  [...Map.groupBy(trades.filter(({ number }) => number !== null), ({ file }) => file).values()].flatMap((rows) => {
    const inOrder = [...Map.groupBy(rows, ({ number }) => Number(number))].sort(([one], [other]) => one - other)
    return inOrder.flatMap(([number, own], index) => {
      const [row, before] = [own[0], inOrder[index - 1]?.[1][0]]
      if (row === undefined || (number !== 1 && inOrder[index - 1]?.[0] !== number - 1)) return [[before === undefined ? '' : bookedOn(before.entryTime), row?.day ?? ''] as const]
      const follows = row.total !== null && row.total - (before?.total ?? 0n) === row.net && new Set(own.map((one) => textOf(one))).size === 1
      return follows ? [] : [[bookedOn(row.entryTime), row.day] as const]
    })
  })

const pairOfTrade = (account: string, { key, product, direction, qty, entryTicks, exitTicks, entryTime, exitTime, gross, fees, day }: Of<'trade'>): OraclePair<StatedFact> => {
  const fact = (id: string, time: number, side: 'buy' | 'sell', ticks: number, fee: bigint): StatedFact => ({ id: `${key} ${id}`, account, contract: product.contract, product, time, side, qty, sum: ticks * qty, tickValue: product.tickValue, fee, day: bookedOn(time) })
  const [opens, closes] = direction === 'long' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const)
  return { open: fact('in', entryTime, opens, entryTicks, 0n), close: { ...fact('out', exitTime, closes, exitTicks, fees ?? 0n), day }, qty, gross: gross * fine, fees: (fees ?? 0n) * fine, trade: 0 }
}

/** What the positions of a grid contradict is what really happened, up to the session in which the last contract so contradicted is flat again by its own position; from the next on nothing speaks against what the rows say. Null where one is never flat again. */
const resumed = (account: string, ordered: readonly (StatedFact & { readonly netAfter: number | null })[], { pairs, charged }: Truth): Truth | null => {
  let until = ''
  const after = new Set(ordered)
  for (const stream of Map.groupBy(ordered, ({ contract }) => contract).values()) {
    const jump = stream.findLastIndex((fill, index) => {
      const before = index === 0 ? 0 : stream[index - 1]?.netAfter
      return fill.netAfter !== null && (before === null || before === undefined || before + (fill.side === 'buy' ? fill.qty : -fill.qty) !== fill.netAfter)
    })
    if (jump < 0) continue
    const flat = stream.findIndex(({ netAfter }, index) => index >= jump && netAfter === 0)
    if (flat < 0) return null
    for (const fill of stream.slice(0, flat + 1)) {
      after.delete(fill)
      if (fill.day > until) until = fill.day
    }
  }
  const later = firstInFirstOut(ordered.filter((fill) => after.has(fill))).pairs.filter(({ close }) => close.day > until)
  return { account, charged, pairs: [...pairs.filter(({ close }) => close.day <= until), ...later] }
}

const textOf = (value: unknown): string => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
const pairKey = (open: Fact, close: Fact, qty: number): string => [open.id, close.id].sort().join() + String(qty)

/** Orders whose fills are in no file count as fills; false where they contradict the fills, or are beside pairs, which name no orders. */
const addOrders = (account: string, orders: readonly Of<'order'>[], hasPairs: boolean, fills: Map<string, StatedFact & { readonly orderId: string; readonly netAfter: number | null }>): boolean => {
  const seen = new Map<string, string>()
  for (const { id, product, time, side, qty, sum } of orders) {
    const text = textOf([product.contract, time, side, qty, sum])
    if (seen.has(id) && seen.get(id) !== text) return false
    seen.set(id, text)
    const own = [...fills.values()].filter(({ orderId }) => orderId === id)
    if (own.length > 0) {
      if (own.reduce((all, fill) => all + fill.qty, 0) !== qty || own.reduce((all, fill) => all + fill.sum, 0) !== sum || own.some((fill) => fill.side !== side)) return false
      continue
    }
    if (hasPairs || [...fills.values()].some(({ netAfter }) => netAfter !== null)) return false
    fills.set(`order ${id}`, { id, account, contract: product.contract, product, time, side, qty, sum, tickValue: product.tickValue, fee: 0n, day: bookedOn(time), orderId: id, netAfter: null })
  }
  return true
}

const positionsFit = (ordered: readonly (Fact & { readonly netAfter: number | null })[]): boolean => {
  const held = new Map<string, number>()
  for (const { contract, side, qty, netAfter } of ordered) {
    if (netAfter === null) continue
    if ((held.get(contract) ?? 0) + (side === 'buy' ? qty : -qty) !== netAfter) return false
    held.set(contract, netAfter)
  }
  return true
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** The days on which the broker's books have other figures; null where its rows do not follow from one another. */
const booksAgainst = (cash: readonly Of<'cash'>[], balances: readonly Of<'balance'>[], pairs: readonly OraclePair<StatedFact>[], fills: readonly StatedFact[]): ReadonlySet<string> | null => {
  const against = new Set<string>()
  const rows = [...new Map(cash.map((row) => [row.id, row])).values()].sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
  if (cash.some((row) => textOf(row) !== textOf(rows.find(({ id }) => id === row.id)))) return null
  if (rows.some(({ amount, delta }, index) => index > 0 && amount - delta !== rows[index - 1]?.amount)) return null
  const closedOn = (day: string) => pairs.filter(({ close }) => close.day === day)
  for (const day of new Set(rows.map((row) => row.day))) {
    const booked = total(rows.filter((row) => row.day === day && row.type === 'Trade Paired').map(({ delta }) => delta))
    if (booked * fine !== total(closedOn(day).map(({ gross }) => gross))) against.add(day)
  }
  for (const { day, realized } of balances) {
    const gross = total(closedOn(day).map((pair) => pair.gross))
    const [borne, charged] = [total(closedOn(day).map(({ fees }) => fees)), total(fills.filter((fill) => fill.day === day).map(({ fee }) => fee * fine))]
    const near = (net: bigint): boolean => net - realized * fine < 100n * fine && realized * fine - net < 100n * fine
    if (!near(gross - borne) && !near(gross - charged)) against.add(day)
  }
  return against
}
