/** One account's position in one market; `micros` are signed micro contracts. */
export type MarketHolding = { readonly account: string; readonly market: string; readonly micros: number }

/** The position of all accounts in one market, in signed micro contracts: `short` is zero or less. */
export type Exposure = { readonly market: string; readonly net: number; readonly long: number; readonly short: number; readonly accounts: number }

// Micros are whole, or fractions exact to three places.
const rounded = (micros: number): number => Math.round(micros * 1000) / 1000 + 0

/** Exposure by market, sorted by market. */
export const exposureOf = (holdings: readonly MarketHolding[]): Exposure[] =>
  [...Map.groupBy(holdings.filter(({ micros }) => micros !== 0), ({ market }) => market)]
    .map(([market, held]) => {
      const long = rounded(held.reduce((sum, { micros }) => sum + Math.max(0, micros), 0))
      const short = rounded(held.reduce((sum, { micros }) => sum + Math.min(0, micros), 0))
      return { market, net: rounded(long + short), long, short, accounts: new Set(held.map(({ account }) => account)).size }
    })
    .toSorted((one, other) => (one.market < other.market ? -1 : 1))

/** For each holding, the other accounts on the opposite side of its market, each once. */
export const againstOf = (holdings: readonly MarketHolding[]): string[][] => {
  const sides = new Map<string, Set<string>>()
  const sideOf = (market: string, isLong: boolean): Set<string> => {
    const key = `${market} ${isLong ? 'long' : 'short'}`
    const known = sides.get(key) ?? new Set<string>()
    sides.set(key, known)
    return known
  }
  for (const { account, market, micros } of holdings) if (micros !== 0) sideOf(market, micros > 0).add(account)
  return holdings.map(({ account, market, micros }) => (micros === 0 ? [] : [...sideOf(market, micros < 0)].filter((other) => other !== account)))
}
