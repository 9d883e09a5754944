import type { CommissionOf, OwnCommission } from '#shared/api/own-data.ts'
import { firm } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { contractTable } from '#shared/market/contract-table.ts'
import { commissionName, type ContentOf } from '#shared/mirror/record.ts'
import { writeDecimal } from '#shared/money/decimal.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { isConnected } from '../accounts/copy-of.ts'
import { noteChange } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { repricing } from '../fills/stale-batches.ts'
import type { OfUser } from '../db/rows.ts'

/** A stored rate; `perSide` is null after a reset. */
export type CommissionRate = ContentOf<'commission'>
type RateRow = Pick<CommissionRate, 'scope' | 'of' | 'product' | 'currency' | 'stamp'> & { per_side: Amount | null }

/** A stored rate, reset or not; null if none was ever set. */
export const rateOf = (reader: Reader, userId: string, { scope, of, product }: Pick<CommissionRate, 'scope' | 'of' | 'product'>): CommissionRate | null => {
  const row = query<RateRow>(reader, 'SELECT * FROM commission_rates WHERE user_id = ? AND scope = ? AND of = ? AND product = ?').get(userId, scope, of, product)
  return row === undefined ? null : { scope, of, product, perSide: row.per_side, currency: row.currency, stamp: row.stamp }
}

/** Saves a rate and marks what it changes, in the caller's transaction. */
export const putRate = (writer: Writer, userId: string, at: number, { scope, of, product, perSide, currency, stamp }: CommissionRate): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO commission_rates (user_id, scope, of, product, per_side, currency, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)')
  repricing(writer, userId, at, () => put.run(userId, scope, of, product, perSide, currency, stamp))
}

const exactText = (perSide: Amount): string => writeDecimal(BigInt(perSide), 4).replace(/00$/, '')

/** The active rates, without those of removed accounts. */
export const ownCommissions = (reader: Reader, { userId }: OfUser): OwnCommission[] => {
  const sql = `SELECT * FROM commission_rates AS rate WHERE user_id = ? AND per_side IS NOT NULL
    AND (scope = 'firm' OR of IN (SELECT key FROM accounts WHERE accounts.user_id = rate.user_id AND removed_at IS NULL)) ORDER BY scope DESC, of, product`
  return query<RateRow & { per_side: Amount }>(reader, sql)
    .all(userId)
    .flatMap(({ scope, of, product, per_side, currency }): OwnCommission[] => {
      const named = firm.safeParse(of)
      const owner: CommissionOf | null = scope === 'account' ? { scope, accountId: of } : named.success ? { scope, firm: named.data } : null
      return owner === null ? [] : [{ of: owner, product, perSide: exactText(per_side), currency }]
    })
}

/** A product's currency: from the broker or a file if one has it, else from the table. */
const currencyOf = (reader: Reader, userId: string, product: string): string => {
  const contracts = query<{ contract: string; currency: string }>(reader, 'SELECT contract, currency FROM specs WHERE user_id = ?').all(userId)
  return contracts.find(({ contract }) => wholeRootOf(contract) === product)?.currency ?? contractTable.find(({ root }) => root === product)?.currency ?? 'USD'
}

/** A change of a product's commission, and when (UTC ms). */
export type CommissionChange = { readonly userId: string; readonly at: number; readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }

/** Saves the user's rate, in the caller's transaction; `deriveStale` must follow. Saving the same value changes nothing. */
export const changeCommission = (writer: Writer, { userId, at, of: owner, product, perSide: text }: CommissionChange): Result<null, 'not-found' | 'too-precise'> => {
  if (owner.scope === 'account' && !isConnected(writer, userId, owner.accountId)) return err('not-found')
  const amount = text === null ? null : parseAmount(text)
  if (amount?.ok === false || (amount !== null && amount.value < 0)) return err('too-precise')
  const next = { scope: owner.scope, of: owner.scope === 'firm' ? owner.firm : owner.accountId, product, perSide: amount === null ? null : amount.value }
  const known = rateOf(writer, userId, next)
  const currency = next.perSide === null ? (known?.currency ?? 'USD') : currencyOf(writer, userId, product)
  if ((known?.perSide ?? null) === next.perSide && (known === null || known.currency === currency)) return ok(null)
  putRate(writer, userId, at, { ...next, currency, stamp: mintStamp(writer, at) })
  noteChange(writer, userId, at, 'commission', commissionName(next))
  return ok(null)
}
