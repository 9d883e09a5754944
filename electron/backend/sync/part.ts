import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { lastWholeDay, missingWindows } from '#shared/sync/history-windows.ts'
import { isFrequent } from '#shared/sync/plan.ts'
import { addCounts, noCounts } from '#shared/sync/receipt.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokeragePart, FetchedFills, FetchedSession } from '../brokers/port.ts'
import type { TakenFill } from '../db/rows.ts'
import { compareBooks } from './books.ts'
import { derivedCounts, leaveOut, takenCounts, type PartSetup, type Tally } from './tally.ts'

/** How many days back past trading days are read if nobody says when an account's first one was. */
const pastDays = 365
/** Past days that are saved at once: a program that ends loses no more. */
const longestWindow = 28
/** How many days back to look for sessions whose fees nobody read after their end. */
const feeDays = 7
/** Fills handed to the journal at once: enough to be fast, few enough for the bar to move and a stop to be prompt. */
const fillsAtOnce = 5_000

/** Brings the journal up to date with what one login sees on one side of the broker. Broker failures go to the tally; a journal fault throws. */
export const runPart = async (setup: PartSetup, part: BrokeragePart, tally: Tally): Promise<void> => {
  const outcome = await runSteps(setup, part, tally)
  if (outcome.ok) tally.finished = true
  else tally.failures.push(outcome.error)
}

const runSteps = async (setup: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<null, BrokerFailure>> => {
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
  const saved = await saveFetched(setup, tally, session.value)
  if (!saved.ok) return saved
  await noteLackingAccounts(setup, tally, session.value)
  await compareBooks(setup, tally, session.value)
  if (part.bookedSince !== undefined) await settleFees(setup, tally, part.bookedSince)
  return ok(null)
}

/** The accounts that this run syncs: those that the broker lists and those known before, without those that the user removed. */
const takeAccounts = async ({ userId, loginId, side, journal, trigger, connectedAt, now }: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<AccountKey[], BrokerFailure>> => {
  const known = (await journal.read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment === side)
  const listed = await part.accounts()
  if (!listed.ok) {
    // A login that never had accounts on this side may lack the permission for it.
    return listed.error.kind === 'permission-missing' && known.length === 0 ? ok([]) : listed
  }
  const accounts = listed.value.filter(({ key, closed }) => !closed || known.some((account) => account.key === key)).map(({ key, environment, brokerAccountId, name }) => ({ key, environment, brokerAccountId, name }))
  for (const { key, name } of accounts) tally.names.set(key, name)
  const { skipped } = await journal.write.saveAccounts({ userId, loginId, accounts, reconnect: trigger === 'connect', removedUntil: connectedAt, at: now() })
  await journal.write.settleImports({ userId, at: now() })
  const keys = new Set([...known.filter(({ removedAt }) => removedAt === null).map(({ key }) => key), ...accounts.map(({ key }) => key)])
  for (const key of skipped) keys.delete(key)
  tally.listed = new Set(accounts.map(({ key }) => key).filter((key) => keys.has(key)))
  return ok([...keys])
}

/**
 * Reads past trading days that no run has read yet, from brokerages that list them; oldest first, so that open positions
 * carry forward. A window is recorded once its fills are saved, but never if one of them was unreadable.
 */
const takePast = async (setup: PartSetup, tally: Tally, past: NonNullable<BrokeragePart['past']>, firstDay: NonNullable<BrokeragePart['firstDay']>): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, progress } = setup
  const to = lastWholeDay(now())
  const { windows } = await journal.read.history({ userId })
  const todo = [...tally.listed].flatMap((account) => {
    const known = windows.filter((window) => window.account === account)
    const from = firstDay(account) ?? isoDate(dayOfDate(to) - pastDays)
    return missingWindows({ from, to }, known, longestWindow).reverse().map((days) => ({ account, days }))
  })
  for (const [done, { account, days }] of todo.entries()) {
    progress({ phase: 'fills', done, total: todo.length })
    const fetched = await past(account, days)
    if (!fetched.ok) return fetched
    const { fills, pairs, trips } = tally.counts
    const saved = await saveFetched({ ...setup, progress: () => undefined }, tally, fetched.value)
    if (!saved.ok) return saved
    for (const { positions, ...span } of fetched.value.positions ?? []) await journal.write.keepEvidence({ userId, at: now(), source: 'broker', ...span, positions: positions.map(({ contract, time, net }) => ({ contract, time, net })), missing: [] })
    if (fetched.value.refused.length > 0) continue
    await journal.write.noteHistoryWindow({ userId, account, ...days, at: now(), importId: null })
    const added = { fills: tally.counts.fills.added - fills.added, pairs: tally.counts.pairs.added - pairs.added, trips: tally.counts.trips.added - trips.added }
    await journal.write.countHistoryWindow({ userId, account, ...days, ...added })
  }
  return ok(null)
}

