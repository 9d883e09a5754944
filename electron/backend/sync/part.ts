import { ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { isFrequent } from '#shared/sync/plan.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokeragePart, FetchedSession } from '../brokers/port.ts'
import { takePast } from './past.ts'
import { holdBooks } from './books.ts'
import { settleFees } from './fees.ts'
import { saveSession } from './saving.ts'
import type { PartSetup, Tally } from './tally.ts'

/** Brings the journal up to date with what one login sees on one side of the broker. The broker's trouble ends up in the tally; a fault of the journal throws. */
export const runPart = async (setup: PartSetup, part: BrokeragePart, tally: Tally): Promise<void> => {
  const outcome = await takeAll(setup, part, tally)
  if (outcome.ok) tally.finished = true
  else tally.failures.push(outcome.error)
}

const takeAll = async (setup: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, trigger, now, barrier, progress } = setup
  progress({ phase: 'accounts', done: 0, total: 1 })
  const accounts = await takeAccounts(setup, part, tally)
  if (!accounts.ok) return accounts
  tally.accounts = accounts.value
  barrier('accounts-saved')
  if (accounts.value.length === 0) return ok(null)

  progress({ phase: 'balances', done: 0, total: 2 })
  const balances = await part.balances(tally.accounts)
  if (!balances.ok) return balances
  const ours = balances.value.filter(({ account }) => tally.accounts.includes(account))
  if (ours.length > 0) await journal.write.saveBalances({ userId, at: now(), balances: ours })
  barrier('balances-saved')

  if (part.past !== undefined && !isFrequent(trigger)) {
    const past = await takePast(setup, tally, part.past, part.firstDay ?? (() => null))
    if (!past.ok) return past
  }
  const session = await part.session(tally.accounts)
  if (!session.ok) return session
  tally.askedAt = session.value.askedAt
  await takeWorkedOrders(setup, tally, session.value)
  barrier('orders-saved')
  const saved = await saveSession(setup, tally, session.value)
  if (!saved.ok) return saved
  await noteLackingAccounts(setup, tally, session.value)
  await holdBooks(setup, tally, session.value)
  if (part.bookedSince !== undefined) await settleFees(setup, tally, part.bookedSince)
  return ok(null)
}

/** The fill that ends a trade brings all that its orders worked at; without a new one there is nothing to ask. They are kept before the fills: after a stop in between the fills are still new, and the orders are asked for again. */
const takeWorkedOrders = async ({ userId, journal, now }: PartSetup, { accounts }: Tally, { worked, fills, askedAt }: FetchedSession): Promise<void> => {
  if (worked === undefined) return
  const ids = fills.filter(({ account }) => accounts.includes(account)).map(({ id }) => id)
  const known = await journal.read.knownFills({ userId, accounts, ids })
  if (known.length >= ids.length) return
  const orders = (await worked()).filter(({ account }) => accounts.includes(account))
  if (orders.length > 0) await journal.write.saveWorkedOrders({ userId, orders, at: askedAt ?? now() })
}

/** Accounts whose session is not read as a whole: a fill was refused, or one that is known is not in the answer. */
const noteLackingAccounts = async ({ userId, journal }: PartSetup, tally: Tally, { answered, tradeDate, refusedOf, refusedOfAny, feesSettled }: FetchedSession): Promise<void> => {
  tally.settled = feesSettled
  for (const account of refusedOfAny ? tally.accounts : refusedOf) tally.lacking.add(account)
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
const takeAccounts = async ({ userId, loginId, side, journal, trigger, now }: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<AccountKey[], BrokerFailure>> => {
  const known = (await journal.read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment === side)
  const listed = await part.accounts()
  if (!listed.ok) {
    // A login that never had accounts on this side may well be kept out of it.
    return listed.error.kind === 'permission-missing' && known.length === 0 ? ok([]) : listed
  }
  const accounts = listed.value.filter(({ key, closed }) => !closed || known.some((account) => account.key === key)).map(({ key, environment, brokerAccountId, name }) => ({ key, environment, brokerAccountId, name }))
  for (const { key, name } of accounts) tally.names.set(key, name)
  const { skipped } = await journal.write.saveAccounts({ userId, loginId, accounts, reconnect: trigger === 'connect', at: now() })
  await journal.write.settleImports({ userId, at: now() })
  const keys = new Set([...known.filter(({ removedAt }) => removedAt === null).map(({ key }) => key), ...accounts.map(({ key }) => key)])
  for (const key of skipped) keys.delete(key)
  tally.listed = new Set(accounts.map(({ key }) => key).filter((key) => keys.has(key)))
  return ok([...keys])
}
