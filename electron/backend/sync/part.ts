import type { RefusedRow } from '#shared/api/sync.ts'
import { inGroups } from '#shared/base/in-groups.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf, previousTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import { lastWholeDay, missingWindows } from '#shared/sync/history-windows.ts'
import { type HoldingTrouble, agreeingPairs, carriedLots, comparePosition, sessionStart, type BrokerPair, type BrokerPosition, type HeldFacts } from '#shared/sync/holdings.ts'
import { isFrequent, type Environment, type SyncTrigger } from '#shared/sync/plan.ts'
import type { PartProgress } from '#shared/sync/progress.ts'
import { addCounts, noCounts, type SyncCounts } from '#shared/sync/receipt.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokerageLogin, BrokeragePart, FetchedFills, FetchedSession, PartAsk, BrokerBooks } from '../brokers/port.ts'
import type { NewFill, SaveCounts } from '../db/rows.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { RefusedRow as LeftOut } from '../brokers/rows.ts'

/** Moments of a run, in order, at which a test may kill the program. */
export type SyncMoment = 'tokens-ready' | 'accounts-saved' | 'balances-saved' | 'fills-fetched' | 'orders-saved' | 'contracts-saved' | 'fills-taken' | 'receipt-saved'

/** Called at each moment; outside of tests it does nothing. */
export type SyncBarrier = (name: SyncMoment) => void

/** One login on one side of the broker, in one run. */
export type PartSetup = {
  readonly userId: string
  readonly loginId: string
  readonly environment: Environment
  readonly journal: JournalCalls
  /** Connecting a login brings back accounts that were removed before. */
  readonly trigger: SyncTrigger
  /** When the login was connected, UTC ms, in a run that this started. */
  readonly connectedAt: number | undefined
  /** UTC milliseconds. */
  readonly now: () => number
  readonly progress: (progress: PartProgress) => void
  readonly barrier: SyncBarrier
  readonly signal: AbortSignal
}

/** What a part has done so far; it grows while the part runs, so that a failure loses none of it. */
export type Tally = {
  accounts: readonly AccountKey[]
  /** The broker's names of accounts. */
  readonly names: Map<AccountKey, string>
  /** Those of `accounts` that the broker listed in this run. */
  listed: ReadonlySet<AccountKey>
  /** When the list of fills was requested, UTC ms; null before that, and if the broker's next session began meanwhile. */
  askedAt: number | null
  /** Accounts that lack a fill known to exist. */
  readonly lacking: Set<AccountKey>
  /** Whether the session was over and its fees were read. */
  settled: boolean
  /** Where the broker's own books and the journal differ. */
  readonly holdings: HoldingTrouble[]
  counts: SyncCounts
  readonly refused: RefusedRow[]
  /** What could not be read; all but the last stopped only their own step. */
  readonly failures: BrokerFailure[]
  finished: boolean
}

/** Before anything was done. */
export const emptyTally = (): Tally => ({ accounts: [], names: new Map(), listed: new Set(), askedAt: null, lacking: new Set(), settled: false, holdings: [], counts: noCounts, refused: [], failures: [], finished: false })

/** Records rows that could not be read. */
const leaveOut = (tally: Tally, rows: readonly LeftOut[]): void => {
  for (const { entity, id, reason, field } of rows) {
    tally.refused.push({ entity, id: id ?? '', account: null, reason: field === null ? reason : `${reason}:${field}` })
  }
}

/** What a brokerage needs for a part: queries of the journal, and callbacks that note in the tally what could not be read. */
const askOf = ({ userId, loginId, environment, journal: { read }, trigger, now, progress, barrier, signal }: PartSetup, tally: Tally): PartAsk => ({
  environment, trigger, now, progress, signal,
  known: {
    accounts: async () => (await read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment === environment),
    accountsOfOtherSide: async () => (await read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment !== environment),
    namesElsewhere: (broker) => read.namesElsewhere({ userId, broker }),
    fills: (accounts, ids) => read.knownFills({ userId, accounts, ids }),
    twins: (accounts, ids) => read.knownTwins({ userId, accounts, ids }),
    contracts: (ids) => read.knownContracts({ userId, environment, brokerContractIds: ids }),
    readFees: (account, days) => read.readFees({ userId, account, days }),
  },
  fillsFetched: () => barrier('fills-fetched'),
  leaveOut: (rows) => leaveOut(tally, rows),
  failed: (failure) => void tally.failures.push(failure),
})

