import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { atomically, change, query, type Reader, type Writer } from '../db/database.ts'
import { keepFileSpecs, leaveFileSpecs } from '../fills/file-specs.ts'
import { fillsOfAccount, isSame } from '../fills/fill-rows.ts'
import { ensureFileAccounts, isFileAccount, leaveFileAccounts, returnLeftAccounts, accountAttribution, joiningAccounts } from './import-accounts.ts'
import { followFills, joinConnected } from './follow-fills.ts'
import { keepBrokerFigures, slowFillsOf } from './broker-figures.ts'
import { activeReadings, noteUnsettled, timesNoted, type KeptReading } from './queries.ts'
import { assemblingImports, type AssembledImports } from './assemble-imports.ts'
import { retimeNotes } from './retime-notes.ts'
import { reaching, type Reach, type Touched } from './reach.ts'
import { settleGroup, type FillChange, type GroupSettled } from '../fills/settle-group.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import type { Taking } from '../db/barrier.ts'
import { baseFills } from '../fills/base-fills.ts'
import { zoneOf } from '../db/zone.ts'
import type { Settled } from './rows.ts'
import { keepEvidence } from '../fills/keep-evidence.ts'

const changesInGroup = 5_000

/** Whether a user's fills must be recomputed. */
export const isUnsettled = (reader: Reader, userId: string): boolean => query(reader, 'SELECT 1 FROM imports_unsettled WHERE user_id = ?').get(userId) !== undefined

const settled = (writer: Writer, userId: string): void => {
  change(writer, 'DELETE FROM imports_unsettled WHERE user_id = ?').run(userId)
}

/** Whose fills are recomputed, and when (UTC ms). `touched` limits it to what changed; null if more may have changed since the last time. */
export type SettleOptions = { readonly userId: string; readonly at: number; readonly touched?: Touched | null }

/** `reach` are the accounts that are settled together, null for all. */
type Reaching = { readonly userId: string; readonly at: number; readonly reach: Reach | null }

/** Assembled accounts: `changes` are those of their fills, `whole` is what else is saved of them, with only those fills that took longer than a moment. */
type Settling = { readonly whole: Pick<AssembledImports, 'assembly' | 'named' | 'retimed'>; readonly changes: readonly FillChange[] }

/**
 * Recomputes the journal's fills from its base fills and all active imports, in groups of whole batches. Until the last
 * group is written the user is marked as unsettled, so that the next start resumes after a crash.
 */
export const settleImports = async (taking: Taking, { userId, at, touched = null }: SettleOptions): Promise<Settled> => {
  const { writer } = taking
  const noted = atomically(writer, () => {
    noteUnsettled(writer, userId, at)
    return timesNoted(writer, userId)
  })
  const done: GroupSettled[] = []
  const reaches = touched === null || joiningAccounts(writer, userId).size > 0 ? null : await withTurns(reaching(writer, userId, touched))
  let isSettled = reaches !== null
  for (const reach of reaches ?? []) isSettled &&= await settleReach(taking, { userId, at, reach }, done)
  if (!isSettled) await settleReach(taking, { userId, at, reach: null }, done)
  // An account that was connected or renamed meanwhile is not included yet: then settle again.
  if (timesNoted(writer, userId) === noted) settled(writer, userId)
  await deriveStale(taking, userId, at)
  const once = sumOf(done)
  return isUnsettled(writer, userId) ? sumOf([once, await settleImports(taking, { userId, at })]) : once
}

