import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { inGroups } from '#shared/base/in-groups.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { unnamedAccount } from '#shared/imports/assemble.ts'
import { liesOnTicks } from '#shared/imports/contracts.ts'
import { hasPartsOfCents } from '#shared/imports/pair-rounding.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import { specs } from '../db/schema/brokerage.ts'
import { importedSpecs, importFiles, importReadings, imports, importsUnsettled } from '../db/schema/imports.ts'
import { batches as batchTable, fills as fillTable, knownPositions, missingFills } from '../db/schema/journal.ts'
import { fillsOfAccount, isSame, convertToTicks } from '../fills/fill-rows.ts'
import { ensureFileAccounts, isFileAccount, hideEmptyFileAccounts, restoreLeftAccounts, returnAccounts, accountAttribution, joiningAccounts, type AccountAttribution } from './import-accounts.ts'
import { followFills, joinConnected } from './follow-fills.ts'
import { saveBrokerFigures, slowFillsOf } from './broker-figures.ts'
import { activateImport, activeReadings, deleteImport, isUndone, isUnsettled, markUnsettled, markUndone, timesMarked, type StoredReading } from './queries.ts'
import { assemblingImports, type AssembledImports, type Within } from './assemble-imports.ts'
import { importsOfHistory } from './history-queries.ts'
import { retimeNotes } from './retime-notes.ts'
import { settleGroup, type FillChange } from '../fills/settle-group.ts'
import { addChanges, noChanges } from '../fills/changes.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { removeGoneFills } from './gone-fills.ts'
import { fillsOfUndone } from '../fills/removed-fills.ts'
import type { WriteContext } from '../db/barrier.ts'
import { baseFills } from '../fills/base-fills.ts'
import { zoneOf } from '../db/zone.ts'
import type { OfImport } from './rows.ts'
import type { At, OfUser, Settled } from '../db/rows.ts'
import { saveEvidence } from '../fills/evidence.ts'
import { deriveAgain, saveSpecs } from '../fills/derive-contract.ts'
import { queueChange } from '../db/outbox.ts'
import { fitsFills, isSameSpec, keptSpec, trustRank } from '../fills/specs.ts'
import { fileOfPart, givenAccount, importOfPart, factsOfActiveImports, factsOfImport, type PartFacts } from './part-facts.ts'

const changesInGroup = 5_000

/** The accounts that the rows of an import may be of. */
const accountsOf = (writer: Writer, userId: string, importId: string): ReadonlySet<AccountKey> => {
  const attribute = accountAttribution(writer, userId)
  const named = writer.orm
    .selectDistinct({ name: importReadings.accountName, id: importReadings.accountId, given: givenAccount })
    .from(importReadings)
    .innerJoin(imports, importOfPart)
    .leftJoin(importFiles, fileOfPart)
    .where(and(eq(importReadings.userId, userId), eq(importReadings.importId, importId)))
    .all()
  const keys = named.map(({ given, ...row }) => attribute(row) ?? attribute({ id: null, name: given ?? unnamedAccount }))
  return new Set(keys.filter((key) => key !== null))
}

/** Removes fills again that undoing an import removed and that have returned since. */
const removeAgain = async (context: WriteContext, { userId, at, importId }: { readonly userId: string; readonly at: number; readonly importId: string }): Promise<Settled> => {
  const { writer } = context
  const gone = atomically(writer, () => removeGoneFills(context, { userId, at, names: fillsOfUndone(writer, userId, importId) }))
  const settled = await settleImports(context, { userId, at })
  return gone === null ? settled : sumOf([gone, settled])
}

/** Activates an import; if that fails, deletes it. Throws `not-found` for one that was not begun. */
export const finishImport = async (context: WriteContext, { userId, at, importId }: OfImport & At): Promise<Settled> => {
  const { writer } = context
  const attribute = accountAttribution(writer, userId)
  const wasSettled = !isUnsettled(writer, userId)
  atomically(writer, () => {
    activateImport(writer, userId, importId)
    markUnsettled(writer, userId, at)
    // A fetched history may end after its user removed the account.
    if (!importsOfHistory(writer, userId).has(importId)) returnAccounts(writer, userId, at, accountsOf(writer, userId, importId))
  })
  try {
    return await settleImports(context, { userId, at, touched: wasSettled ? { attribute, incoming: importId, gone: [], changed: new Map() } : null })
  } catch (error) {
    // Half of it may be written: without the import all of that is removed, now or when the journal opens next.
    atomically(writer, () => {
      deleteImport(writer, userId, importId)
      markUnsettled(writer, userId, at)
    })
    await settleImports(context, { userId, at }).catch(() => undefined)
    throw error
  }
}

