import { familyOf } from './contract-match.ts'

/** What one account of the user holds of one contract, orders under way included; signed contracts. */
export type Holding = { readonly account: string; readonly contract: string; readonly net: number }

/** The account that holds the other side, and the product in which it does. */
export type Hedge = { readonly account: string; readonly product: string }

/**
 * The first account of the same user that holds the opposite of `after` contracts in the same product family, which an order would make a
 * hedge; null where there is none. `together` are the followers of the account's own group: they stand on one side by themselves, but for moments.
 */
export const hedgeOf = (
  position: { readonly account: string; readonly contract: string; readonly after: number },
  holdings: Iterable<Holding>,
  together: ReadonlySet<string>,
): Hedge | null => {
  const { account, contract, after } = position
  if (after === 0) return null
  const family = familyOf(contract)
  for (const holding of holdings) {
    if (holding.net === 0 || holding.net > 0 === after > 0 || holding.account === account || together.has(holding.account)) continue
    if (familyOf(holding.contract) === family) return { account: holding.account, product: family }
  }
  return null
}
