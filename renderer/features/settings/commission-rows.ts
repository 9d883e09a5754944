import type { CommissionOf, OwnCommission, ownDataRoutes } from '#shared/api/own-data.ts'
import type { Finance } from '#shared/api/records.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'

/** What the program answers about commissions. */
export type Commissions = AnswerOf<typeof ownDataRoutes.commissions>

type Firm = NonNullable<Finance['firm']>

/** A firm or an account, as the choice of whose rates are shown lists it. */
export type Whose = {
  /** Names it in the address and in the list. */
  readonly value: string
  readonly of: CommissionOf
  readonly name: string
  /** Of an account: its firm, whose rates it takes where it has none of its own. */
  readonly firm: Firm | null
  /** Own rates it has. */
  readonly own: number
}

/** One product: what a side costs by the table, by the account's firm, and by the user's own word; the last of them that is there holds. */
export type CommissionRow = {
  readonly product: string
  readonly name: string | null
  readonly currency: string
  readonly table: string | null
  readonly ofFirm: string | null
  readonly own: string | null
}

const valueOf = (of: CommissionOf): string => (of.scope === 'firm' ? `firm:${of.firm}` : `account:${of.accountId}`)

/** Everybody whose rates can be set: the firms that accounts belong to, the accounts, and then the other firms. */
export const everyWhose = (firms: readonly Firm[], accounts: FilterChoices['accounts'], own: readonly OwnCommission[]): Whose[] => {
  const count = (value: string): number => own.filter(({ of }) => valueOf(of) === value).length
  const firmOf = (firm: Firm): Whose => ({ value: `firm:${firm}`, of: { scope: 'firm', firm }, name: firm, firm: null, own: count(`firm:${firm}`) })
  const used = new Set(accounts.map(({ firm }) => firm))
  return [
    ...firms.filter((firm) => used.has(firm)).map(firmOf),
    ...accounts.map(({ key, name, firm }): Whose => ({ value: `account:${key}`, of: { scope: 'account', accountId: key }, name, firm, own: count(`account:${key}`) })),
    ...firms.filter((firm) => !used.has(firm)).map(firmOf),
  ]
}

/** The products of one firm or account: those that were traded first, then those with an own rate, then the table's. */
export const commissionRows = ({ own, table }: Commissions, whose: Pick<Whose, 'of' | 'firm'>, traded: readonly string[]): CommissionRow[] => {
  const ratesOf = (value: string): Map<string, OwnCommission> => new Map(own.filter(({ of }) => valueOf(of) === value).map((rate) => [rate.product, rate]))
  const mine = ratesOf(valueOf(whose.of))
  const ofFirm = whose.firm === null ? new Map<string, OwnCommission>() : ratesOf(`firm:${whose.firm}`)
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

/** The rows whose product begins with what is looked for, or whose name holds it, in capitals or not. */
export const foundRows = (rows: readonly CommissionRow[], search: string): CommissionRow[] => {
  const wanted = search.trim().toLowerCase()
  return rows.filter(({ product, name }) => product.toLowerCase().startsWith(wanted) || (name ?? '').toLowerCase().includes(wanted))
}