/** Undoes an import; `not-found` if it is not active. */
export const undoImport = async (context: WriteContext, { userId, at, importId }: OfImport & At): Promise<Result<Settled, 'not-found'>> => {
  const { writer } = context
  const wasSettled = !isUnsettled(writer, userId)
  const [attribute, gone] = [accountAttribution(writer, userId), factsOfImport(writer, userId, importId)]
  const wasActive = atomically(writer, () => {
    const isTakenBack = markUndone(writer, userId, at, importId)
    if (isTakenBack) markUnsettled(writer, userId, at)
    return isTakenBack
  })
  if (!wasActive) return isUndone(writer, userId, importId) ? ok(await removeAgain(context, { userId, at, importId })) : err('not-found')
  return ok(await settleImports(context, { userId, at, undone: importId, touched: wasSettled ? { attribute, incoming: null, gone, changed: new Map() } : null }))
}

/** Recomputes fills if anything since made that necessary, for example a login that connects an account which only files knew. */
export const settleWhereUnsettled = async (context: WriteContext, { userId, at }: OfUser & At): Promise<Settled | null> => {
  atomically(context.writer, () => markUnsettledIfJoining(context.writer, userId, at))
  return isUnsettled(context.writer, userId) ? settleImports(context, { userId, at }) : null
}

const markSettled = ({ orm }: Writer, userId: string): void => {
  orm.delete(importsUnsettled).where(eq(importsUnsettled.userId, userId)).run()
}

/** Whose fills are recomputed, and when (UTC ms). */
export type SettleOptions = {
  readonly userId: string
  readonly at: number
  /** Limits it to what changed; null if more may have changed since the last time. */
  readonly touched?: Touched | null
  /** The import that was undone, if that is the reason. */
  readonly undone?: string | null
}

/** `reach` are the accounts that are settled together, null for all. */
type ReachOrder = { readonly userId: string; readonly at: number; readonly undone?: string | null; readonly reach: Reach | null }

/** Assembled accounts: `changes` are those of their fills, `whole` is what else is saved of them, with only those fills that took longer than a moment. */
type Settling = { readonly whole: Pick<AssembledImports, 'assembly' | 'named' | 'retimed'>; readonly changes: readonly FillChange[] }

/**
 * Recomputes the journal's fills from its base fills and all active imports, in groups of whole batches. Until the last
 * group is written the user is marked as unsettled, so that the next start resumes after a crash.
 */
export const settleImports = async (context: WriteContext, { userId, at, touched = null, undone = null }: SettleOptions): Promise<Settled> => {
  const { writer } = context
  const noted = atomically(writer, () => {
    markUnsettled(writer, userId, at)
    return timesMarked(writer, userId)
  })
  const done: Settled[] = []
  const reaches = touched === null || joiningAccounts(writer, userId).size > 0 ? null : await runInSlices(reaching(writer, userId, touched))
  let isSettled = reaches !== null
  for (const reach of reaches ?? []) isSettled &&= await settleReach(context, { userId, at, undone, reach }, done)
  if (!isSettled) await settleReach(context, { userId, at, undone, reach: null }, done)
  // An account that was connected or renamed meanwhile is not included yet: then settle again.
  if (timesMarked(writer, userId) === noted) markSettled(writer, userId)
  await deriveStale(context, userId, at)
  const once = sumOf(done)
  return isUnsettled(writer, userId) ? sumOf([once, await settleImports(context, { userId, at, undone })]) : once
}

/** Settles the accounts of a reach, null for all; false if rows turn out to belong to other accounts, so that all must be settled. */
const settleReach = async ({ writer, barrier }: WriteContext, { userId, at, undone = null, reach }: ReachOrder, done: Settled[]): Promise<boolean> => {
  const settling = await runInSlices(settlingReach(writer, { userId, at, reach }))
  if (settling === null) return false
  const { whole, changes } = settling
  atomically(writer, () => {
    retimeNotes(writer, userId, at, whole.retimed, changes)
    followFills(writer, userId, at, changes, (key) => whole.named.has(key))
  })
  for (const group of groupsOf(writer, userId, changes)) {
    done.push(atomically(writer, () => settleGroup(writer, barrier, { userId, at, undone, changes: group })))
    barrier('group-committed', writer.database)
    await nextTurn()
  }
  const isWithin = (account: AccountKey): boolean => reach === null || reach.within.accounts.has(account)
  atomically(writer, () => {
    saveFilePositions(writer, userId, at, whole, isWithin)
    leaveFileSpecs(writer, userId, at, whole, reach)
    hideEmptyFileAccounts(writer, userId, at, (key) => whole.named.has(key) || !isWithin(key))
  })
  await saveBrokerFigures(writer, userId, whole, isWithin)
  return true
}

