import { marketOf } from '#shared/market/micros.ts'
import type { Held, NowFacts } from './day-facts.ts'

/** Contracts that other accounts hold against an account: opposite side, same market, micros and minis alike. */
export const heldAgainst = (positions: readonly Held[], others: NowFacts['others']): number => {
  const sides = new Set(positions.filter(({ net }) => net !== 0).map(({ product, net }) => sideOf(product, net)))
  return others.reduce((sum, { product, net }) => (net !== 0 && sides.has(sideOf(product, 0 - net)) ? sum + Math.abs(net) : sum), 0)
}

const sideOf = (product: string, net: number): string => `${marketOf(product)} ${net > 0 ? 'long' : 'short'}`
