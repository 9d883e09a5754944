import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import type { AccountFill, BrokerageAccount } from '#shared/api/records.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { toDecimalString, toJsonNumber, zero, type Currency } from '#shared/money/money.ts'
import { priceToJsonNumber } from '#shared/money/price.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import { addAccountFinance, alignFinance } from '../finances/account-finance.ts'
import type { Reader, Writer } from '../db/database.ts'
import { activeReadings, saveBrokerId, markUnsettledIfNamed } from '../imports/queries.ts'
import { isoTime } from '../db/iso-time.ts'
import { queueChange } from '../db/outbox.ts'
import type { AccountRow, At, BalanceRow, StoredAccount, Login, OfUser, SyncAccount } from '../db/rows.ts'
import { accounts as table, logins, runningSessions } from '../db/schema/brokerage.ts'
import { fills, finances } from '../db/schema/journal.ts'
import { mintStamp } from '../db/stamps.ts'
import { assembleImports } from '../imports/assemble-imports.ts'

const one = (userId: string, key: AccountKey) => and(eq(table.userId, userId), eq(table.key, key))

/** Accounts of a login, removed ones too, since sync must know what to skip. */
export const accountsOfLogin = ({ orm }: Reader, { userId, loginId }: OfUser & { readonly loginId: string }): SyncAccount[] => orm.select().from(table).where(and(eq(table.userId, userId), eq(table.loginId, loginId))).all()

/** Names of connected accounts that logins at other brokers have. */
export const namesElsewhere = ({ orm }: Reader, { userId, broker }: OfUser & { readonly broker: Login['broker'] }): readonly string[] =>
  orm.select({ name: table.name }).from(table).innerJoin(logins, and(eq(logins.userId, table.userId), eq(logins.id, table.loginId))).where(and(eq(table.userId, userId), isNull(table.removedAt), ne(logins.broker, broker))).all().map(({ name }) => name)

type LoginAccounts = { readonly loginId: string; readonly accounts: readonly AccountRow[]; readonly reconnect: boolean; readonly removedUntil?: number | undefined }

type SavedAccounts = { readonly added: AccountKey[]; readonly returned: AccountKey[]; readonly skipped: AccountKey[] }

/**
 * Adds accounts with their finance of type Account, or renames known ones. With `reconnect` an account that the user
 * removed until `removedUntil` (UTC ms) comes back, with its trades, label and notes; every other one stays away.
 */
export const saveAccounts = (writer: Writer, { userId, at, loginId, accounts, reconnect, removedUntil = Infinity }: OfUser & At & LoginAccounts): SavedAccounts => {
  const { orm } = writer
  const loginName = orm.select({ name: logins.name }).from(logins).where(and(eq(logins.userId, userId), eq(logins.id, loginId))).get()?.name ?? ''
  const outcome: SavedAccounts = { added: [], returned: [], skipped: [] }
  // A user's action is stamped; what a sync finds never wins over a user's change on another computer.
  const stamped = (byUser: boolean) => (byUser ? { stamp: mintStamp(writer, at) } : {})
  for (const { key, environment, brokerAccountId, name } of accounts) {
    const known = orm.select().from(table).where(one(userId, key)).get()
    if (known === undefined) {
      orm.insert(table).values({ userId, key, loginId, loginName, environment, brokerAccountId, name, currency: 'USD' as Currency, connectedAt: at, watchedSince: at, ...stamped(reconnect) }).run()
      addAccountFinance(writer, userId, at, key, name)
      markUnsettledIfNamed(writer, userId, at, { name, brokerAccountId })
      queueChange(writer, userId, at, 'account', key)
      outcome.added.push(key)
    } else if (known.removedAt !== null && !(reconnect && known.removedAt <= removedUntil)) outcome.skipped.push(key)
    else {
      const returns = known.removedAt !== null
      if (known.name !== name) saveBrokerId(writer, userId, known)
      const byLogin = reconnect || known.loginName === '' ? loginName : known.loginName
      orm.update(table).set({ name, loginId, loginName: byLogin, removedAt: null, watchedSince: (returns ? null : known.watchedSince) ?? at }).where(one(userId, key)).run()
      if (returns) outcome.returned.push(key)
      if (!returns && known.name === name && known.loginName === byLogin) continue
      if (returns || (reconnect && known.loginName !== byLogin)) orm.update(table).set(stamped(true)).where(one(userId, key)).run()
      alignFinance(writer, userId, key)
      queueChange(writer, userId, at, 'account', key)
      markUnsettledIfNamed(writer, userId, at, { name, brokerAccountId })
    }
  }
  return outcome
}

const day = 86_400_000

/** When a balance was reported; 0 if unknown, or if the time is so far ahead of now that a clock was wrong: every other one is newer then. Times are UTC ms. */
export const believedTime = (balanceAt: number | null, now: number): number => (balanceAt === null || balanceAt > now + day ? 0 : balanceAt)