/** The sum of several results. */
const sumOf = (done: readonly Settled[]): Settled => {
  const sum = (count: 'fills' | 'pairs' | 'trades'): Settled['fills'] => done.map((one) => one[count]).reduce(addChanges, noChanges)
  return { fills: sum('fills'), pairs: sum('pairs'), trades: sum('trades'), offTick: done.reduce((total, { offTick }) => total + offTick, 0) }
}

function* settlingReach(writer: Writer, { userId, at, reach }: ReachOrder): Sliced<Settling | null> {
  const whole = yield* assemblingWithin(writer, userId, reach)
  // Rows were placed in an account beyond the reach.
  if (reach !== null && whole.placed.some(({ account }) => !reach.within.accounts.has(account))) return null
  atomically(writer, () => {
    joinConnected(writer, userId, at, accountAttribution(writer, userId))
    ensureFileAccounts(writer, userId, at, [...whole.assembly.accounts.keys()].filter(isFileAccount))
    restoreLeftAccounts(writer, userId, at, whole.named)
    saveFileSpecs(writer, userId, at, whole)
  })
  yield
  return { whole: { named: whole.named, retimed: whole.retimed, assembly: { ...whole.assembly, fills: slowFillsOf(whole.assembly.fills) } }, changes: yield* changingFills(writer, userId, whole) }
}

function* assemblingWithin(writer: Writer, userId: string, reach: Reach | null): Sliced<AssembledImports> {
  const attribute = accountAttribution(writer, userId)
  const kept: StoredReading[] = []
  const isWithin = (key: AccountKey | null): boolean => reach === null || (key !== null && reach.within.accounts.has(key))
  for (const piece of activeReadings(writer, userId, (named) => isWithin(attribute(named)))) {
    for (const reading of piece) kept.push(reading)
    yield
  }
  return yield* assemblingImports(writer, userId, kept, { attribute, within: reach?.within ?? null })
}

/** The changes that make the journal's fills those of the assembled accounts. */
function* changingFills(writer: Writer, userId: string, { accounts }: AssembledImports): Sliced<readonly FillChange[]> {
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
  const isIt = and(eq(fillTable.userId, userId), eq(fillTable.account, sql.placeholder('account')), eq(fillTable.id, sql.placeholder('id')))
  const known = writer.orm.select({ time: fillTable.time }).from(fillTable).where(isIt).prepare()
  const dateOf = ({ account, id, fill, base }: FillChange): string => isoDate(clock.dayOf(fill?.time ?? known.get({ account, id })?.time ?? base?.time ?? 0))
  const batches = [...Map.groupBy(changes, (one) => `${one.account}\n${one.contract}\n${dateOf(one)}`)].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const group of inGroups(batches, ([, batch]) => batch.length, changesInGroup)) yield group.flatMap(([, batch]) => batch)
}

/** Marks fills for recomputing if any account is joining; true if one is. */
export const markUnsettledIfJoining = (writer: Writer, userId: string, at: number): boolean => {
  const isJoining = joiningAccounts(writer, userId).size > 0
  if (isJoining) markUnsettled(writer, userId, at)
  return isJoining
}

/** The accounts with positions or missing fills by imports. */
const statedAccounts = ({ orm }: Reader, userId: string): AccountKey[] =>
  union(
    orm.select({ account: knownPositions.account }).from(knownPositions).where(and(eq(knownPositions.userId, userId), eq(knownPositions.source, 'import'))),
    orm.select({ account: missingFills.account }).from(missingFills).where(and(eq(missingFills.userId, userId), eq(missingFills.source, 'import'))),
  )
    .all()
    .map(({ account }) => account)

/** Saves the positions and missing fills of the assembled accounts; what no active import has any more is deleted. Runs in the caller's transaction, after the fills. */
const saveFilePositions = (writer: Writer, userId: string, at: number, { assembly }: Pick<AssembledImports, 'assembly'>, isWithin: (account: AccountKey) => boolean): void => {
  const before = statedAccounts(writer, userId)
  const { positions, missing } = assembly
  const [stated, lacking] = [Map.groupBy(positions, ({ account }) => account), Map.groupBy(missing, ({ account }) => account)]
  for (const account of new Set([...before, ...stated.keys(), ...lacking.keys()])) {
    if (!isWithin(account)) continue
    const evidence = {
      positions: (stated.get(account) ?? []).map(({ contract, time, net }) => ({ contract, time, net })),
      missing: (lacking.get(account) ?? []).map(({ contract, time }) => ({ contract, time })),
    }
    saveEvidence(writer, { userId, at, account, source: 'import', from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, ...evidence })
  }
}