/** What a write derived, without its fills. */
const derivedCounts = ({ batches, pairs, trades, outbox }: SaveCounts): SyncCounts => ({ ...noCounts, batches, pairs, trades, outbox })

/** What a write of fills did. */
const savedCounts = (result: SaveCounts): SyncCounts => {
  const { added, changed, unchanged } = result.fills
  return { ...derivedCounts(result), fills: { received: 0, added, changed, unchanged, refused: 0 } }
}

/** How many days back past trading days are read if an account's first one is unknown. */
const pastDays = 365
/** Past days that are saved at once: if the program ends, no more are lost. */
const longestWindow = 28
/** How many days back to look for sessions whose fees were not read after their end. */
const feeDays = 7
/** Fills saved at once: enough to be fast, few enough for the progress bar to move and a stop to be prompt. */
const fillsAtOnce = 5_000

/** Brings the journal up to date with what a login sees on one side of the broker. Broker failures go to the tally; a journal fault throws. */
export const runPart = async (setup: PartSetup, login: Pick<BrokerageLogin, 'part'>, tally: Tally): Promise<void> => {
  const outcome = await runSteps(setup, login.part(askOf(setup, tally)), tally)
  if (outcome.ok) tally.finished = true
  else tally.failures.push(outcome.error)
}

const runSteps = async (setup: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, trigger, now, barrier, progress } = setup
  progress({ phase: 'accounts', done: 0, total: 1 })
  const accounts = await saveAccounts(setup, part, tally)
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
    const past = await savePast(setup, tally, part.past, part.firstDay ?? (() => null))
    if (!past.ok) return past
  }
  const session = await part.session(tally.accounts)
  if (!session.ok) return session
  tally.askedAt = session.value.askedAt
  await saveWorkedOrders(setup, tally, session.value)
  barrier('orders-saved')
  const saved = await saveFetched(setup, tally, session.value)
  if (!saved.ok) return saved
  await recordLackingAccounts(setup, tally, session.value)
  await compareBooks(setup, tally, session.value)
  if (part.bookedSince !== undefined) await settleFees(setup, tally, part.bookedSince)
  return ok(null)
}

/** The accounts that this run syncs: those that the broker lists and those known before, without those that the user removed. */
const saveAccounts = async ({ userId, loginId, environment, journal, trigger, connectedAt, now }: PartSetup, part: BrokeragePart, tally: Tally): Promise<Result<AccountKey[], BrokerFailure>> => {
  const known = (await journal.read.accountsOfLogin({ userId, loginId })).filter((account) => account.environment === environment)
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
const savePast = async (setup: PartSetup, tally: Tally, past: NonNullable<BrokeragePart['past']>, firstDay: NonNullable<BrokeragePart['firstDay']>): Promise<Result<null, BrokerFailure>> => {
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
    const { fills, pairs, trades } = tally.counts
    const saved = await saveFetched({ ...setup, progress: () => undefined }, tally, fetched.value)
    if (!saved.ok) return saved
    for (const { positions, ...span } of fetched.value.positions ?? []) await journal.write.saveEvidence({ userId, at: now(), source: 'broker', ...span, positions: positions.map(({ contract, time, net }) => ({ contract, time, net })), missing: [] })
    if (fetched.value.refused.length > 0) continue
    await journal.write.recordHistoryWindow({ userId, account, ...days, at: now(), importId: null })
    const added = { fills: tally.counts.fills.added - fills.added, pairs: tally.counts.pairs.added - pairs.added, trades: tally.counts.trades.added - trades.added }
    await journal.write.countHistoryWindow({ userId, account, ...days, ...added })
  }
  return ok(null)
}

