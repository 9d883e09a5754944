import { eq } from 'drizzle-orm'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { commissionName } from '#shared/mirror/record.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Reader } from '../db/database.ts'
import { finances } from '../db/schema/journal.ts'
import { commissionRates as table } from '../db/schema/own-data.ts'
import type { OfUser } from '../db/rows.ts'

/** The user's own commission of a contract per side, in 1/10,000 of the currency. */
export type OwnFee = { readonly perSide: Amount; readonly currency: Currency }

/** Finds the rate for a contract in an account: the account's own wins over its firm's; null if none is set. */
export type OwnFees = (account: string, contract: string) => OwnFee | null

/** The user's own rates, with the firms of their accounts, as passed between threads. */
export type OwnFeeRates = { readonly rates: readonly RateRow[]; readonly firms: readonly (readonly [account: string, firm: string])[] }

type RateRow = Readonly<Pick<typeof table.$inferSelect, 'scope' | 'of' | 'product' | 'currency'>> & { readonly perSide: Amount }

/** No rates of the user's own. */
export const noOwnFees: OwnFees = () => null

/** The user's current rates. An account's firm is that of its label. */
export const ownFeesOf = (reader: Reader, userId: string): OwnFees => ownFeesFrom(ownFeeRates(reader, { userId }))

/** The same as rows. */
export const ownFeeRates = ({ orm }: Reader, { userId }: OfUser): OwnFeeRates => {
  const rates = orm.select().from(table).where(eq(table.userId, userId)).all().flatMap(({ scope, of, product, perSide, currency }): RateRow[] => (perSide === null ? [] : [{ scope, of, product, perSide, currency }]))
  if (rates.length === 0) return { rates, firms: [] }
  const labels = orm.select({ id: finances.id, firm: finances.firm }).from(finances).where(eq(finances.userId, userId)).all()
  return { rates, firms: labels.flatMap(({ id, firm }) => (firm === null ? [] : [[id, firm] as const])) }
}

/** Finds rates among these. */
export const ownFeesFrom = ({ rates: rows, firms: labels }: OwnFeeRates): OwnFees => {
  if (rows.length === 0) return noOwnFees
  const rates = new Map(rows.map((row) => [commissionName(row), { perSide: row.perSide, currency: row.currency }]))
  const firms = new Map(labels)
  return (account, contract) => {
    const product = wholeRootOf(contract)
    const firm = firms.get(account)
    const ofFirm = firm === undefined ? undefined : rates.get(commissionName({ scope: 'firm', of: firm, product }))
    return rates.get(commissionName({ scope: 'account', of: account, product })) ?? ofFirm ?? null
  }
}