// Others wait for the writer no longer than a commit takes anyway.
const longestMs = 10

/** Runs a long computation in slices of about `longestMs`, and lets other work run between them. */
const runInSlices = async <T>(work: Sliced<T>): Promise<T> => {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < longestMs) continue
    await nextTurn()
    since = performance.now()
  }
}

/** Contract figures that only imports have. The broker's own figures stay. */
const wantedSpecs = (writer: Writer, userId: string, { assembly }: Pick<AssembledImports, 'assembly'>): ContractSpec[] =>
  [...assembly.specs.values()].filter((spec) => !isSameSpec(spec, contractSpecOf(spec.contract)) && keptSpec(writer, userId, spec.contract)?.source !== 'broker')

/** Contracts that the broker described, and whose rounding an import shows. */
const roundedSpecs = (writer: Writer, userId: string, { assembly }: Pick<AssembledImports, 'assembly'>): ContractSpec[] =>
  [...assembly.specs.values()].filter(({ contract, rounding }) => rounding !== null && keptSpec(writer, userId, contract)?.source === 'broker')

const specsOfImports = ({ orm }: Writer, userId: string): Set<string> =>
  new Set(orm.select().from(importedSpecs).where(eq(importedSpecs.userId, userId)).all().map(({ contract }) => contract))

/** Saves the contract figures that only imports have, and derives again what they change; runs in the caller's transaction. */
const saveFileSpecs = (writer: Writer, userId: string, at: number, whole: Pick<AssembledImports, 'assembly'>): void => {
  const ours = specsOfImports(writer, userId)
  const wanted = wantedSpecs(writer, userId, whole).filter(({ contract }) => ours.has(contract) || keptSpec(writer, userId, contract) === null)
  saveSpecs(writer, userId, at, [...wanted, ...roundedSpecs(writer, userId, whole)])
  for (const { contract } of wanted) writer.orm.insert(importedSpecs).values({ userId, contract }).onConflictDoNothing().run()
}

/**
 * Deletes contract figures that no import has any more, of all contracts or of those in `reach`; derives the affected
 * trades again with the figures of other imports, else the table's. Runs in the caller's transaction.
 */
const leaveFileSpecs = (writer: Writer, userId: string, at: number, whole: Pick<AssembledImports, 'assembly'>, reach: Reach | null): void => {
  const wanted = new Map(wantedSpecs(writer, userId, whole).map((spec) => [spec.contract, spec]))
  const drop = (contract: string) => writer.orm.delete(specs).where(and(eq(specs.userId, userId), eq(specs.contract, contract))).run()
  for (const contract of specsOfImports(writer, userId)) {
    const [table, kept, ofImports] = [contractSpecOf(contract), keptSpec(writer, userId, contract), wanted.get(contract)]
    const isBrokers = kept?.source === 'broker'
    const isBeyond = reach?.contracts.has(contract) === false
    if (!isBrokers && (isBeyond || !fitsFills(writer, userId, ofImports ?? table))) continue
    if (!isBrokers && ofImports !== undefined) {
      // `saveSpecs` never replaces better figures by worse ones, but here the import with the better ones is gone.
      if (kept !== null && trustRank(kept) > trustRank(ofImports)) {
        drop(contract)
        saveSpecs(writer, userId, at, [ofImports])
      }
      continue
    }
    writer.orm.delete(importedSpecs).where(and(eq(importedSpecs.userId, userId), eq(importedSpecs.contract, contract))).run()
    if (isBrokers) continue
    drop(contract)
    for (const name of convertToTicks(writer, userId, contract, table.tickSize)) queueChange(writer, userId, at, 'fill', name)
    deriveAgain(writer, { userId, at, where: 'contract = ?', values: [contract] })
  }
}

/** What changed in imports, or in fills of other sources; a caller that can't say it recomputes everything. */
type Touched = {
  /** Which account rows named before. */
  readonly attribute: AccountAttribution
  /** An import that became active. */
  readonly incoming: string | null
  /** The facts of an import that is no longer active; null if there are none. */
  readonly gone: readonly PartFacts[] | null
  /** Accounts with new fills of other sources, and the contracts of these. */
  readonly changed: ReadonlyMap<AccountKey, ReadonlySet<string>>
}

/** Accounts that a change reaches and that are assembled on their own: no other account depends on them. */
type Reach = {
  readonly within: Within
  /** Everything that could affect these contracts is within. */
  readonly contracts: ReadonlySet<string>
}

