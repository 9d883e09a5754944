import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addCounts, noCounts } from '#shared/sync/receipt.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'
import { accountKey, mapBalances, type BrokerFill } from '../brokers/tradovate/mapping.ts'
import type { CurrencyRow } from '../brokers/tradovate/wire.ts'
import { holdBooks } from './books.ts'
import { settleFees } from './fees.ts'
import { readSession, type FetchedSession } from './session.ts'
import { derivedCounts, goesOn, leaveOut, takenCounts, type PartSetup, type Tally } from './tally.ts'
import type { ContractRow } from '../db/rows.ts'

/** Brings the journal up to date with what one login sees on one side of the broker. The broker's trouble ends up in the tally; a fault of the journal throws. */
export const runPart = async (setup: PartSetup, tally: Tally): Promise<void> => {
  const outcome = await takeAll(setup, tally)
  if (outcome.ok) tally.finished = true
  else tally.failures.push(outcome.error)
}

const takeAll = async (setup: PartSetup, tally: Tally): Promise<Result<null, BrokerFailure>> => {
  const { barrier, progress, reads, signal } = setup
  progress({ phase: 'accounts', done: 0, total: 1 })
  const accounts = await takeAccounts(setup, tally)
  if (!accounts.ok) return accounts
  tally.accounts = accounts.value
  barrier('accounts-saved')
  if (accounts.value.length === 0) return ok(null)

  progress({ phase: 'balances', done: 0, total: 2 })
  const currencies = await reads.currencies(signal)
  if (!currencies.ok && !goesOn(currencies.error)) return currencies
  if (currencies.ok) leaveOut(tally, currencies.value.refused)
  else tally.failures.push(currencies.error)
  const currencyRows = currencies.ok ? currencies.value.rows : null
  progress({ phase: 'balances', done: 1, total: 2 })
  const balances = currencyRows === null ? ok(null) : await takeBalances(setup, tally, currencyRows)
  if (!balances.ok) return balances
  barrier('balances-saved')

  const session = await readSession(setup, tally, currencyRows)
  if (!session.ok) return session
  const saved = await saveSession(setup, tally, session.value)
  if (!saved.ok) return saved
  await noteLackingAccounts(setup, tally, session.value)
  await holdBooks(setup, tally, session.value)
  if (currencyRows !== null) await settleFees(setup, tally, currencyRows)
  return ok(null)
}

/** Accounts whose session is not read as a whole: a fill was refused, or one that is known is not in the answer. */
const noteLackingAccounts = async ({ userId, journal }: PartSetup, tally: Tally, { answered, tradeDate, refusedOf, refusedOfAny, ordersRead, feesSettled }: FetchedSession): Promise<void> => {
  tally.settled = feesSettled
  for (const account of refusedOfAny || !ordersRead ? tally.accounts : refusedOf) tally.lacking.add(account)
  const day = tradeDate ?? (tally.askedAt === null ? null : tradingDay(tally.askedAt))
  if (day === null) return
  const known = await journal.read.fillsOfSession({ userId, accounts: tally.accounts, tradeDate: day })
  const missing = known.filter(({ id }) => !answered.has(id))
  // Behind the close the broker may have cleared its lists: an answer without anything says nothing of the session.
  if (answered.size === 0 && tally.askedAt !== null && tally.askedAt >= sessionOf(day).closes) {
    if (missing.length > 0) tally.askedAt = null
    return
  }
  for (const { account } of missing) tally.lacking.add(account)
}

