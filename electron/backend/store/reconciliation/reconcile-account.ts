import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import type { IncompleteDay } from '#shared/imports/derive-trades.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf, negate, type Amount, type Currency } from '#shared/money/money.ts'
import type { RunningSession } from '#shared/reconcile/account-days.ts'
import type { BookedFee } from '#shared/reconcile/day-check.ts'
import { holdAgainst, otherBookedFees, type ReconcileSources, type Reconciliation } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../database.ts'
import { standingReadings } from '../imports/imports.ts'
import { journalPairs, type JournalFill, type JournalPairs } from './journal-pairs.ts'
import { ownFeesOf } from '../accounts/own-fees.ts'
import { putTogether } from '../imports/put-together.ts'
import { specOf } from '../fills/specs.ts'
import { accountKey } from '../trades/trade-view.ts'

/** An account of which there is something to hold against a broker's figures, or trades that only their user knows. */
export type ReconciledAccount = {
  readonly key: AccountKey
  readonly name: string
  /** No login reaches it. */
  readonly fileOnly: boolean
  /** It stands only in trades that its user entered. */
  readonly byHand: boolean
}

/** One account held against its broker's figures, and what went into it. */
export type AccountReconciled = { readonly account: ReconciledAccount; readonly own: JournalPairs; readonly sources: ReconcileSources; readonly result: Reconciliation }

type AccountRow = { key: AccountKey; name: string; login_id: string }

const knownSql = 'SELECT key, name, login_id FROM accounts WHERE user_id = ? AND removed_at IS NULL'
const byHandSql = `SELECT ${accountKey} AS key, max(COALESCE(account, account_id)) AS name FROM trades AS row
  WHERE user_id = ? AND origin = 'manual' AND account_id NOT IN (SELECT key FROM accounts WHERE user_id = ?) GROUP BY 1`

const accountsInView = (reader: Reader, userId: string): ReconciledAccount[] => [
  ...query<AccountRow>(reader, knownSql).all(userId).map(({ key, name, login_id }) => ({ key, name, fileOnly: login_id === '', byHand: false })),
  ...query<{ key: AccountKey; name: string }>(reader, byHandSql).all(userId, userId).map(({ key, name }) => ({ key, name, fileOnly: false, byHand: true })),
]

type Kept = { readonly state: string; readonly accounts: readonly AccountReconciled[] }

const kept = new WeakMap<Reader, Kept>()

// SQLite's own word for what is in the file: another one after each commit of others, and after each change of this connection.
const stateSql = 'SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version'

/**
 * Holds the trades of each of these accounts (an empty list is all) as they stand in the journal against what its broker
 * told. A page asks this for its list and for each day that it opens, so it is kept for as long as the file stays as it is.
 */
export const reconcileAccounts = (reader: Reader, userId: string, keys: readonly string[]): readonly AccountReconciled[] => {
  const state = JSON.stringify([userId, query(reader, stateSql).get()])
  const accounts = keptFor(reader, state) ?? reconcileAnew(reader, userId, state)
  return keys.length === 0 ? accounts : accounts.filter(({ account }) => keys.includes(account.key))
}

const keptFor = (reader: Reader, state: string): readonly AccountReconciled[] | null => {
  const known = kept.get(reader)
  return known?.state === state ? known.accounts : null
}

const reconcileAnew = (reader: Reader, userId: string, state: string): readonly AccountReconciled[] => {
  // What is of no use any more must not be held beside what takes its place.
  kept.delete(reader)
  const accounts = reconcileAll(reader, userId)
  kept.set(reader, { state, accounts })
  return accounts
}

const reconcileAll = (reader: Reader, userId: string): AccountReconciled[] => {
  const toldOf = toldByAccount(reader, userId)
  return accountsInView(reader, userId).map((account) => {
    const told = toldOf(account.key)
    const own = journalPairs(reader, userId, account.key, told)
    const sources = { closed: own.closed, fills: own.fills, fees: bookedFees(reader, userId, own), incompleteDays: incompleteDays(reader, userId, account.key), told: { pairs: told.pairs, cash: told.cash, balances: told.balances, doubtful: told.doubtful }, running: runningSessions(reader, userId, account.key) }
    return { account, own, sources, result: holdAgainst(sources) }
  })
}

type Told = Pick<Assembly, 'fills' | 'specs' | 'pairs' | 'cash' | 'balances' | 'doubtful'>

// Of a million fills that stand in the journal anyway only those are kept of which an order tells more.
const toldByAccount = (reader: Reader, userId: string): ((account: AccountKey) => Told) => {
  const { fills, specs, pairs, cash, balances, doubtful } = putTogether(reader, userId, [...standingReadings(reader, userId)].flat()).assembly
  const lasting = fills.filter(({ since, time }) => since < time)
  const parts = { fills: Map.groupBy(lasting, keyOfRow), pairs: Map.groupBy(pairs, keyOfRow), cash: Map.groupBy(cash, keyOfRow), balances: Map.groupBy(balances, keyOfRow), doubtful: Map.groupBy(doubtful, keyOfRow) }
  return (account) => ({ specs, fills: parts.fills.get(account) ?? [], pairs: parts.pairs.get(account) ?? [], cash: parts.cash.get(account) ?? [], balances: parts.balances.get(account) ?? [], doubtful: parts.doubtful.get(account) ?? [] })
}

const keyOfRow = ({ account }: { readonly account: AccountKey }): AccountKey => account

const incompleteSql = "SELECT DISTINCT contract, day.value AS day FROM batches, json_each(doubtful_days) AS day WHERE user_id = ? AND account = ?"

const incompleteDays = (reader: Reader, userId: string, account: AccountKey): readonly IncompleteDay[] =>
  query<{ contract: string; day: string }>(reader, incompleteSql).all(userId, account).map(({ contract, day }) => ({ account, tradingDay: day, currency: specOf(reader, userId, contract).currency }))

const runningSessions = (reader: Reader, userId: string, account: AccountKey): readonly RunningSession[] =>
  query<{ day: string; currency: Currency; realized: Amount }>(reader, 'SELECT trading_day AS day, currency, realized FROM running_sessions WHERE user_id = ? AND account = ?')
    .all(userId, account)
    .map(({ day, currency, realized }) => ({ account, tradingDay: day, currency, realized }))

/** The fees of all fills that count and of trades that were entered by hand, less those of trades that their user removed. */
const bookedFees = (reader: Reader, userId: string, { fills, removed, entered }: JournalPairs): readonly BookedFee[] => {
  const ownFees = ownFeesOf(reader, userId)
  const specs = new Map<string, ContractSpec>()
  const feeOf = ({ account, contract, time, tradeDate, qty, fee }: JournalFill): BookedFee => {
    const spec = specs.get(contract) ?? specOf(reader, userId, contract)
    specs.set(contract, spec)
    const perSide = ownFees(account, contract)?.perSide ?? spec.feePerSide
    return { account, tradingDay: bookedDay({ time, tradeDate: tradeDate ?? null }), currency: spec.currency, contract, fee: fee ?? amountOf(perSide * qty) }
  }
  return [
    ...fills.filter(({ active }) => active).flatMap((fill) => [feeOf(fill), ...otherBookedFees(fill)]),
    ...[...entered].map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: fees })),
    ...removed.map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: negate(fees) })),
    ...removed.flatMap(({ account, tradingDay, contract, otherFees }) => otherFees.map(({ currency, amount }) => ({ account, tradingDay, currency, contract, fee: negate(amount) }))),
  ]
}
