import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { CommissionOf, OwnCommission } from '#shared/api/own-data.ts'
import { firm } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { commissionName, type ContentOf } from '#shared/mirror/record.ts'
import { writeDecimal } from '#shared/money/decimal.ts'
import { parseAmount, type Amount, type Currency } from '#shared/money/money.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts, specs } from '../db/schema/brokerage.ts'
import { commissionRates as table } from '../db/schema/own-data.ts'
import { isConnected } from '../db/is-connected.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { specOf } from '../fills/specs.ts'
import { repricing } from '../fills/stale-batches.ts'
import type { OfUser } from '../db/rows.ts'

/** A stored rate; `perSide` is null after a reset. */
export type CommissionRate = ContentOf<'commission'>

const { userId: user, ...columns } = getTableColumns(table)

/** A stored rate, reset or not; null if none was ever set. */
export const rateOf = ({ orm }: Reader, userId: string, { scope, of, product }: Pick<CommissionRate, 'scope' | 'of' | 'product'>): CommissionRate | null =>
  orm.select(columns).from(table).where(and(eq(user, userId), eq(table.scope, scope), eq(table.of, of), eq(table.product, product))).get() ?? null

/** Saves a rate and marks what it changes, in the caller's transaction. */
export const upsertRate = (writer: Writer, userId: string, at: number, { scope, of, product, perSide, currency, stamp }: CommissionRate): void => {
  const row = { perSide: perSide as Amount | null, currency: currency as Currency, stamp }
  repricing(writer, userId, at, () => writer.orm.insert(table).values({ userId, scope, of, product, ...row }).onConflictDoUpdate({ target: [user, table.scope, table.of, table.product], set: row }).run())
}

const exactText = (perSide: Amount): string => writeDecimal(BigInt(perSide), 4).replace(/00$/, '')

/** The active rates, without those of removed accounts. */
export const ownCommissions = ({ orm }: Reader, { userId }: OfUser): OwnCommission[] => {
  const connected = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), isNull(accounts.removedAt)))
  return orm
    .select()
    .from(table)
    .where(and(eq(user, userId), isNotNull(table.perSide), or(eq(table.scope, 'firm'), inArray(table.of, connected))))
    .orderBy(desc(table.scope), table.of, table.product)
    .all()
    .flatMap(({ scope, of, product, perSide, currency }): OwnCommission[] => {
      const named = firm.safeParse(of)
      const owner: CommissionOf | null = scope === 'account' ? { scope, accountId: of } : named.success ? { scope, firm: named.data } : null
      return owner === null || perSide === null ? [] : [{ of: owner, product, perSide: exactText(perSide), currency }]
    })
}

/** A product's currency: that of its contracts, by which fills are charged. */
const currencyOf = (reader: Reader, userId: string, product: string): string => {
  const contracts = reader.orm.select({ contract: specs.contract }).from(specs).where(eq(specs.userId, userId)).all()
  return specOf(reader, userId, contracts.find(({ contract }) => wholeRootOf(contract) === product)?.contract ?? product).currency
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
  upsertRate(writer, userId, at, { ...next, currency, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'commission', commissionName(next))
  return ok(null)
}