/** Saves balances that are newer than the known ones; counts those that changed. */
export const saveBalances = (writer: Writer, { userId, at, balances }: OfUser & At & { readonly balances: readonly BalanceRow[] }): number => {
  let changed = 0
  for (const [account, rows] of Map.groupBy(balances, (row) => row.account)) {
    const known = writer.orm.select().from(table).where(one(userId, account)).get()
    // Cash in several currencies: the account's own stands for it as long as it holds any.
    const row = rows.find(({ amount, currency }) => amount !== 0 && currency === known?.currency) ?? rows.find(({ amount }) => amount !== 0) ?? rows[0]
    if (known === undefined || known.removedAt !== null || row === undefined || row.time < believedTime(known.balanceAt, at)) continue
    keepRunning(writer, userId, account, rows)
    const { amount: balance, currency, time: balanceAt } = row
    const same = known.balance === balance && known.currency === currency
    if (same && known.balanceAt === balanceAt) continue
    writer.orm.update(table).set({ balance, currency, balanceAt }).where(one(userId, account)).run()
    alignFinance(writer, userId, account)
    queueChange(writer, userId, at, 'balance', account)
    if (!same) changed += 1
  }
  return changed
}

const keepRunning = ({ orm }: Writer, userId: string, account: AccountKey, rows: readonly BalanceRow[]): void => {
  orm.delete(runningSessions).where(and(eq(runningSessions.userId, userId), eq(runningSessions.account, account))).run()
  for (const { currency, tradeDate: tradingDay, realizedPnl: realized = null } of rows) if (tradingDay !== undefined && realized !== null) orm.insert(runningSessions).values({ userId, account, currency, tradingDay, realized }).run()
}

const fillCount = sql<number>`(SELECT count(*) FROM ${fills} WHERE ${fills.userId} = ${table.userId} AND ${fills.account} = ${table.key})`

export const connectedAccounts = ({ orm }: Reader, { userId }: OfUser): StoredAccount[] =>
  orm
    .select({ account: table, login: logins, firm: finances.firm, fillCount })
    .from(table)
    .leftJoin(logins, eq(logins.id, table.loginId))
    .leftJoin(finances, and(eq(finances.userId, table.userId), eq(finances.id, table.key)))
    .where(and(eq(table.userId, userId), isNull(table.removedAt)))
    .orderBy(table.connectedAt, table.key)
    .all()
    .map(
      ({ account, login, firm, fillCount: count }): StoredAccount => ({
        id: account.key,
        name: account.name,
        environment: account.environment,
        loginId: account.loginId,
        loginName: login?.name ?? account.loginName,
        balance: toDecimalString(account.balance ?? zero),
        currency: account.currency,
        balanceAt: isoTime(account.balanceAt),
        firm,
        copyOf: account.copyOf,
        lastGoodAt: isoTime(account.lastSyncAt),
        watchedSince: isoTime(account.watchedSince),
        loginStatus: login?.status ?? null,
        fills: count,
      }),
    )

const fillsSince = ({ orm }: Reader, userId: string, account: AccountKey, since: number): AccountFill[] =>
  orm
    .select()
    .from(fills)
    .where(and(eq(fills.userId, userId), eq(fills.account, account), gte(fills.time, since), eq(fills.active, true)))
    .orderBy(fills.time, fills.id)
    .all()
    .map(({ id, contract, brokerContractId, side, qty, price, tickSize, time }) => ({
      id,
      accountId: account,
      contractId: brokerContractId ?? contract,
      contractSymbol: contract,
      action: side,
      qty,
      price: priceToJsonNumber(price, tickSize),
      timestamp: isoTime(time),
      platform: platformOf(account),
    }))

/** Connected accounts with their fills since `fillsSince` (UTC ms), oldest first. */
export const brokerageAccounts = (reader: Reader, { userId, fillsSince: since }: OfUser & { readonly fillsSince: number }): BrokerageAccount[] =>
  reader.orm
    .select()
    .from(table)
    .where(eq(table.userId, userId))
    .all()
    .filter(({ removedAt }) => removedAt === null)
    .map(({ key, name, balance, currency }) => ({ id: key, name, balance: toJsonNumber(balance ?? zero), currency, fills: fillsSince(reader, userId, key, since) }))

/** All facts about an account from the API and active imports: its fills, and the broker's own pairs, cash and balances to compare them with. */
export const brokerFacts = (reader: Reader, { userId, account }: OfUser & { readonly account: AccountKey }): Omit<Assembly, 'accounts' | 'retimed' | 'warnings'> => {
  const { assembly } = assembleImports(reader, userId, [...activeReadings(reader, userId)].flat())
  const ofAccount = <R extends { readonly account: string }>(rows: readonly R[]): R[] => rows.filter((row) => row.account === account)
  const { fills, pairs, cash, balances, positions, missing, doubtful, specs } = assembly
  return { fills: ofAccount(fills), pairs: ofAccount(pairs), cash: ofAccount(cash), balances: ofAccount(balances), positions: ofAccount(positions), missing: ofAccount(missing), doubtful: ofAccount(doubtful), specs }
}
