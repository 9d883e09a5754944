import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { BrokerFailure } from '../tradovate/failure.ts'
import { accountKey, mapBalances } from '../tradovate/mapping.ts'
import type { CurrencyRow } from '../tradovate/wire.ts'
import { saveSession } from './saving.ts'
import { readSession } from './session.ts'
import { leaveOut, type PartSetup, type Tally } from './tally.ts'

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
  if (!currencies.ok) return currencies
  leaveOut(tally, currencies.value.refused)
  progress({ phase: 'balances', done: 1, total: 2 })
  const balances = await takeBalances(setup, tally, currencies.value.rows)
  if (!balances.ok) return balances
  barrier('balances-saved')

  const session = await readSession(setup, tally, currencies.value.rows)
  if (!session.ok) return session
  return saveSession(setup, tally, session.value)
}

/** The accounts that this run fills: those of the list and those known from before, without the ones that the user removed. */
const takeAccounts = async ({ userId, loginId, side, reads, journal, reconnect, now, signal }: PartSetup, tally: Tally): Promise<Result<AccountKey[], BrokerFailure>> => {
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
  const { skipped } = await journal.write.saveAccounts({ userId, loginId, accounts, reconnect, at: now() })
  await journal.write.settleImports({ userId, at: now() })
  const keys = new Set([...known.filter(({ removedAt }) => removedAt === null).map(({ key }) => key), ...accounts.map(({ key }) => key)])
  for (const key of skipped) keys.delete(key)
  return ok([...keys])
}

// These concern the one call; whatever else goes wrong would meet the next call too.
const ofOneCall: readonly BrokerFailure['kind'][] = ['permission-missing', 'not-found', 'refused-by-broker', 'unreadable-answer']

const takeBalances = async ({ userId, side, reads, journal, now, signal }: PartSetup, tally: Tally, currencies: readonly CurrencyRow[]): Promise<Result<null, BrokerFailure>> => {
  const listed = await reads.cashBalances(signal)
  if (!listed.ok) {
    if (!ofOneCall.includes(listed.error.kind)) return err(listed.error)
    tally.failures.push(listed.error)
    return ok(null)
  }
  const { balances, refused } = mapBalances(side, listed.value.rows, currencies)
  leaveOut(tally, [...listed.value.refused, ...refused])
  await journal.write.saveBalances({ userId, at: now(), balances: balances.filter(({ account }) => tally.accounts.includes(account)) })
  return ok(null)
}
