import { marketOf } from '#shared/market/micros.ts'
import type { Panel } from './panel.ts'

const sameDecisionMs = 30_000

/** The decisions behind the trades of a panel: entries of several accounts in one market, on one side, within 30 seconds are one decision. */
export type Decisions = {
  readonly count: number
  /** The decision of each trade; decisions are sorted by day and entry. */
  readonly of: Uint32Array
  /** The first trade of each decision, and its day. */
  readonly first: Uint32Array
  readonly day: Uint32Array
}

type Open = { readonly decision: number; readonly since: number; readonly accounts: number[] }

/** The decisions of a panel. An account takes part in a decision once: a second entry is another decision. */
export const decisionsOf = ({ size, trades, day, account, product, products }: Panel): Decisions => {
  const entries = Float64Array.from(trades, ({ entryTime }) => entryTime)
  // Sorts the accounts of a day together by entry; ties keep the order of the panel.
  const order = new Uint32Array(size).map((_, index) => index).sort((one, other) => (day[one] ?? 0) - (day[other] ?? 0) || (entries[one] ?? 0) - (entries[other] ?? 0) || one - other)
  const markets = products.map(marketOf)
  const places = markets.map((market) => markets.indexOf(market))
  const decisions = { of: new Uint32Array(size), first: new Uint32Array(size), day: new Uint32Array(size) }
  const open = new Map<number, Open>()
  let count = 0
  for (const index of order) {
    const entry = entries[index] ?? 0
    const key = ((day[index] ?? 0) * places.length + (places[product[index] ?? 0] ?? 0)) * 2 + (trades[index]?.side === 'long' ? 1 : 0)
    const own = account[index] ?? 0
    const last = open.get(key)
    if (last !== undefined && entry - last.since <= sameDecisionMs && !last.accounts.includes(own)) {
      last.accounts.push(own)
      decisions.of[index] = last.decision
    } else {
      open.set(key, { decision: count, since: entry, accounts: [own] })
      decisions.of[index] = count
      decisions.first[count] = index
      decisions.day[count] = day[index] ?? 0
      count += 1
    }
  }
  return { count, of: decisions.of, first: decisions.first.slice(0, count), day: decisions.day.slice(0, count) }
}

/** The mean of each decision's trades. */
export const perDecision = ({ count, of }: Decisions, values: Float64Array): Float64Array => {
  const [sums, trades] = [new Float64Array(count), new Float64Array(count)]
  for (const [index, decision] of of.entries()) {
    sums[decision] = (sums[decision] ?? 0) + (values[index] ?? 0)
    trades[decision] = (trades[decision] ?? 0) + 1
  }
  return sums.map((sum, decision) => sum / (trades[decision] ?? 1))
}
