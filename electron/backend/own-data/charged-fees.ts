import { and, desc, eq, gt, isNotNull, isNull, min, sql } from 'drizzle-orm'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { DryRunFees } from '#shared/copier/dry-run.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { perConnection, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts, specs } from '../db/schema/brokerage.ts'
import { fills, finances } from '../db/schema/journal.ts'
import { ownFeeRates, ownFeesFrom, type OwnFeeRates } from '../fills/own-fees.ts'

/** What the broker charged for an account's last charged fill of a product: `fee` for `qty` contracts of one side. */
type ChargedFee = { readonly account: string; readonly product: string; readonly fee: Amount; readonly qty: number; readonly currency: Currency; readonly time: number }

/** What is known of a user's commissions, as one thread hands it to another: the user's own rates, the broker's last charges, and the login and firm of each account. */
export type KnownFees = { readonly own: OwnFeeRates; readonly charged: readonly ChargedFee[]; readonly accounts: readonly { readonly account: string; readonly login: string; readonly firm: string | null }[] }

// The newest fills wait for their fees; an account that never had any costs this many reads per contract and no more.
const newestFills = 50

const ofAccount = and(eq(fills.userId, sql.placeholder('userId')), eq(fills.account, sql.placeholder('account')))

/** The account's next contract after one in alphabetical order: few contracts have many fills. */
const nextContract = perConnection(({ orm }: Reader) => orm.select({ contract: min(fills.contract) }).from(fills).where(and(ofAccount, gt(fills.contract, sql.placeholder('after')))).prepare())

const lastCharged = perConnection(({ orm }: Reader) => {
  const { fee, qty, time, localDate } = fills
  const newest = orm.select({ fee, qty, time, localDate }).from(fills).where(and(ofAccount, eq(fills.contract, sql.placeholder('contract')), eq(fills.active, true))).orderBy(desc(localDate)).limit(newestFills).as('newest')
  return orm.select({ fee: sql<Amount>`${newest.fee}`, qty: newest.qty, time: newest.time }).from(newest).where(isNotNull(newest.fee)).orderBy(desc(newest.localDate), desc(newest.time)).limit(1).prepare()
})

function* tradedContracts(reader: Reader, userId: string, account: string): Generator<string> {
  const next = nextContract(reader)
  for (let after = next.get({ userId, account, after: '' })?.contract ?? null; after !== null; after = next.get({ userId, account, after })?.contract ?? null) yield after
}

/** What is known of a user's commissions. Of each account's contract, only the newest fills are read. */
export const knownFees = (reader: Reader, { userId }: OfUser): KnownFees => {
  const currencies = new Map(reader.orm.select({ contract: specs.contract, currency: specs.currency }).from(specs).where(eq(specs.userId, userId)).all().map(({ contract, currency }) => [contract, currency]))
  const last = new Map<string, ChargedFee>()
  const connected = reader.orm
    .select({ account: accounts.key, login: accounts.loginId, firm: finances.firm })
    .from(accounts)
    .leftJoin(finances, and(eq(finances.userId, accounts.userId), eq(finances.id, accounts.key)))
    .where(and(eq(accounts.userId, userId), isNull(accounts.removedAt)))
    .all()
  for (const { account } of connected) {
    for (const contract of tradedContracts(reader, userId, account)) {
      const fill = lastCharged(reader).get({ userId, account, contract })
      if (fill === undefined) continue
      const product = wholeRootOf(contract)
      const known = last.get(`${account} ${product}`)
      if (known === undefined || known.time < fill.time) last.set(`${account} ${product}`, { account, product, ...fill, currency: currencies.get(contract) ?? contractSpecOf(contract).currency })
    }
  }
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