/** Settles the accounts of a reach, null for all; false if rows turn out to belong to other accounts, so that all must be settled. */
const settleReach = async ({ writer, barrier }: Taking, { userId, at, reach }: Reaching, done: GroupSettled[]): Promise<boolean> => {
  const settling = await withTurns(settlingReach(writer, { userId, at, reach }))
  if (settling === null) return false
  const { whole, changes } = settling
  atomically(writer, () => {
    retimeNotes(writer, userId, at, whole.retimed, changes)
    followFills(writer, userId, at, changes, (key) => whole.named.has(key))
  })
  for (const group of groupsOf(writer, userId, changes)) {
    done.push(atomically(writer, () => settleGroup(writer, barrier, { userId, at, changes: group })))
    barrier('group-committed', writer.database)
    await nextTurn()
  }
  atomically(writer, () => {
    keepFilePositions(writer, userId, at, { whole, reach })
    leaveFileSpecs(writer, userId, at, whole, reach)
    leaveFileAccounts(writer, userId, at, (key) => whole.named.has(key) || reach?.within.accounts.has(key) === false)
  })
  await keepBrokerFigures(writer, userId, whole, reach)
  return true
}

/** The sum of several results. */
export const sumOf = (done: readonly Settled[]): Settled => {
  const sum = (pick: (one: Settled) => Settled['fills']): Settled['fills'] =>
    done.map(pick).reduce((one, other) => ({ added: one.added + other.added, changed: one.changed + other.changed, removed: one.removed + other.removed }), { added: 0, changed: 0, removed: 0 })
  return {
    ...{ fills: sum(({ fills }) => fills), pairs: sum(({ pairs }) => pairs), trips: sum(({ trips }) => trips) },
    offTick: done.reduce((total, { offTick }) => total + offTick, 0),
  }
}

function* settlingReach(writer: Writer, { userId, at, reach }: Reaching): Stopping<Settling | null> {
  const whole = yield* assemblingWithin(writer, userId, reach)
  // Rows were placed in an account beyond the reach.
  if (reach !== null && whole.placed.some(({ account }) => !reach.within.accounts.has(account))) return null
  atomically(writer, () => {
    joinConnected(writer, userId, at, accountAttribution(writer, userId))
    ensureFileAccounts(writer, userId, at, [...whole.assembly.accounts.keys()].filter(isFileAccount))
    returnLeftAccounts(writer, userId, at, whole.named)
    keepFileSpecs(writer, userId, at, whole)
  })
  yield
  return { whole: { named: whole.named, retimed: whole.retimed, assembly: { ...whole.assembly, fills: slowFillsOf(whole.assembly.fills) } }, changes: yield* changingFills(writer, userId, whole) }
}

function* assemblingWithin(writer: Writer, userId: string, reach: Reach | null): Stopping<AssembledImports> {
  const attribute = accountAttribution(writer, userId)
  const kept: KeptReading[] = []
  const isWithin = (key: AccountKey | null): boolean => reach === null || (key !== null && reach.within.accounts.has(key))
  for (const piece of activeReadings(writer, userId, (named) => isWithin(attribute(named)))) {
    for (const reading of piece) kept.push(reading)
    yield
  }
  return yield* assemblingImports(writer, userId, kept, { attribute, within: reach?.within ?? null })
}

/** The changes that make the journal's fills those of the assembled accounts. */
function* changingFills(writer: Writer, userId: string, { accounts }: AssembledImports): Stopping<readonly FillChange[]> {
  const changes: FillChange[] = []
  for (const [account, { fills, base }] of accounts) {
    const wantedFills = fills()
    yield
    const rows = fillsOfAccount(writer, userId, account)
    yield
    const bases = baseFills(writer, userId, account)
    yield
    for (const id of new Set([...rows.keys(), ...wantedFills.keys(), ...bases.keys()])) {
      const [row, wanted, without] = [rows.get(id), wantedFills.get(id), base.get(id)]
      const wantedBase = isSame(wanted, without) ? undefined : (without ?? null)
      const hasSameBase = wantedBase === undefined ? !bases.has(id) : bases.has(id) && isSame(bases.get(id) ?? undefined, wantedBase ?? undefined)
      const isSameFill = isSame(row, wanted)
      if (isSameFill && hasSameBase) continue
      const contract = (wanted ?? row ?? without)?.contract ?? ''
      changes.push({ account, id, contract, fill: isSameFill ? undefined : (wanted ?? null), base: wantedBase })
    }
    yield
  }
  return changes
}

