import type { RuleSet } from '#shared/api/rules.ts'
import { isMicro } from '#shared/market/micros.ts'
import type { Amount } from '#shared/money/money.ts'
import type { HeldContract, NearestCap, RuleTrade } from './day-facts.ts'

/** Contract caps in whole contracts, or in tenths if ten micros count as one. */
export type Caps = {
  readonly perContract: 1 | 10
  readonly all: number | null
  /** Ascending by profit. */
  readonly scaling: readonly { readonly from: Amount; readonly most: number }[]
  readonly byProduct: readonly { readonly product: string; readonly most: number }[]
}

/** Peak contracts held at once: in total and per capped product, in the caps' unit. */
export type HeldPeaks = { readonly all: number; readonly byProduct: readonly number[] }

/** Parses the caps of a rule set. */
export const capsOf = (rule: NonNullable<RuleSet['contracts']>, read: (text: string) => Amount): Caps => {
  const perContract = rule.micros === 'tenth' ? 10 : 1
  return {
    perContract,
    all: rule.all === null ? null : rule.all * perContract,
    scaling: rule.scaling.map(({ fromProfit, most }) => ({ from: read(fromProfit), most: most * perContract })).sort((one, other) => one.from - other.from),
    byProduct: rule.byProduct.map(({ product, most }) => ({ product, most: most * perContract })),
  }
}

/** The total cap at a profit over the starting balance: the last scaling step reached, or the lowest. */
const capAt = ({ all, scaling }: Caps, profit: number): number | null => {
  const [lowest] = scaling
  if (lowest === undefined) return all
  return scaling.findLast(({ from }) => from <= profit)?.most ?? lowest.most
}

/** The peaks of open positions. */
export const peaksOfPositions = (caps: Caps, positions: readonly HeldContract[]): HeldPeaks => {
  const counter = createCounter(caps)
  for (const { product, net } of positions) counter.add(product, Math.abs(net))
  return counter.peaks()
}

/** The peaks of a day's trades. At equal times exits count before entries. */
export const peaksOfTrades = (caps: Caps, trades: readonly RuleTrade[]): HeldPeaks => {
  const counter = createCounter(caps)
  const events = trades.flatMap(({ product, qty, entryAt, exitAt }) => [
    { at: entryAt, turn: 1, product, qty },
    // A trade opened and closed in the same millisecond was still held.
    { at: exitAt, turn: entryAt === exitAt ? 2 : 0, product, qty: 0 - qty },
  ])
  for (const { product, qty } of events.sort((one, other) => one.at - other.at || one.turn - other.turn)) counter.add(product, qty)
  return counter.peaks()
}

/** The cap with the least room, or exceeded most; null if none applies. Exactly the cap is allowed. */
export const nearestCap = (caps: Caps, profit: number, peaks: HeldPeaks): NearestCap => {
  const all = capAt(caps, profit)
  let nearest: NearestCap = all === null ? null : { limit: all, value: peaks.all }
  caps.byProduct.forEach(({ most }, index) => {
    const value = peaks.byProduct[index] ?? 0
    if (nearest === null || most - value < nearest.limit - nearest.value) nearest = { limit: most, value }
  })
  return nearest
}

const createCounter = (caps: Caps) => {
  const now = { all: 0, byProduct: caps.byProduct.map(() => 0) }
  const most = { all: 0, byProduct: caps.byProduct.map(() => 0) }
  return {
    add: (product: string, contracts: number): void => {
      const qty = contracts * (caps.perContract === 10 && isMicro(product) ? 1 : caps.perContract)
      now.all += qty
      most.all = Math.max(most.all, now.all)
      caps.byProduct.forEach((cap, index) => {
        if (cap.product !== product) return
        // A product's own cap is in contracts of that product.
        now.byProduct[index] = (now.byProduct[index] ?? 0) + contracts * caps.perContract
        most.byProduct[index] = Math.max(most.byProduct[index] ?? 0, now.byProduct[index] ?? 0)
      })
    },
    peaks: (): HeldPeaks => most,
  }
}