/**
 * Saves the prices that orders worked at, if the session has a new fill. They are saved before the fills: if the program
 * stops in between, the fills are still new in the next run, which reads the orders again.
 */
const saveWorkedOrders = async ({ userId, journal, now }: PartSetup, { accounts }: Tally, { worked, fills, askedAt }: FetchedSession): Promise<void> => {
  if (worked === undefined) return
  const ids = fills.filter(({ account }) => accounts.includes(account)).map(({ id }) => id)
  const known = await journal.read.knownFills({ userId, accounts, ids })
  if (known.length >= ids.length) return
  const orders = (await worked()).filter(({ account }) => accounts.includes(account))
  if (orders.length > 0) await journal.write.saveWorkedOrders({ userId, orders, at: askedAt ?? now() })
}

/** Saves new contracts, then the fills in groups; a batch is never split between two groups. */
const saveFetched = async (setup: PartSetup, tally: Tally, session: FetchedFills): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, barrier, progress, signal, environment } = setup
  const accounts = new Set<string>(tally.accounts)
  const isWanted = ({ account }: { readonly account: string }): boolean => accounts.has(account)
  const wanted = session.fills.filter(isWanted)
  leaveOut(tally, session.refused)
  const refusedFills = tally.refused.filter((row) => row.entity === 'fill').length - tally.counts.fills.refused
  tally.counts = addCounts(tally.counts, { ...noCounts, fills: { ...noCounts.fills, received: session.received - (session.fills.length - wanted.length), refused: refusedFills } })

  const contracts = session.asked.map((row) => ({ environment, ...row }))
  if (contracts.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.saveContracts({ userId, contracts, at: now() })))
  barrier('contracts-saved')

  let done = 0
  const byContract = Map.groupBy(wanted, ({ account, contract }) => `${account} ${contract}`).values()
  for (const group of inGroups(byContract, ({ length }) => length, fillsAtOnce)) {
    const fills = group.flat()
    if (signal.aborted) return err({ kind: 'aborted' })
    progress({ phase: 'saving', done, total: wanted.length })
    const contractsOfGroup = new Set(fills.map((fill) => fill.contract))
    const specs = session.specs.filter((spec) => contractsOfGroup.has(spec.contract))
    tally.counts = addCounts(tally.counts, savedCounts(await journal.write.saveFills({ userId, fills, specs, at: now() })))
    done += fills.length
    barrier('fills-taken')
  }
  const { stated, readFees = [] } = session
  // Not before the fills: what was read and not saved would count as known.
  if (readFees.length > 0) await journal.write.saveReadFees({ userId, sessions: readFees.filter(isWanted) })
  if (stated !== undefined) await journal.write.saveStated({ userId, stated: stated.fills.filter(isWanted), voided: stated.voided.filter(isWanted), spans: stated.spans.filter(isWanted) })
  return ok(null)
}

/** Records the accounts whose session was not read completely: a fill was refused, or the answer lacks a fill that the journal has. */
const recordLackingAccounts = async ({ userId, journal }: PartSetup, tally: Tally, { answered, tradeDate, refusedOf, refusedOfAny, feesSettled }: FetchedSession): Promise<void> => {
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
const settleFees = async ({ userId, environment, journal, now }: PartSetup, tally: Tally, bookedSince: NonNullable<BrokeragePart['bookedSince']>): Promise<void> => {
  const today = tradingDay(now())
  const sessions = await journal.read.unsettledSessions({ userId, accounts: tally.accounts, since: isoDate(dayOfDate(today) - feeDays), before: today })
  for (const { account, tradingDay: day, fills } of sessions) {
    const counting = fills.filter(({ active }) => active)
    const contracts = await journal.read.knownContracts({ userId, environment, brokerContractIds: [...new Set(counting.flatMap(({ contractId }) => contractId ?? []))] })
    const specs = new Map(contracts.map(({ spec }) => [spec.contract, spec]))
    const booked = await bookedSince(counting, specs)
    if (!booked.ok) {
      if (booked.error.kind !== 'aborted') tally.failures.push(booked.error)
      return
    }
    if (booked.value === null) return
    if (booked.value.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.saveFills({ userId, fills: booked.value, specs: [...specs.values()], at: now() })))
    await journal.write.recordFeesRead({ userId, account, tradingDay: day })
  }
}

