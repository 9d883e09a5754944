import type { Contract, Fill } from './market.ts'

/** One pair as the definition has it: first in, first out, per account and contract. */
export type TruePair = {
  readonly account: number
  readonly contract: Contract
  readonly long: boolean
  readonly qty: number
  readonly entry: Fill
  readonly exit: Fill
  /** In 1/10,000 of the contract's currency. */
  readonly gross: number
}

const inOrder = (one: Fill, other: Fill): number => one.time - other.time || one.id - other.id

const queuesOf = (fills: readonly Fill[]): Fill[][] =>
  [...Map.groupBy(fills.filter((fill) => fill.active), (fill) => `${String(fill.account)} ${fill.contract.name}`).values()].map((own) => own.toSorted(inOrder))

type Lot = { readonly fill: Fill; left: number }

const matchQueue = (fills: readonly Fill[]): { pairs: TruePair[]; open: Lot[] } => {
  const pairs: TruePair[] = []
  let open: Lot[] = []
  for (const fill of fills) {
    let left = fill.qty
    while (left > 0 && open[0] !== undefined && open[0].fill.side !== fill.side) {
      const lot = open[0]
      const qty = Math.min(left, lot.left)
      const long = lot.fill.side === 'Buy'
      const ticks = (fill.ticks - lot.fill.ticks) * (long ? 1 : -1)
      pairs.push({ account: fill.account, contract: fill.contract, long, qty, entry: lot.fill, exit: fill, gross: ticks * qty * fill.contract.product.tickValue })
      left -= qty
      lot.left -= qty
      if (lot.left === 0) open = open.slice(1)
    }
    if (left > 0) open.push({ fill, left })
  }
  return { pairs, open }
}

/** All closed pairs of these fills. */
export const truePairs = (fills: readonly Fill[]): TruePair[] => queuesOf(fills).flatMap((own) => matchQueue(own).pairs)

/** What is still open, the oldest first. */
export const openLots = (fills: readonly Fill[]): { readonly fill: Fill; readonly left: number }[] => queuesOf(fills).flatMap((own) => matchQueue(own).open)

/** Signed contracts of some fills, busted ones left out. */
export const netOf = (fills: readonly Fill[]): number => fills.reduce((sum, { active, side, qty }) => sum + (active ? (side === 'Buy' ? qty : -qty) : 0), 0)

/** The share of a pair in the fees of its two fills, in cents; `feeOf` says what a fill costs. */
export const feesOf = ({ entry, exit, qty }: TruePair, feeOf: (fill: Fill) => number): number => (feeOf(entry) * qty) / entry.qty + (feeOf(exit) * qty) / exit.qty

/** Cents of a sum in 1/10,000, half away from zero. */
export const centsOf = (units: number): number => Math.sign(units) * Math.round(Math.abs(units) / 100)

/** Gross of one account, session and currency in cents, on the session of each pair's exit; each pair is rounded to cents, as the broker books it. */
export const dayGross = (fills: readonly Fill[], account: number, day: string, currency: string): number =>
  truePairs(fills.filter((fill) => fill.account === account && fill.contract.product.currency === currency)).filter(({ exit }) => exit.day === day).reduce((sum, { gross }) => sum + centsOf(gross), 0)
