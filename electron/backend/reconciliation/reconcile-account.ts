import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import type { IncompleteDay } from '#shared/imports/derive-trades.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf, negate, type Amount, type Currency } from '#shared/money/money.ts'
import type { RunningSession } from '#shared/reconcile/account-days.ts'
import type { BookedFee } from '#shared/reconcile/day-check.ts'
import { reconcileSources, otherBookedFees, type ReconcileSources, type Reconciliation } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../db/database.ts'
import type { accounts } from '../db/schema/brokerage.ts'
import type { SqlRow } from '../db/tables.ts'
import { brokerFiguresOf } from '../imports/broker-figures.ts'
import { journalPairs, type JournalFill, type JournalPairs } from './journal-pairs.ts'
import { ownFeesOf } from '../own-data/own-fees.ts'
import { specOf } from '../fills/specs.ts'
import { statedFillsOf } from './stated-fills.ts'
import { accountKey } from '../trades/trade-view.ts'

/** An account with fills to compare with a broker's figures, or with manual trades only. */
export type ReconciledAccount = {
  readonly key: AccountKey
  readonly name: string
  /** No login reaches it. */
  readonly fileOnly: boolean
  /** Only manual trades name it. */
  readonly byHand: boolean
}

/** One account compared with its broker's figures, and the inputs of the comparison. */
export type AccountReconciled = { readonly account: ReconciledAccount; readonly own: JournalPairs; readonly sources: ReconcileSources; readonly result: Reconciliation }

type AccountRow = Pick<SqlRow<typeof accounts>, 'key' | 'name' | 'login_id'>

const knownSql = 'SELECT key, name, login_id FROM accounts WHERE user_id = ? AND removed_at IS NULL'
const byHandSql = `SELECT ${accountKey} AS key, max(COALESCE(account, account_id)) AS name FROM trades AS row
  WHERE user_id = ? AND origin = 'manual' AND account_id NOT IN (SELECT key FROM accounts WHERE user_id = ?) GROUP BY 1`

/** The accounts that a reconciliation shows. */
export const reconciledAccounts = (reader: Reader, userId: string): readonly ReconciledAccount[] => [
  ...query<AccountRow>(reader, knownSql).all(userId).map(({ key, name, login_id }) => ({ key, name, fileOnly: login_id === '', byHand: false })),
  ...query<{ key: AccountKey; name: string }>(reader, byHandSql).all(userId, userId).map(({ key, name }) => ({ key, name, fileOnly: false, byHand: true })),
]

/** Compares an account's trades in the journal with the broker's figures; `shared` are its days on which another account may have the same fills. */
export const reconcileAccount = (reader: Reader, userId: string, account: ReconciledAccount, shared: readonly DoubtfulDays[]): AccountReconciled => {
  const { slowFills, doubtful, ...figures } = brokerFiguresOf(reader, userId, account.key)
  const own = journalPairs(reader, userId, account.key, slowFills)
  const sources = {
    ...{ closed: own.closed, fills: own.fills, fees: bookedFees(reader, userId, own), incompleteDays: incompleteDays(reader, userId, account.key) },
    ...{ broker: { ...figures, doubtful: [...doubtful, ...shared] }, running: runningSessions(reader, userId, account.key), stated: statedFillsOf(reader, userId, account.key) },
  }
  return { account, own, sources, result: reconcileSources(sources) }
}

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
    return { account, tradingDay: bookedDay({ contract, time, tradeDate: tradeDate ?? null }), currency: spec.currency, contract, fee: fee ?? amountOf(perSide * qty) }
  }
  const charged: BookedFee[] = []
  for (const fill of fills) {
    if (!fill.active) continue
    charged.push(feeOf(fill))
    if (fill.otherFees !== undefined) charged.push(...otherBookedFees(fill))
  }
  return [
    ...charged,
    ...[...entered].map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: fees })),
    ...removed.map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: negate(fees) })),
    ...removed.flatMap(({ account, tradingDay, contract, otherFees }) => otherFees.map(({ currency, amount }) => ({ account, tradingDay, currency, contract, fee: negate(amount) }))),
  ]
}