/** Groups of whole batches, by account, contract and date, so that open positions carry forward. */
function* groupsOf(writer: Writer, userId: string, changes: readonly FillChange[]): Generator<readonly FillChange[]> {
  const clock = zoneClock(zoneOf(writer, userId))
  const timeOf = query<{ time: number }>(writer, 'SELECT time FROM fills WHERE user_id = ? AND account = ? AND id = ?')
  const dateOf = ({ account, id, fill, base }: FillChange): string => isoDate(clock.dayOf(fill?.time ?? timeOf.get(userId, account, id)?.time ?? base?.time ?? 0))
  const batches = [...Map.groupBy(changes, (one) => `${one.account}\n${one.contract}\n${dateOf(one)}`)].sort(([one], [other]) => (one < other ? -1 : 1))
  let group: FillChange[] = []
  for (const [, batch] of batches) {
    if (group.length > 0 && group.length + batch.length > changesInGroup) {
      yield group
      group = []
    }
    group = [...group, ...batch]
  }
  if (group.length > 0) yield group
}

/** The accounts that imports change; null for all, if imports have rows that name no account. */
export const accountsWithImports = (reader: Reader, userId: string): ReadonlySet<AccountKey> | null => {
  const rows = query<{ name: string | null; id: string | null }>(
    reader,
    `SELECT DISTINCT account_name AS name, account_id AS id FROM import_readings JOIN imports ON imports.user_id = import_readings.user_id AND imports.id = import_id
     WHERE import_readings.user_id = ? AND state = 'standing'`,
  ).all(userId)
  if (rows.length === 0 && !isUnsettled(reader, userId)) return new Set()
  const attribute = accountAttribution(reader, userId)
  const keys = rows.map(attribute)
  const named = keys.filter((key) => key !== null)
  return named.length < keys.length ? null : new Set(named)
}

/** Marks fills for recomputing if any account is joining; true if one is. */
export const noteJoining = (writer: Writer, userId: string, at: number): boolean => {
  const isJoining = joiningAccounts(writer, userId).size > 0
  if (isJoining) noteUnsettled(writer, userId, at)
  return isJoining
}

const statedSql = "SELECT account FROM known_positions WHERE user_id = @userId AND source = 'import' UNION SELECT account FROM missing_fills WHERE user_id = @userId AND source = 'import'"

/** Saves the positions and missing fills of the assembled accounts; what no active import has any more is deleted. Runs in the caller's transaction, after the fills. */
const keepFilePositions = (writer: Writer, userId: string, at: number, { whole, reach }: { readonly whole: Pick<AssembledImports, 'assembly'>; readonly reach: Reach | null }): void => {
  const before = query<{ account: AccountKey }>(writer, statedSql).all({ userId }).map(({ account }) => account)
  const { positions, missing } = whole.assembly
  const [stated, lacking] = [Map.groupBy(positions, ({ account }) => account), Map.groupBy(missing, ({ account }) => account)]
  const isWithin = (account: AccountKey): boolean => reach === null || reach.within.accounts.has(account)
  for (const account of new Set([...before, ...stated.keys(), ...lacking.keys()])) {
    if (!isWithin(account)) continue
    const evidence = {
      positions: (stated.get(account) ?? []).map(({ contract, time, net }) => ({ contract, time, net })),
      missing: (lacking.get(account) ?? []).map(({ contract, time }) => ({ contract, time })),
    }
    keepEvidence(writer, { userId, at, account, source: 'import', from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, ...evidence })
  }
}

// Others wait for the writer no longer than a commit takes anyway.
const longestMs = 10

/** Runs a long work and lets others have their turn at its stops, where enough time has gone by since the last one. */
const withTurns = async <T>(work: Stopping<T>): Promise<T> => {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < longestMs) continue
    await nextTurn()
    since = performance.now()
  }
}