/** The accounts that this run fills: those of the list and those known from before, without the ones that the user removed. */
const takeAccounts = async ({ userId, loginId, side, reads, journal, trigger, now, signal }: PartSetup, tally: Tally): Promise<Result<AccountKey[], BrokerFailure>> => {
  const known = (await journal.read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment === side)
  const listed = await reads.accounts(signal)
  if (!listed.ok) {
    // A login that never had accounts on this side may well be kept out of it.
    return listed.error.kind === 'permission-missing' && known.length === 0 ? ok([]) : listed
  }
  leaveOut(tally, listed.value.refused)
  const accounts = listed.value.rows
    .map((row) => ({ row, key: accountKey(side, row.id) }))
    .filter(({ row, key }) => (row.closed !== true && row.archived !== true) || known.some((account) => account.key === key))
    .map(({ row, key }) => ({ key, environment: side, brokerAccountId: String(row.id), name: row.name }))
  for (const { key, name } of accounts) tally.names.set(key, name)
  const { skipped } = await journal.write.saveAccounts({ userId, loginId, accounts, reconnect: trigger === 'connect', at: now() })
  await journal.write.settleImports({ userId, at: now() })
  const keys = new Set([...known.filter(({ removedAt }) => removedAt === null).map(({ key }) => key), ...accounts.map(({ key }) => key)])
  for (const key of skipped) keys.delete(key)
  tally.listed = new Set(accounts.map(({ key }) => key).filter((key) => keys.has(key)))
  return ok([...keys])
}

const takeBalances = async ({ userId, side, reads, journal, now, signal }: PartSetup, tally: Tally, currencies: readonly CurrencyRow[]): Promise<Result<null, BrokerFailure>> => {
  const listed = await reads.cashBalances(signal)
  if (!listed.ok) {
    if (!goesOn(listed.error)) return err(listed.error)
    tally.failures.push(listed.error)
    return ok(null)
  }
  const { balances, refused } = mapBalances(side, listed.value.rows, currencies)
  leaveOut(tally, [...listed.value.refused, ...refused])
  await journal.write.saveBalances({ userId, at: now(), balances: balances.filter(({ account }) => tally.accounts.includes(account)) })
  return ok(null)
}

/** Fills handed to the journal at once: enough to be fast, few enough for the bar to move and a stop to be prompt. */
const fillsAtOnce = 5_000

/** Keeps new contracts, then takes the fills in groups that no batch is split over. */
const saveSession = async (setup: PartSetup, tally: Tally, session: FetchedSession): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, barrier, progress, signal, side } = setup
  const accounts = new Set<string>(tally.accounts)
  const wanted = session.fills.filter((fill) => accounts.has(fill.account))
  leaveOut(tally, session.refused)
  const refusedFills = tally.refused.filter((row) => row.entity === 'fill').length
  tally.counts = addCounts(tally.counts, { ...noCounts, fills: { ...noCounts.fills, received: session.received - (session.fills.length - wanted.length), refused: refusedFills } })

  const contracts = contractsToKeep(session, side)
  if (contracts.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.saveContracts({ userId, contracts, at: now() })))
  barrier('contracts-saved')

  let done = 0
  for (const fills of groups(wanted)) {
    if (signal.aborted) return err({ kind: 'aborted' })
    progress({ phase: 'saving', done, total: wanted.length })
    const contractsOfGroup = new Set(fills.map((fill) => fill.contract))
    const specs = session.specs.filter((spec) => contractsOfGroup.has(spec.contract))
    tally.counts = addCounts(tally.counts, takenCounts(await journal.write.takeFills({ userId, fills, specs, at: now() })))
    done += fills.length
    barrier('fills-taken')
  }
  return ok(null)
}

/** Only the broker's own figures are kept: what came from the table is asked for again, since the broker may know it by then. */
const contractsToKeep = ({ contracts, askedContracts }: FetchedSession, environment: ContractRow['environment']): ContractRow[] =>
  [...contracts].flatMap(([id, spec]) => (spec.source === 'broker' && askedContracts.has(id) ? [{ environment, brokerContractId: String(id), spec }] : []))

const groups = (fills: readonly BrokerFill[]): BrokerFill[][] => {
  const groups: BrokerFill[][] = []
  let group: BrokerFill[] = []
  for (const own of Map.groupBy(fills, (fill) => `${fill.account} ${fill.contract}`).values()) {
    if (group.length > 0 && group.length + own.length > fillsAtOnce) {
      groups.push(group)
      group = []
    }
    group = group.concat(own)
  }
  if (group.length > 0) groups.push(group)
  return groups
}
