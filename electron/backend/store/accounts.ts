import { and, eq } from 'drizzle-orm'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import type { AccountFill } from '#shared/api/records.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { toDecimalString, toJsonNumber, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import { query, type Reader } from './database.ts'
import { deriveAgain } from './derive-again.ts'
import { storeFault } from './fault.ts'
import { addAccountFinance, updateAccountFinance } from './finances.ts'
import { isoTime } from './iso-time.ts'
import { brokerPlatform } from './pair-rows.ts'
import type { Read, Write } from './part.ts'
import { noteTradesOf } from './remove-account.ts'
import { accounts as table } from './schema/brokerage.ts'

const one = (userId: string, key: AccountKey) => and(eq(table.userId, userId), eq(table.key, key))

export const accountsOfLogin: Read<'accountsOfLogin'> = ({ orm }, { userId, loginId }) => orm.select().from(table).where(and(eq(table.userId, userId), eq(table.loginId, loginId))).all()

export const saveAccounts: Write<'saveAccounts'> = (writer, { userId, at, loginId, accounts, reconnect }) => {
  const { orm } = writer
  const outcome = { added: [] as AccountKey[], returned: [] as AccountKey[], skipped: [] as AccountKey[] }
  for (const { key, environment, brokerAccountId, name } of accounts) {
    const known = orm.select().from(table).where(one(userId, key)).get()
    if (known === undefined) {
      orm.insert(table).values({ userId, key, loginId, environment, brokerAccountId, name, currency: 'USD' as Currency, connectedAt: at }).run()
      addAccountFinance(writer, userId, at, key, name)
      outcome.added.push(key)
    } else if (known.removedAt !== null && !reconnect) outcome.skipped.push(key)
    else {
      if (known.removedAt !== null) outcome.returned.push(key)
      orm.update(table).set({ name, loginId, removedAt: null }).where(one(userId, key)).run()
      if (known.removedAt === null && known.name === name) continue
      updateAccountFinance(writer, userId, key, { name, removedAt: null })
      noteTradesOf(writer, userId, key, 'put')
    }
  }
  return outcome
}

export const saveBalances: Write<'saveBalances'> = (writer, { userId, balances }) => {
  let changed = 0
  for (const [account, rows] of Map.groupBy(balances, (row) => row.account)) {
    const known = writer.orm.select().from(table).where(one(userId, account)).get()
    // Cash in several currencies: the account's own stands for it as long as it holds any.
    const row = rows.find(({ amount, currency }) => amount !== 0 && currency === known?.currency) ?? rows.find(({ amount }) => amount !== 0) ?? rows[0]
    if (known === undefined || known.removedAt !== null || row === undefined || row.time < (known.balanceAt ?? 0)) continue
    const { amount: balance, currency, time: balanceAt } = row
    writer.orm.update(table).set({ balance, currency, balanceAt }).where(one(userId, account)).run()
    if (known.balance === balance && known.currency === currency) continue
    updateAccountFinance(writer, userId, account, { balance, currency })
    changed += 1
  }
  return changed
}

export const setCarry: Write<'setCarry'> = (writer, { userId, account, carry }) => {
  const done = writer.orm.update(table).set({ carry }).where(one(userId, account)).run()
  if (done.changes === 0) throw storeFault('not-found', 'No such account')
  return deriveAgain(writer, { userId, where: 'account = ?', values: [account] })
}

type ConnectedRow = {
  key: string
  name: string
  environment: 'live' | 'demo'
  login_id: string
  login_name: string | null
  balance: Amount | null
  currency: string
  balance_at: number | null
  carry: number
  crosses: number
  last_sync_at: number | null
  fills: number
}

// An open position at the end of an account's last day may still be closed on that day.
const connectedSql = `SELECT key, accounts.name, environment, login_id, logins.name AS login_name, balance, currency, balance_at, carry, last_sync_at,
  EXISTS (SELECT 1 FROM batches AS day WHERE day.user_id = accounts.user_id AND account = key AND (begins_open = 1
    OR (ends_open = 1 AND local_date < (SELECT max(local_date) FROM batches WHERE user_id = accounts.user_id AND account = key)))) AS crosses,
  (SELECT count(*) FROM fills WHERE fills.user_id = accounts.user_id AND account = key) AS fills
  FROM accounts LEFT JOIN logins ON logins.id = login_id WHERE accounts.user_id = ? AND removed_at IS NULL ORDER BY accounts.connected_at, key`

export const connectedAccounts: Read<'connectedAccounts'> = (reader, { userId }) =>
  query<ConnectedRow>(reader, connectedSql)
    .all(userId)
    .map(
      (row): ConnectedAccount => ({
        id: row.key,
        name: row.name,
        environment: row.environment,
        loginId: row.login_id,
        loginName: row.login_name ?? '',
        balance: toDecimalString(row.balance ?? zero),
        currency: row.currency,
        balanceAt: isoTime(row.balance_at),
        carry: row.carry === 1,
        crossesMidnight: row.carry === 0 && row.crosses === 1,
        lastSyncAt: isoTime(row.last_sync_at),
        fills: row.fills,
      }),
    )

type FillRow = { id: string; contract: string; broker_contract_id: string | null; side: 'buy' | 'sell'; qty: number; price: Ticks; tick_size: string; time: number }

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
      platform: brokerPlatform,
    }))

export const brokerageAccounts: Read<'brokerageAccounts'> = (reader, { userId, fillsSince: since }) =>
  reader.orm
    .select()
    .from(table)
    .where(eq(table.userId, userId))
    .all()
    .filter(({ removedAt }) => removedAt === null)
    .map(({ key, name, balance, currency }) => ({ id: key, name, balance: toJsonNumber(balance ?? zero), currency, fills: fillsSince(reader, userId, key, since) }))
