import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { familyOf } from './contract-match.ts'

/** The lowest and highest position that an account may reach in one contract with its pending orders. Signed contracts. */
export type Holding = { readonly account: string; readonly contract: string; readonly low: number; readonly high: number }

/** The account on the opposite side, and the product it holds. */
export type Hedge = { readonly account: string; readonly product: string }

/** The accounts that are or may get long or short, by product family. */
export type Sides = ReturnType<typeof sidesOf>

/** The sides of all of a user's holdings: an order that opens against one of them is a hedge. */
export const sidesOf = (holdings: Iterable<Holding>) => {
  const long = new Map<string, string[]>()
  const short = new Map<string, string[]>()
  const add = ({ account, contract, low, high }: Holding): void => {
    if (low >= 0 && high <= 0) return
    const family = familyOf(contract)
    if (high > 0) getOrInsert(long, family, (): string[] => []).push(account)
    if (low < 0) getOrInsert(short, family, (): string[] => []).push(account)
  }
  for (const holding of holdings) add(holding)
  return {
    add,
    /** The first account that is or may get on the side opposite to `sign`, without those left out; null if none. */
    against: (contract: string, sign: number, leftOut: (account: string) => boolean): Hedge | null => {
      if (sign === 0) return null
      const family = familyOf(contract)
      const account = (sign > 0 ? short : long).get(family)?.find((each) => !leftOut(each))
      return account === undefined ? null : { account, product: family }
    },
  }
}
