import { wholeRootOf } from '#shared/market/contract-name.ts'
import { commissionName } from '#shared/mirror/record.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import type { commissionRates } from '../db/schema/own-data.ts'
import type { SqlRow } from '../db/tables.ts'
import type { OfUser } from '../db/rows.ts'

/** The user's own commission of a contract per side, in 1/10,000 of the currency. */
export type OwnFee = { readonly perSide: Amount; readonly currency: Currency }

/** Finds the rate for a contract in an account: the account's own wins over its firm's; null if none is set. */
export type OwnFees = (account: string, contract: string) => OwnFee | null

/** The user's own rates, with the firms of their accounts, as passed between threads. */
export type OwnFeeRates = { readonly rates: readonly RateRow[]; readonly firms: readonly (readonly [account: string, firm: string])[] }

type RateRow = Pick<SqlRow<typeof commissionRates>, 'scope' | 'of' | 'product' | 'currency'> & { readonly per_side: Amount }

/** No rates of the user's own. */
export const noOwnFees: OwnFees = () => null

/** The user's current rates. An account's firm is that of its label. */
export const ownFeesOf = (reader: Reader, userId: string): OwnFees => ownFeesFrom(ownFeeRates(reader, { userId }))

/** The same as rows. */
export const ownFeeRates = (reader: Reader, { userId }: OfUser): OwnFeeRates => {
  const rates = query<RateRow>(reader, 'SELECT scope, of, product, per_side, currency FROM commission_rates WHERE user_id = ? AND per_side IS NOT NULL').all(userId)
  if (rates.length === 0) return { rates, firms: [] }
  const labels = query<{ id: string; firm: string }>(reader, 'SELECT id, firm FROM finances WHERE user_id = ? AND firm IS NOT NULL').all(userId)
  return { rates, firms: labels.map(({ id, firm }) => [id, firm]) }
}

/** Finds rates among these. */
export const ownFeesFrom = ({ rates: rows, firms: labels }: OwnFeeRates): OwnFees => {
  if (rows.length === 0) return noOwnFees
  const rates = new Map(rows.map((row) => [commissionName(row), { perSide: row.per_side, currency: row.currency }]))
  const firms = new Map(labels)
  return (account, contract) => {
    const product = wholeRootOf(contract)
    const firm = firms.get(account)
    const ofFirm = firm === undefined ? undefined : rates.get(commissionName({ scope: 'firm', of: firm, product }))
    return rates.get(commissionName({ scope: 'account', of: account, product })) ?? ofFirm ?? null
  }
}
