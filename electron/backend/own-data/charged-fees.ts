import { and, eq, isNull } from 'drizzle-orm'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { DryRunFees } from '#shared/copier/dry-run.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { ownFeeRates, ownFeesFrom, type OwnFeeRates } from './own-fees.ts'

/** What the broker charged for an account's last charged fill of a product: `fee` for `qty` contracts of one side. */
type ChargedFee = { readonly account: string; readonly product: string; readonly fee: Amount; readonly qty: number; readonly currency: Currency; readonly time: number }

/** What is known of a user's commissions, as one thread hands it to another: the user's own rates, the broker's last charges, and the login and firm of each account. */
export type KnownFees = { readonly own: OwnFeeRates; readonly charged: readonly ChargedFee[]; readonly accounts: readonly { readonly account: string; readonly login: string; readonly firm: string | null }[] }

// The newest fills wait for their fees; an account that never had any costs this many reads per contract and no more.
const newestFills = 50

const tradedContracts = `WITH RECURSIVE traded (account, contract) AS (
    SELECT key, (SELECT min(contract) FROM fills WHERE user_id = @userId AND account = key) FROM accounts WHERE user_id = @userId AND removed_at IS NULL
    UNION ALL
    SELECT account, (SELECT min(contract) FROM fills WHERE user_id = @userId AND account = traded.account AND contract > traded.contract) FROM traded WHERE contract IS NOT NULL
  ) SELECT traded.account, traded.contract, specs.currency FROM traded LEFT JOIN specs ON specs.user_id = @userId AND specs.contract = traded.contract WHERE traded.contract IS NOT NULL`
const lastCharged = `SELECT fee, qty, time FROM (SELECT fee, qty, time, local_date FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND active = 1 ORDER BY local_date DESC LIMIT ${String(newestFills)})
  WHERE fee IS NOT NULL ORDER BY local_date DESC, time DESC LIMIT 1`

/** What is known of a user's commissions. Of each account's contract, only the newest fills are read. */
export const knownFees = (reader: Reader, { userId }: OfUser): KnownFees => {
  const last = new Map<string, ChargedFee>()
  for (const { account, contract, currency } of query<{ account: string; contract: string; currency: Currency | null }, [OfUser]>(reader, tradedContracts).all({ userId })) {
    const fill = query<{ fee: Amount; qty: number; time: number }>(reader, lastCharged).get(userId, account, contract)
    if (fill === undefined) continue
    const product = wholeRootOf(contract)
    const known = last.get(`${account} ${product}`)
    if (known === undefined || known.time < fill.time) last.set(`${account} ${product}`, { account, product, ...fill, currency: currency ?? contractSpecOf(contract).currency })
  }
  const connected = reader.orm
    .select({ account: accounts.key, login: accounts.loginId, firm: finances.firm })
    .from(accounts)
    .leftJoin(finances, and(eq(finances.userId, accounts.userId), eq(finances.id, accounts.key)))
    .where(and(eq(accounts.userId, userId), isNull(accounts.removedAt)))
    .all()
  return { own: ownFeeRates(reader, { userId }), charged: [...last.values()], accounts: connected }
}

/** The user's own rate, else what the broker last charged the account for the product, else what it last charged another account of the login, else of the firm. */
export const expectedFees = ({ own, charged, accounts }: KnownFees): DryRunFees => {
  const ownFees = ownFeesFrom(own)
  const ofProduct = Map.groupBy(charged.toSorted((one, other) => other.time - one.time), ({ product }) => product)
  const known = new Map(accounts.map((one) => [one.account, one]))
  return (account, contract) => {
    const rate = ownFees(account, contract)
    if (rate !== null) return { fee: rate.perSide, qty: 1, currency: rate.currency, from: 'own' }
    const charges = ofProduct.get(wholeRootOf(contract)) ?? []
    const itself = charges.find((charge) => charge.account === account)
    if (itself !== undefined) return { ...itself, from: 'account' }
    const { login = '', firm = null } = known.get(account) ?? {}
    const related = (login === '' ? undefined : charges.find((charge) => known.get(charge.account)?.login === login)) ?? (firm === null ? undefined : charges.find((charge) => known.get(charge.account)?.firm === firm))
    return related === undefined ? null : { ...related, from: 'related' }
  }
}