const keyOf = ({ account, contract }: { readonly account: AccountKey; readonly contract: string }): string => `${account}\n${contract}`

/** A broker's position with the journal's facts. `isStated`: the broker listed it; otherwise it has none there. */
type ComparedPosition = { readonly position: BrokerPosition; readonly facts: HeldFacts; readonly isStated: boolean }

/** What the journal is to know of positions: those known, and the times at which a fill is missing. */
type PositionEvidence = { readonly known: readonly KnownPosition[]; readonly missing: readonly MissingFill[] }

/** Positions without any difference, whose pairs remain to be compared; `start` is just before the session, UTC ms. */
type AgreeingPosition = { readonly position: BrokerPosition; readonly start: number }

type PositionsAfterFills = NonNullable<FetchedSession['positions']>

/**
 * Compares the broker's own books with the saved fills: creates fills for lots that it carried into the session from its
 * pairs, saves its positions as known, and where the two differ, reports the contract and marks its trades.
 */
const compareBooks = async (setup: PartSetup, tally: Tally, fetched: FetchedSession): Promise<void> => {
  const { books } = fetched
  if (books === null) return markUnverified(setup, tally, fetched)
  const tradeDate = fetched.tradeDate ?? (tally.askedAt === null ? null : tradingDay(tally.askedAt))
  if (tradeDate === null) return
  const opens = sessionOf(tradeDate).opens - 1
  const positionsAfterFills = fetched.positions?.filter(({ account }) => tally.listed.has(account)) ?? []
  const save = (evidence: PositionEvidence): Promise<void> => savePositions(setup, tally, evidence, positionsAfterFills, opens)

  const { compared, fromPairs } = await positionsToCompare(setup, tally, books, fetched.contracts, { tradeDate, opens })
  const { agreeing, known, missing } = await comparePositions(setup, tally, books, compared, positionsAfterFills)
  await save({ known, missing })
  // Pairs are compared only now, when they are derived from the positions saved above.
  const missingOfPairs = await comparePairs(setup, tally, books, agreeing, fromPairs)
  if (missing.length + missingOfPairs.length > 0) await save({ known, missing: [...missing, ...missingOfPairs] })
}

/** The broker's positions with the journal's facts, after saving fills for the lots that they carried into the session; `fromPairs` has the contracts of these lots. */
const positionsToCompare = async (setup: PartSetup, tally: Tally, books: BrokerBooks, contracts: FetchedSession['contracts'], { tradeDate, opens }: { readonly tradeDate: string; readonly opens: number }): Promise<{ readonly compared: readonly ComparedPosition[]; readonly fromPairs: ReadonlySet<string> }> => {
  const { userId, journal, now } = setup
  const factsOf = (positions: readonly BrokerPosition[]): Promise<HeldFacts[]> => journal.read.heldFacts({ userId, holdings: positions.map(({ account, contract, tradeDate: day }) => ({ account, contract, tradeDate: day })) })
  const stated = books.positions.filter(({ account }) => tally.listed.has(account))
  const held = new Set(stated.map(keyOf))
  // A broker that lists no position of a contract has none, unless a row could not be read.
  const open = books.isWhole ? (await journal.read.openHoldings({ userId, accounts: [...tally.listed], since: opens })).filter((holding) => !held.has(keyOf(holding))) : []
  const unstated = open.map(({ account, contract }): BrokerPosition => ({ account, contract, tradeDate, time: 0, net: 0, carried: 0, bought: 0, sold: 0 }))
  const lots = await carriedFills(setup, books, stated, await factsOf(stated))
  if (lots.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.saveFills({ userId, fills: lots, specs: contracts, at: now() })))

  const positions = [...stated, ...unstated]
  const facts = await factsOf(positions)
  const compared = positions.flatMap((position, index): ComparedPosition[] => {
    const fact = facts[index]
    return fact === undefined ? [] : [{ position, facts: fact, isStated: index < stated.length }]
  })
  return { compared, fromPairs: new Set(lots.map(keyOf)) }
}

