import { and, eq, isNull, ne } from 'drizzle-orm'
import type { AccountFill, BrokerageAccount } from '#shared/api/records.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { toDecimalString, toJsonNumber, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { priceToJsonNumber } from '#shared/money/price.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import { addAccountFinance, alignFinance } from '../finances/account-finance.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { activeReadings, keepName, noteNamedByImports } from '../imports/queries.ts'
import { isoTime } from '../db/iso-time.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { AccountRow, At, BalanceRow, KeptAccount, Login, OfUser, SyncAccount } from '../db/rows.ts'
import { accounts as table, logins } from '../db/schema/brokerage.ts'
import type { fills } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { mintStamp } from '../db/stamps.ts'
import { assembleImports } from '../imports/assemble-imports.ts'

const one = (userId: string, key: AccountKey) => and(eq(table.userId, userId), eq(table.key, key))

/** Accounts of a login, removed ones too, since sync must know what to skip. */
export const accountsOfLogin = ({ orm }: Reader, { userId, loginId }: OfUser & { readonly loginId: string }): SyncAccount[] => orm.select().from(table).where(and(eq(table.userId, userId), eq(table.loginId, loginId))).all()

/** Names of connected accounts that logins at other brokers have. */
export const namesElsewhere = ({ orm }: Reader, { userId, broker }: OfUser & { readonly broker: Login['broker'] }): readonly string[] =>
  orm.select({ name: table.name }).from(table).innerJoin(logins, and(eq(logins.userId, table.userId), eq(logins.id, table.loginId))).where(and(eq(table.userId, userId), isNull(table.removedAt), ne(logins.broker, broker))).all().map(({ name }) => name)

/** Adds accounts with their finance of type Account, or renames known ones. With `reconnect` an account that the user removed until `removedUntil` (UTC ms) comes back, with its trades, label and notes; every other one stays away. */
export const saveAccounts = (writer: Writer, { userId, at, loginId, accounts, reconnect, removedUntil = Infinity }: OfUser & At & { readonly loginId: string; readonly accounts: readonly AccountRow[]; readonly reconnect: boolean; readonly removedUntil?: number | undefined }): { added: AccountKey[]; returned: AccountKey[]; skipped: AccountKey[] } => {
  const { orm } = writer
  const loginName = orm.select({ name: logins.name }).from(logins).where(and(eq(logins.userId, userId), eq(logins.id, loginId))).get()?.name ?? ''
  const outcome = { added: [] as AccountKey[], returned: [] as AccountKey[], skipped: [] as AccountKey[] }
  // What a user does has a stamp; what a sync finds out never wins over a user's change on another computer.
  const stamped = (byUser: boolean) => (byUser ? { stamp: mintStamp(writer, at) } : {})
  for (const { key, environment, brokerAccountId, name } of accounts) {
    const known = orm.select().from(table).where(one(userId, key)).get()
    if (known === undefined) {
      orm.insert(table).values({ userId, key, loginId, loginName, environment, brokerAccountId, name, currency: 'USD' as Currency, connectedAt: at, watchedSince: at, ...stamped(reconnect) }).run()
      addAccountFinance(writer, userId, at, key, name)
      noteNamedByImports(writer, userId, at, { name, brokerAccountId })
      noteChange(writer, userId, at, 'account', key)
      outcome.added.push(key)
    } else if (known.removedAt !== null && !(reconnect && known.removedAt <= removedUntil)) outcome.skipped.push(key)
    else {
      const returns = known.removedAt !== null
      if (known.name !== name) keepName(writer, userId, known)
      const byLogin = reconnect || known.loginName === '' ? loginName : known.loginName
      orm.update(table).set({ name, loginId, loginName: byLogin, removedAt: null, watchedSince: (returns ? null : known.watchedSince) ?? at }).where(one(userId, key)).run()
      if (returns) outcome.returned.push(key)
      if (!returns && known.name === name && known.loginName === byLogin) continue
      if (returns || (reconnect && known.loginName !== byLogin)) orm.update(table).set(stamped(true)).where(one(userId, key)).run()
      alignFinance(writer, userId, key)
      noteChange(writer, userId, at, 'account', key)
      noteNamedByImports(writer, userId, at, { name, brokerAccountId })
    }
  }
  return outcome
}

const day = 86_400_000

