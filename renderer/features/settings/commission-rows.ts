import type { CommissionOf, OwnCommission, ownDataRoutes } from '#shared/api/own-data.ts'
import type { Finance } from '#shared/api/records.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'

/** The program's answer about commissions. */
export type Commissions = AnswerOf<typeof ownDataRoutes.commissions>

type Firm = NonNullable<Finance['firm']>

/** A firm or an account in the list of whose rates to show. */
export type RateOwner = {
  /** Names it in the address and in the list. */
  readonly value: string
  readonly of: CommissionOf
  readonly name: string
  /** For an account: its firm, whose rates apply where it has none of its own. */
  readonly firm: Firm | null
  /** The number of its own rates. */
  readonly own: number
}

/** One product: the commission per side by the table, by the account's firm, and by the user; the last one available applies. */
export type CommissionRow = {
  readonly product: string
  readonly name: string | null
  readonly currency: string
  readonly table: string | null
  readonly ofFirm: string | null
  readonly own: string | null
}

const valueOf = (of: CommissionOf): string => (of.scope === 'firm' ? `firm:${of.firm}` : `account:${of.accountId}`)

/** Everything that rates can be set for: the firms of accounts, the accounts, and then the other firms. */
export const rateOwners = (firms: readonly Firm[], accounts: FilterChoices['accounts'], own: readonly OwnCommission[]): RateOwner[] => {
  const count = (value: string): number => own.filter(({ of }) => valueOf(of) === value).length
  const firmOf = (firm: Firm): RateOwner => ({ value: `firm:${firm}`, of: { scope: 'firm', firm }, name: firm, firm: null, own: count(`firm:${firm}`) })
  const used = new Set(accounts.map(({ firm }) => firm))
  return [
    ...firms.filter((firm) => used.has(firm)).map(firmOf),
    ...accounts.map(({ key, name, firm }): RateOwner => ({ value: `account:${key}`, of: { scope: 'account', accountId: key }, name, firm, own: count(`account:${key}`) })),
    ...firms.filter((firm) => !used.has(firm)).map(firmOf),
  ]
}

/** The products of one firm or account: traded ones first, then those with an own rate, then the table's. */
export const commissionRows = ({ own, table }: Commissions, owner: Pick<RateOwner, 'of' | 'firm'>, traded: readonly string[]): CommissionRow[] => {
  const ratesOf = (value: string): Map<string, OwnCommission> => new Map(own.filter(({ of }) => valueOf(of) === value).map((rate) => [rate.product, rate]))
  const mine = ratesOf(valueOf(owner.of))
  const ofFirm = owner.firm === null ? new Map<string, OwnCommission>() : ratesOf(`firm:${owner.firm}`)
  const known = new Map(table.map((row) => [row.product, row]))
  const products = new Set([...traded, ...mine.keys(), ...ofFirm.keys(), ...known.keys()])
  return [...products].map((product) => ({
    product,
    name: known.get(product)?.name ?? null,
    currency: known.get(product)?.currency ?? mine.get(product)?.currency ?? ofFirm.get(product)?.currency ?? 'USD',
    table: known.get(product)?.perSide ?? null,
    ofFirm: ofFirm.get(product)?.perSide ?? null,
    own: mine.get(product)?.perSide ?? null,
  }))
}

/** The rows whose product begins with the search text, or whose name contains it, in any case. */
export const foundRows = (rows: readonly CommissionRow[], search: string): CommissionRow[] => {
  const wanted = search.trim().toLowerCase()
  return rows.filter(({ product, name }) => product.toLowerCase().startsWith(wanted) || (name ?? '').toLowerCase().includes(wanted))
}