/** Reports where the broker's positions and the saved fills differ. */
const comparePositions = async ({ userId, journal }: PartSetup, tally: Tally, { moving }: BrokerBooks, compared: readonly ComparedPosition[], positionsAfterFills: PositionsAfterFills): Promise<PositionEvidence & { readonly agreeing: readonly AgreeingPosition[] }> => {
  const known: KnownPosition[] = positionsAfterFills.flatMap(({ positions }) => positions)
  // Positions after each fill tell exactly which trades a missing one leaves in doubt.
  const followed = new Set(known.map(keyOf))
  const missing: MissingFill[] = []
  const agreeing: AgreeingPosition[] = []
  for (const { position, facts, isStated } of compared) {
    const { account, contract } = position
    const start = sessionStart(position.tradeDate, facts.first)
    const troubles = isStated ? comparePosition(position, facts) : unstatedTroubles(position, facts)
    // If the lists were still changing they need not agree: only the position at the session's start is certain.
    const was = troubles.some(({ kind }) => kind === 'carried') ? await journal.read.apartBefore({ userId, account, contract, time: start }) : null
    // A difference from an earlier session that is flat now affects no trade.
    const isPast = position.carried === 0 && was === -facts.before
    const sure = troubles.filter(({ kind }) => (kind === 'carried' ? !isPast : !moving))
    tally.holdings.push(...sure)
    if (troubles.length === 0 && isStated) agreeing.push({ position, start })
    if (isStated) known.push({ account, contract, time: start, net: position.carried })
    if (!moving) known.push({ account, contract, time: Math.max(position.time, facts.last ?? start), net: position.net })
    if (!followed.has(keyOf(position)) && sure.some(({ kind }) => kind === 'fills-missing' || kind === 'position-differs')) missing.push({ account, contract, time: start + 1 })
    if (sure.some(({ kind }) => kind === 'fills-missing')) tally.lacking.add(account)
    // If the difference is new since the last known position, the session before this one lacks fills.
    if (sure.some(({ kind }) => kind === 'carried') && was !== null && was !== position.carried - facts.before) await journal.write.recordMissing({ userId, account, tradingDay: previousTradingDay(position.tradeDate) })
  }
  return { known, missing, agreeing }
}

/** Saves what is known of positions, an account at a time, from the first of them or the session's opening on. */
const savePositions = async ({ userId, journal, now }: PartSetup, { listed }: Tally, { known, missing }: PositionEvidence, positionsAfterFills: PositionsAfterFills, opens: number): Promise<void> => {
  for (const account of listed) {
    const ofAccount = (row: { readonly account: AccountKey }): boolean => row.account === account
    const positions = [...new Map(known.filter(ofAccount).map((row) => [`${row.contract} ${String(row.time)}`, row])).values()]
    const starts = [...positionsAfterFills.filter(ofAccount).map((span) => span.from), ...positions.map(({ time }) => time)]
    const from = starts.reduce((one, other) => Math.min(one, other), opens)
    await journal.write.saveEvidence({ userId, at: now(), account, source: 'broker', from, to: Number.MAX_SAFE_INTEGER, positions: positions.map(({ contract, time, net }) => ({ contract, time, net })), missing: missing.filter(ofAccount).map(({ contract, time }) => ({ contract, time })) })
  }
}

/** Reports where fill pairs differ although the positions agree, and returns when a fill is missing. */
const comparePairs = async (setup: PartSetup, tally: Tally, books: BrokerBooks, agreeing: readonly AgreeingPosition[], fromPairs: ReadonlySet<string>): Promise<readonly MissingFill[]> => {
  const missing: MissingFill[] = []
  for (const { position, start } of agreeing) {
    const { account, contract, carried } = position
    const differing = books.moving || !books.pairsRead ? [] : await pairTroubles(setup, books, position)
    tally.holdings.push(...differing)
    if (differing.length > 0) missing.push({ account, contract, time: start + 1 })
    else if (fromPairs.has(keyOf(position))) tally.holdings.push({ account, contract, kind: 'carried-from-pairs', broker: carried, ours: carried })
  }
  return missing
}