/** When a balance was reported; 0 if unknown, or if the time is so far ahead of now that a clock was wrong: every other one is newer then. Times are UTC ms. */
export const believedTime = (balanceAt: number | null, now: number): number => (balanceAt === null || balanceAt > now + day ? 0 : balanceAt)

/** Keeps balances that are newer than the known ones; counts those that changed. */
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
    noteChange(writer, userId, at, 'balance', account)
    if (!same) changed += 1
  }
  return changed
}

const keepRunning = (writer: Writer, userId: string, account: AccountKey, rows: readonly BalanceRow[]): void => {
  change(writer, 'DELETE FROM running_sessions WHERE user_id = ? AND account = ?').run(userId, account)
  const put = change(writer, 'INSERT INTO running_sessions (user_id, account, currency, trading_day, realized) VALUES (?, ?, ?, ?, ?)')
  for (const { currency, tradeDate, realizedPnl = null } of rows) if (tradeDate !== undefined && realizedPnl !== null) put.run(userId, account, currency, tradeDate, realizedPnl)
}

type ConnectedRow = {
  key: string
  name: string
  environment: 'live' | 'demo'
  login_id: string
  login_name: string
  login_status: 'ok' | 'expired' | null
  balance: Amount | null
  currency: string
  balance_at: number | null
  firm: KeptAccount['firm']
  copy_of: string | null
  last_sync_at: number | null
  watched_since: number | null
  fills: number
}

const connectedSql = `SELECT key, accounts.name, environment, login_id, COALESCE(logins.name, login_name) AS login_name, logins.status AS login_status,
  accounts.balance, accounts.currency, balance_at, firm, copy_of, last_sync_at, watched_since,
  (SELECT count(*) FROM fills WHERE fills.user_id = accounts.user_id AND account = key) AS fills
  FROM accounts LEFT JOIN logins ON logins.id = login_id LEFT JOIN finances ON finances.user_id = accounts.user_id AND finances.id = key
  WHERE accounts.user_id = ? AND accounts.removed_at IS NULL ORDER BY accounts.connected_at, key`

export const connectedAccounts = (reader: Reader, { userId }: OfUser): KeptAccount[] =>
  query<ConnectedRow>(reader, connectedSql)
    .all(userId)
    .map(
      (row): KeptAccount => ({
        id: row.key,
        name: row.name,
        environment: row.environment,
        loginId: row.login_id,
        loginName: row.login_name,
        balance: toDecimalString(row.balance ?? zero),
        currency: row.currency,
        balanceAt: isoTime(row.balance_at),
        firm: row.firm,
        copyOf: row.copy_of,
        lastGoodAt: isoTime(row.last_sync_at),
        watchedSince: isoTime(row.watched_since),
        loginStatus: row.login_status,
        fills: row.fills,
      }),
    )

type FillRow = Pick<SqlRow<typeof fills>, 'id' | 'contract' | 'broker_contract_id' | 'side' | 'qty' | 'price' | 'tick_size' | 'time'>

const fillsSince = (reader: Reader, userId: string, account: AccountKey, since: number): AccountFill[] =>
  query<FillRow>(reader, 'SELECT * FROM fills WHERE user_id = ? AND account = ? AND time >= ? AND active = 1 ORDER BY time, id')
    .all(userId, account, since)
    .map(({ id, contract, broker_contract_id, side, qty, price, tick_size, time }) => ({
      id,
      accountId: account,
      contractId: broker_contract_id ?? contract,
      contractSymbol: contract,
      action: side,
      qty,
      price: priceToJsonNumber(price, tick_size),
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

/** All facts about an account from the API and active imports: its fills, and the broker's own pairs, cash and balances to hold them against. */
export const brokerFacts = (reader: Reader, { userId, account }: OfUser & { readonly account: AccountKey }): Omit<Assembly, 'accounts' | 'retimed' | 'warnings'> => {
  const { assembly } = assembleImports(reader, userId, [...activeReadings(reader, userId)].flat())
  const ofAccount = <R extends { readonly account: string }>(rows: readonly R[]): R[] => rows.filter((row) => row.account === account)
  const { fills, pairs, cash, balances, positions, missing, doubtful, specs } = assembly
  return { fills: ofAccount(fills), pairs: ofAccount(pairs), cash: ofAccount(cash), balances: ofAccount(balances), positions: ofAccount(positions), missing: ofAccount(missing), doubtful: ofAccount(doubtful), specs }
}
