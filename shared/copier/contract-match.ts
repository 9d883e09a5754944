import type { ExactRatio, FollowerRule } from '#shared/api/copier.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { marketOf } from '#shared/market/micros.ts'
import { parseDecimal, tenTo } from '#shared/money/decimal.ts'

/** The follower's contract for one of the leader's, and how many of it one leader contract is worth. */
export type ContractMatch = { readonly contract: string; readonly product: string; readonly factor: ExactRatio }

/** A contract's name in its two parts: `MNQ` and `Z6` of `MNQZ6`. A name without a month is all product. */
export type NameParts = { readonly product: string; readonly month: string }

const one: ExactRatio = { num: 1, den: 1 }

const parts = new Map<string, NameParts>()
const families = new Map<string, string>()

/** Takes a contract's name apart. */
export const partsOf = (contract: string): NameParts =>
  getOrInsert(parts, contract, () => {
    const [, product = contract, month = ''] = /^(.+?)([FGHJKMNQUVXZ]\d{1,2})$/.exec(contract) ?? []
    return { product, month }
  })

/** Whether a contract is a spread, `ESZ6-ESH7`, with a leg in a mapped product: its equivalent would be a spread of other products. */
const isMappedSpread = (contract: string, { mappings }: Pick<FollowerRule, 'mappings'>): boolean => {
  const legs = contract.split('-')
  return legs.length > 1 && legs.some((leg) => mappings.some(({ from }) => from === partsOf(leg).product))
}

/** The follower's contract for a leader's contract: product mapped, same month; null if the product is not copied, or if it is a spread of mapped products. */
export const followerContract = (leaderContract: string, rule: Pick<FollowerRule, 'mappings' | 'products'>): ContractMatch | null => {
  const { product, month } = partsOf(leaderContract)
  if ((rule.products !== null && !rule.products.includes(product)) || isMappedSpread(leaderContract, rule)) return null
  const mapping = rule.mappings.find(({ from }) => from === product)
  return mapping === undefined ? { contract: leaderContract, product, factor: one } : { contract: mapping.to + month, product: mapping.to, factor: mapping.factor }
}

/** Whether any contract of the leader maps to this contract of the follower. */
export const isCopiedTo = (contract: string, { mappings, products }: Pick<FollowerRule, 'mappings' | 'products'>): boolean => {
  if (isMappedSpread(contract, { mappings })) return false
  const { product } = partsOf(contract)
  const isCopied = (from: string): boolean => products === null || products.includes(from)
  return mappings.some(({ from, to }) => to === product && isCopied(from)) || (isCopied(product) && !mappings.some(({ from }) => from === product))
}

/** The family of a contract or product, named after its largest product: `NQ` for `MNQZ6`, `MNQ`, and `NQ`; a product without relatives is its own family. Opposite positions within a family are a hedge. */
export const familyOf = (contractOrProduct: string): string =>
  getOrInsert(families, contractOrProduct, () => {
    const direct = marketOf(contractOrProduct)
    return direct === contractOrProduct ? marketOf(partsOf(contractOrProduct).product) : direct
  })

/** The product families that a rule may trade; null for any. */
export const marketsOf = ({ mappings, products }: Pick<FollowerRule, 'mappings' | 'products'>): ReadonlySet<string> | null =>
  products === null ? null : new Set(products.map((product) => familyOf(mappings.find(({ from }) => from === product)?.to ?? product)))

/** Whether an order's price is valid in both products: same family, same tick size. */
export const samePrices = (leader: { readonly product: string; readonly tickSize: string }, follower: { readonly product: string; readonly tickSize: string }): boolean =>
  leader.product === follower.product || (familyOf(leader.product) === familyOf(follower.product) && sameSize(leader.tickSize, follower.tickSize))

/** Whether two decimal strings are the same number. */
export const sameSize = (first: string, second: string): boolean => {
  const [left, right] = [parseDecimal(first), parseDecimal(second)]
  return left !== null && right !== null && left.digits * tenTo(right.scale) === right.digits * tenTo(left.scale)
}