/** Marks trades since the last sync, or of an account's first session, if the broker's positions could not be read: a fill may be missing, or may have closed an unknown lot. */
const markUnverified = async ({ userId, loginId, environment, journal, now }: PartSetup, tally: Tally, { fills, tradeDate }: FetchedSession): Promise<void> => {
  if (tradeDate === null) return
  const accounts = await journal.read.accountsOfLogin({ userId, loginId })
  for (const { key: account, lastSyncAt } of accounts.filter((one) => one.environment === environment && tally.listed.has(one.key))) {
    const times = fills.filter((fill) => fill.account === account && fill.time > (lastSyncAt ?? 0)).map(({ time }) => time)
    if (times.length === 0) continue
    const first = times.reduce((one, other) => Math.min(one, other))
    const from = lastSyncAt === null ? sessionStart(tradeDate, first) : first - 1
    await journal.write.saveEvidence({ userId, at: now(), account, source: 'broker', from, to: Number.MAX_SAFE_INTEGER, positions: [], missing: [{ contract: null, time: from + 1 }] })
  }
}

const unstatedTroubles = ({ account, contract }: BrokerPosition, { before, bought, sold }: HeldFacts): HoldingTrouble[] => {
  const ours = before + bought - sold
  return ours === 0 ? [] : [{ account, contract, kind: 'position-differs', broker: 0, ours }]
}

/** The fills that opened carried positions, as far as fill pairs of this session and earlier ones name them. Their quantity is a minimum, and their time, if unknown, just before the session. */
const carriedFills = async ({ userId, journal }: PartSetup, { pairs }: BrokerBooks, positions: readonly BrokerPosition[], facts: readonly HeldFacts[]): Promise<NewFill[]> => {
  const carried = positions.filter((position) => position.carried !== 0)
  if (carried.length === 0) return []
  const accounts = [...new Set(carried.map(({ account }) => account))]
  const ids = [...new Set(pairs.flatMap(({ buyFillId, sellFillId }) => [buyFillId, sellFillId]))]
  const kept = new Map((await journal.read.knownFills({ userId, accounts, ids })).map((fill) => [`${fill.account}/${fill.id}`, fill]))
  const isKnown = (account: AccountKey, id: string): boolean => (kept.get(`${account}/${id}`)?.source ?? 'pairs-file') !== 'pairs-file'
  const factOf = new Map(facts.map((fact) => [keyOf(fact), fact]))
  return Promise.all(carriedLots(carried, pairs, isKnown).map(async ({ account, contract, tradeDate, id, side, qty, price }): Promise<NewFill> => {
    const before = kept.get(`${account}/${id}`)
    // Only the pairs of earlier sessions show what those closed of it.
    const closed = before === undefined ? 0 : await journal.read.closedInOtherSessions({ userId, account, contract, tradeDate, id })
    const start = sessionStart(tradeDate, factOf.get(keyOf({ account, contract }))?.first ?? null)
    // It was opened when the broker's position first exceeded ours, which may be sessions ago.
    const time = before?.time ?? (await journal.read.apartSince({ userId, account, contract, time: start, side })) ?? start
    return { id, account, contract, time, side, qty: Math.max(before?.qty ?? 0, qty + closed), price, fee: null, active: true, source: 'pairs-file', orderId: null, contractId: null, tradeDate: previousTradingDay(tradeDate) }
  }))
}

const pairTroubles = async ({ userId, journal }: PartSetup, { pairs }: BrokerBooks, { account, contract, tradeDate }: BrokerPosition): Promise<HoldingTrouble[]> => {
  const stated = pairs.filter((pair: BrokerPair) => pair.account === account && pair.contract === contract && pair.tradeDate === tradeDate)
  const { broker, ours, isSame } = agreeingPairs(stated, await journal.read.pairsOfSession({ userId, account, contract, tradeDate }))
  return isSame ? [] : [{ account, contract, kind: 'pairs-differ', broker, ours }]
}