/**
 * The accounts that a change can reach: those that its rows name, and all that have a contract in common with them
 * whose figures files can change. Accounts without such a contract are separate, so that a large journal is never held whole.
 * Null if it may be any account, for example if rows that name none could belong to one.
 */
function* reaching(reader: Reader, userId: string, { attribute: before, incoming, gone, changed }: Touched): Sliced<readonly Reach[] | null> {
  const active = factsOfActiveImports(reader, userId)
  yield
  if (active === null || gone === null) return null
  const attribute = accountAttribution(reader, userId)
  const parts = [...active.map((part) => ({ ...part, changed: part.importId === incoming })), ...gone.map((part) => ({ ...part, changed: true }))]
  // A row without an id may belong to another account than its part, if several accounts share the name.
  if (parts.some((part) => part.name !== null && attribute(part) !== attribute({ id: null, name: part.name }))) return null
  if (parts.some((part) => before(part) !== attribute(part) || (part.changed && attribute(part) === null))) return null

  const linked = linkedAccounts()
  const starts = new Set(changed.keys())
  const batches = reader.orm.selectDistinct({ account: batchTable.account, contract: batchTable.contract }).from(batchTable).where(eq(batchTable.userId, userId)).all()
  const having = accountsByContract(parts, attribute, batches)
  yield
  for (const [contract, { accounts, sizes }] of having) {
    if (isChangeable(reader, userId, contract, sizes)) linked.link([...accounts])
  }
  // One pair shows how the broker rounds all contracts with parts of cents.
  linked.link([...having].flatMap(([contract, { accounts }]) => (hasPartsOfCents(contractSpecOf(contract)) ? [...accounts] : [])))
  for (const part of parts) {
    const account = part.changed ? attribute(part) : null
    if (account !== null) starts.add(account)
  }
  const named = new Set(active.map((part) => attribute(part)).filter((key) => key !== null))
  const allNamed = active.every((part) => attribute(part) !== null)
  const reaches = linked.clustersWith(starts).map((accounts): Reach => {
    const contracts = new Set([...having].filter(([, one]) => [...one.accounts].some((account) => accounts.has(account))).map(([contract]) => contract))
    for (const [account, fresh] of changed) if (accounts.has(account)) for (const contract of fresh) contracts.add(contract)
    return { within: { accounts, named, allNamed }, contracts }
  })
  // Contracts in common with rows that name no account decide which account these belong to.
  if (parts.some((part) => attribute(part) === null && Object.keys(part.contracts).some((contract) => reaches.some(({ contracts }) => contracts.has(contract))))) return null
  return reaches
}

type Having = { readonly accounts: Set<AccountKey>; readonly sizes: Set<string> }

const accountsByContract = (parts: readonly PartFacts[], attribute: AccountAttribution, batches: readonly Pick<typeof batchTable.$inferSelect, 'account' | 'contract'>[]): ReadonlyMap<string, Having> => {
  const having = new Map<string, Having>()
  const of = (contract: string): Having => getOrInsert(having, contract, () => ({ accounts: new Set(), sizes: new Set() }))
  for (const part of parts) {
    const account = attribute(part)
    for (const [contract, sizes] of Object.entries(part.contracts)) {
      const known = of(contract)
      if (account !== null) known.accounts.add(account)
      for (const size of sizes) known.sizes.add(size)
    }
  }
  for (const { account, contract } of batches) of(contract).accounts.add(account)
  return having
}

/** Whether files can change a contract's figures from those of the table. */
const isChangeable = (reader: Reader, userId: string, contract: string, sizes: ReadonlySet<string>): boolean => {
  const { source, rootIsWhole, tickSize } = contractSpecOf(contract)
  const kept = keptSpec(reader, userId, contract)
  return source !== 'table' || !rootIsWhole || [...sizes, ...(kept === null ? [] : [kept.tickSize])].some((size) => !liesOnTicks(size, tickSize))
}

/** Accounts that must be assembled together. */
const linkedAccounts = () => {
  const clusters = new Map<AccountKey, Set<AccountKey>>()
  const clusterOf = (account: AccountKey): Set<AccountKey> => getOrInsert(clusters, account, () => new Set([account]))
  return {
    link: ([first, ...rest]: readonly AccountKey[]): void => {
      if (first === undefined) return
      for (const other of rest) {
        const cluster = clusterOf(first)
        const joining = clusterOf(other)
        if (cluster === joining) continue
        for (const account of joining) clusters.set(account, cluster.add(account))
      }
    },
    clustersWith: (some: ReadonlySet<AccountKey>): readonly ReadonlySet<AccountKey>[] => [...new Set([...some].map(clusterOf))],
  }
}