/**
 * Saves the prices that orders worked at, if the session has a new fill. They are saved before the fills: if the program
 * stops in between, the fills are still new in the next run, which reads the orders again.
 */
const takeWorkedOrders = async ({ userId, journal, now }: PartSetup, { accounts }: Tally, { worked, fills, askedAt }: FetchedSession): Promise<void> => {
  if (worked === undefined) return
  const ids = fills.filter(({ account }) => accounts.includes(account)).map(({ id }) => id)
  const known = await journal.read.knownFills({ userId, accounts, ids })
  if (known.length >= ids.length) return
  const orders = (await worked()).filter(({ account }) => accounts.includes(account))
  if (orders.length > 0) await journal.write.saveWorkedOrders({ userId, orders, at: askedAt ?? now() })
}

/** Saves new contracts, then the fills in groups; a batch is never split between two groups. */
const saveFetched = async (setup: PartSetup, tally: Tally, session: FetchedFills): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, barrier, progress, signal, side } = setup
  const accounts = new Set<string>(tally.accounts)
  const isWanted = ({ account }: { readonly account: string }): boolean => accounts.has(account)
  const wanted = session.fills.filter(isWanted)
  leaveOut(tally, session.refused)
  const refusedFills = tally.refused.filter((row) => row.entity === 'fill').length - tally.counts.fills.refused
  tally.counts = addCounts(tally.counts, { ...noCounts, fills: { ...noCounts.fills, received: session.received - (session.fills.length - wanted.length), refused: refusedFills } })

  const contracts = session.asked.map((row) => ({ environment: side, ...row }))
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
  const { stated } = session
  if (stated !== undefined) await journal.write.saveStated({ userId, stated: stated.fills.filter(isWanted), voided: stated.voided.filter(isWanted), spans: stated.spans.filter(isWanted) })
  return ok(null)
}

const groups = (fills: readonly TakenFill[]): TakenFill[][] => {
  const groups: TakenFill[][] = []
  let group: TakenFill[] = []
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

/** Notes the accounts whose session was not read completely: a fill was refused, or the answer lacks a fill that the journal has. */
const noteLackingAccounts = async ({ userId, journal }: PartSetup, tally: Tally, { answered, tradeDate, refusedOf, refusedOfAny, feesSettled }: FetchedSession): Promise<void> => {
  tally.settled = feesSettled
  for (const account of refusedOfAny ? tally.accounts : refusedOf) tally.lacking.add(account)
  const day = tradeDate ?? (tally.askedAt === null ? null : tradingDay(tally.askedAt))
  if (day === null) return
  const known = await journal.read.fillsOfSession({ userId, accounts: tally.accounts, tradeDate: day })
  const missing = known.filter(({ id }) => !answered.has(id))
  // After the close the broker may have cleared its lists: an empty answer says nothing about the session.
  if (answered.size === 0 && tally.askedAt !== null && tally.askedAt >= sessionOf(day).closes) {
    if (missing.length > 0) tally.askedAt = null
    return
  }
  for (const { account } of missing) tally.lacking.add(account)
}

/**
 * Reads the fees of past sessions again if no run read them after the session's end. If the broker no longer knows them,
 * its last answer stays until a report has more, and they are not requested again.
 */
const settleFees = async ({ userId, side, journal, now }: PartSetup, tally: Tally, bookedSince: NonNullable<BrokeragePart['bookedSince']>): Promise<void> => {
  const today = tradingDay(now())
  const sessions = await journal.read.unsettledSessions({ userId, accounts: tally.accounts, since: isoDate(dayOfDate(today) - feeDays), before: today })
  for (const { account, tradingDay: day, fills } of sessions) {
    const counting = fills.filter(({ active }) => active)
    const contracts = await journal.read.knownContracts({ userId, environment: side, brokerContractIds: [...new Set(counting.flatMap(({ contractId }) => contractId ?? []))] })
    const specs = new Map(contracts.map(({ spec }) => [spec.contract, spec]))
    const booked = await bookedSince(counting, specs)
    if (!booked.ok) {
      if (booked.error.kind !== 'aborted') tally.failures.push(booked.error)
      return
    }
    if (booked.value === null) return
    if (booked.value.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.takeFills({ userId, fills: booked.value, specs: [...specs.values()], at: now() })))
    await journal.write.noteSettled({ userId, account, tradingDay: day })
  }
}
