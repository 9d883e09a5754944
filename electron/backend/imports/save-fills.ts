import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { AccountFill } from '#shared/api/records.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { inGroups } from '#shared/base/in-groups.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf, mergeFill } from '#shared/fills/merge.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { FillSource } from '#shared/fills/source.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, localDate, zoneClock } from '#shared/market/zone-clock.ts'
import { parsePrice } from '#shared/money/price.ts'
import type { Barrier, WriteContext } from '../db/barrier.ts'
import { atomically, query, type Reader, type Writer } from '../db/database.ts'
import { accounts as accountTable, contracts } from '../db/schema/brokerage.ts'
import { fillsById, priceIn, writeFills, type StoredFill, type TickSizeOf, type PricedFill } from '../fills/fill-rows.ts'
import { accountAttribution } from './import-accounts.ts'
import { accountsWithImports, isUnsettled, markUnsettled, timesMarked } from './queries.ts'
import { brokerRules, fillName, isOwn, type MergeRules, sameFill } from '../fills/merge-rules.ts'
import type { SaveCounts, NewFill, At, OfUser } from '../db/rows.ts'
import { settleImports } from './settle-imports.ts'
import { specOf } from '../fills/specs.ts'
import { zoneOf } from '../db/zone.ts'
import { deriveChanged, openChangedBatches, saveSpecs } from '../fills/derive-contract.ts'
import { storeFault } from '../db/fault.ts'
import { openRemovals } from '../fills/removed-fills.ts'
import { openOutbox, type Outbox } from '../db/outbox.ts'
import { saveBaseFill, baseFills } from '../fills/base-fills.ts'
import { addChanges } from '../fills/changes.ts'

/** Fills in one transaction: few enough that no one waits long for the writer, many enough that commits cost little. */
const fillsInGroup = 5_000

const textOf = (id: string | number | null): string | null => (id === null ? null : String(id))

type Prepare = (fill: NewFill) => StoredFill

/** Fills to be saved in the journal, each once, by account and id, as they were when they were prepared. */
export type PreparedFills = {
  readonly accounts: ReadonlyMap<AccountKey, ReadonlyMap<string, StoredFill>>
  /** The tick sizes of their prices, by contract. */
  readonly tickSizes: ReadonlyMap<string, string>
  /** The time zone of their local dates. */
  readonly zone: string
}

/** Converts fills to the current ticks of their contract; records those in `kept`. */
const preparing = (writer: Writer, userId: string, zone: string, specs: readonly ContractSpec[], kept: Map<string, string>): Prepare => {
  const clock = zoneClock(zone)
  const given = new Map(specs.map((spec) => [spec.contract, spec.tickSize]))
  return (fill) => {
    const { id, account, contract, time, side, qty, fee, active, source, tradeDate } = fill
    let tickSize = kept.get(contract)
    if (tickSize === undefined) kept.set(contract, (tickSize = specOf(writer, userId, contract).tickSize))
    const price = priceIn(fill.price, given.get(contract) ?? tickSize, tickSize)
    const localDate = isoDate(clock.dayOf(time))
    return { ...feeFactsOf(fill), id, account, contract, time, side, qty, price, fee, active, source, localDate, orderId: textOf(fill.orderId), contractId: textOf(fill.contractId), tradeDate, ...(fill.ambiguous === true ? { ambiguous: true } : {}) }
  }
}

/** Each fill once, the later reading merged into the earlier, by account and id. */
const once = (fills: readonly NewFill[], prepare: Prepare): Map<AccountKey, Map<string, StoredFill>> => {
  const accounts = new Map<AccountKey, Map<string, StoredFill>>()
  for (const taken of fills) {
    const fill = prepare(taken)
    const ofAccount = getOrInsert(accounts, fill.account, () => new Map<string, StoredFill>())
    const earlier = ofAccount.get(fill.id)
    const merged = mergeFill(earlier, fill).fill
    ofAccount.set(fill.id, merged === earlier ? earlier : { ...fill, ...merged })
  }
  return accounts
}

/** Whole batches, ordered by account, contract and date, so that open positions carry forward. */
const toBatches = (accounts: PreparedFills['accounts']): FillBatch[] => {
  const batches = new Map<string, StoredFill[]>()
  for (const fills of accounts.values()) {
    for (const fill of fills.values()) {
      getOrInsert(batches, `${fill.account}\n${fill.contract}\n${fill.localDate}`, () => []).push(fill)
    }
  }
  return [...batches]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, fills]) => {
      const first = fills[0]
      return first === undefined ? [] : [{ account: first.account, contract: first.contract, localDate: first.localDate, fills: fills.sort(compareFills) }]
    })
}

const sum = (one: SaveCounts, other: SaveCounts): SaveCounts => ({
  fills: {
    added: one.fills.added + other.fills.added,
    changed: one.fills.changed + other.fills.changed,
    unchanged: one.fills.unchanged + other.fills.unchanged,
    skipped: one.fills.skipped + other.fills.skipped,
  },
  batches: one.batches + other.batches,
  pairs: addChanges(one.pairs, other.pairs),
  trades: addChanges(one.trades, other.trades),
  outbox: one.outbox + other.outbox,
})

/** Updates a batch: since its fills were prepared, its contract may have got other ticks, and its profile another zone. */
const asOfNow = (writer: Writer, userId: string, { tickSizes, zone: was }: PreparedFills, batch: FillBatch): FillBatch => {
  const to = specOf(writer, userId, batch.contract).tickSize
  const from = tickSizes.get(batch.contract) ?? to
  const zone = zoneOf(writer, userId)
  if (from === to && zone === was) return batch
  return { ...batch, fills: batch.fills.map((fill) => ({ ...fill, price: priceIn(fill.price, from, to), localDate: localDate(fill.time, zone) })) }
}

/** Prepared fills, and how they are merged with known ones. With `settlesLater` the caller itself settles imports at its end. */
export type PreparedOrder = { readonly userId: string; readonly at: number; readonly fills: PreparedFills; readonly mergeRules: MergeRules; readonly settlesLater?: boolean }

/** Saves prepared fills in groups, each as a whole or not at all. Other writes get their turn in between. */
export const savePrepared = async ({ writer, barrier }: WriteContext, { userId, at, fills, mergeRules, settlesLater = false }: PreparedOrder): Promise<readonly SaveCounts[]> => {
  const taken: SaveCounts[] = []
  const withImports = accountsWithImports(writer, userId)
  const wasSettled = !isUnsettled(writer, userId)
  const before = timesMarked(writer, userId)
  let marksOfThisCall = 0
  for (const group of inGroups(toBatches(fills.accounts), (batch) => batch.fills.length, fillsInGroup)) {
    const take = () => saveGroup(writer, barrier, { userId, at, mergeRules, withImports, group: group.map((batch) => asOfNow(writer, userId, fills, batch)) })
    const noted = timesMarked(writer, userId)
    taken.push(atomically(writer, take))
    marksOfThisCall += timesMarked(writer, userId) - noted
    barrier('group-committed', writer.database)
    await nextTurn()
  }
  if (settlesLater || !isUnsettled(writer, userId)) return taken
  // Someone else's note may reach further.
  const onlyThisCallMarked = wasSettled && timesMarked(writer, userId) - before === marksOfThisCall
  const touched = !onlyThisCallMarked ? null : { attribute: accountAttribution(writer, userId), incoming: null, gone: [], changed: new Map([...fills.accounts].map(([account, own]) => [account, new Set([...own.values()].map(({ contract }) => contract))])) }
  const { pairs, trades } = await settleImports({ writer, barrier }, { userId, at, touched })
  return [...taken, { fills: { added: 0, changed: 0, unchanged: 0, skipped: 0 }, batches: 0, pairs, trades, outbox: 0 }]
}

/** Saves all prepared fills at once, in the caller's transaction; imports must still be settled. */
export const saveAtOnce = ({ writer, barrier }: WriteContext, { userId, at, fills, mergeRules }: Omit<PreparedOrder, 'settlesLater'>): void => {
  saveGroup(writer, barrier, { userId, at, mergeRules, withImports: accountsWithImports(writer, userId), group: toBatches(fills.accounts).map((batch) => asOfNow(writer, userId, fills, batch)) })
}

/** `saveFills` of the journal. */
export const saveFills = async (context: WriteContext, input: { userId: string; at: number; fills: readonly NewFill[]; specs: readonly ContractSpec[] }): Promise<SaveCounts> => {
  const { writer } = context
  const { userId, at } = input
  const zone = zoneOf(writer, userId)
  const begun = atomically(writer, () => saveSpecs(writer, userId, at, input.specs))
  const tickSizes = new Map<string, string>()
  const accounts = once(input.fills, preparing(writer, userId, zone, input.specs, tickSizes))
  const taken = (await savePrepared(context, { userId, at, fills: { accounts, tickSizes, zone }, mergeRules: brokerRules })).reduce(sum, begun)
  const distinct = [...accounts.values()].reduce((count, ofAccount) => count + ofAccount.size, 0)
  return { ...taken, fills: { ...taken.fills, unchanged: taken.fills.unchanged + input.fills.length - distinct } }
}

/** Fills of one account, contract and local date, in the order of matching, prices in ticks of the stored contract. */
type FillBatch = { readonly account: AccountKey; readonly contract: string; readonly localDate: string; readonly fills: readonly StoredFill[] }

const idsByAccount = (group: readonly FillBatch[]): Map<AccountKey, string[]> => {
  const ids = new Map<AccountKey, string[]>()
  for (const { account, fills } of group) {
    const ofAccount = getOrInsert(ids, account, () => [])
    for (const { id } of fills) ofAccount.push(id)
  }
  return ids
}

/** Whose fills are saved, when (UTC ms), and how they are merged with known ones. */
type GroupOrder = {
  readonly userId: string
  readonly at: number
  readonly mergeRules: MergeRules
  readonly group: readonly FillBatch[]
  /** Accounts that imports change, null for all: their new fills go to the base fills until everything is recomputed. */
  readonly withImports: ReadonlySet<AccountKey> | null
}

/** Whether a batch has fills whose source is a file, this computer's or another one's. */
const hasFillsOfFiles = (reader: Reader, userId: string, account: AccountKey, contract: string, localDate: string): boolean =>
  // Raw SQL: the benchmark `sync` asks this of every batch.
  query<{ source: FillSource }>(reader, 'SELECT DISTINCT source FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
    .all(userId, account, contract, localDate)
    .some(({ source }) => !isOwn(source))

/** Saves whole batches in the caller's transaction: fills merged, trades derived, changes recorded, or nothing. */
const saveGroup = (writer: Writer, barrier: Barrier, { userId, at, mergeRules, group, withImports }: GroupOrder): SaveCounts => {
  barrier('group-begun', writer.database)
  const accounts = new Map(writer.orm.select().from(accountTable).where(eq(accountTable.userId, userId)).all().map((row) => [row.key, row]))
  const tickSizes = new Map<string, string>()
  const tickSizeOf: TickSizeOf = (contract) => getOrInsert(tickSizes, contract, () => specOf(writer, userId, contract).tickSize)
  const kept = new Map([...idsByAccount(group)].map(([account, ids]) => [account, fillsById(writer, userId, account, ids, tickSizeOf)]))
  const outbox = openOutbox(writer, userId, at)
  const work = openChangedBatches(writer, userId)
  const removals = openRemovals(writer, userId, at, outbox.queue)
  const writing = writeFills(writer, userId, tickSizeOf)
  const counts = { added: 0, changed: 0, unchanged: 0, skipped: 0 }

  for (const { account, contract, localDate: date, fills } of group) {
    const state = accounts.get(account)
    if (state === undefined) throw storeFault('not-found', 'Fills of an account that is not connected')
    if (state.removedAt !== null && mergeRules.skipsRemoved) {
      counts.skipped += fills.length
      continue
    }
    if (withImports === null || withImports.has(account) || (mergeRules.readHere && hasFillsOfFiles(writer, userId, account, contract, date))) {
      const merged = mergeBaseFills(writer, { userId, account, fills, current: kept.get(account) ?? new Map<string, StoredFill>(), mergeRules, outbox, tickSizeOf })
      for (const name of ['added', 'changed', 'unchanged'] as const) counts[name] += merged[name]
      if (merged.added + merged.changed > 0) markUnsettled(writer, userId, at)
      continue
    }
    for (const incoming of fills) {
      const before = kept.get(account)?.get(incoming.id)
      const fill = mergeRules.merge(before, incoming)
      if (before === undefined) removals.present(fillName(fill))
      mergeRules.queueIn(outbox, fill, fill !== before)
      if (fill === before) {
        counts.unchanged += 1
        continue
      }
      counts[before === undefined ? 'added' : 'changed'] += 1
      if (before !== undefined) work.touch(account, before.contract, before.localDate)
      writing.put(fill)
      work.touch(account, fill.contract, fill.localDate)?.push(fill)
    }
  }
  writing.flush()
  barrier('fills-written', writer.database)

  const derived = deriveChanged(writer, barrier, userId, work, outbox)
  return { fills: counts, ...derived, outbox: outbox.count() }
}

/** New fills of an account that imports change, and the journal's fills of the same ids. */
type BaseMerge = {
  readonly userId: string
  readonly account: AccountKey
  readonly fills: readonly StoredFill[]
  readonly current: ReadonlyMap<string, StoredFill>
  readonly mergeRules: MergeRules
  readonly outbox: Outbox
  readonly tickSizeOf: TickSizeOf
}

/** Merges new fills into the base fills of an account; `settleImports` then recomputes the journal's fills. */
const mergeBaseFills = (writer: Writer, { userId, account, fills, current, mergeRules, outbox, tickSizeOf }: BaseMerge): { added: number; changed: number; unchanged: number } => {
  const bases = baseFills(writer, userId, account)
  const counts = { added: 0, changed: 0, unchanged: 0 }
  for (const incoming of fills) {
    const now = current.get(incoming.id)
    const base = bases.get(incoming.id)
    const before = base === undefined ? now : base === null ? undefined : keptOf(base, incoming.localDate, tickSizeOf)
    // The cloud returns what our imports made: no other source has this fill.
    const isOurs = base === null && now !== undefined && sameFill(now, incoming)
    const fill = isOurs ? now : mergeRules.merge(before, incoming)
    const isNew = !isOurs && fill !== before
    mergeRules.queueIn(outbox, now ?? fill, isNew)
    counts[!isNew ? 'unchanged' : before === undefined ? 'added' : 'changed'] += 1
    if (isNew) saveBaseFill(writer, userId, account, incoming.id, pricedOf(fill, tickSizeOf))
  }
  return counts
}

const keptOf = ({ tickSize, ...fill }: PricedFill, localDate: string, tickSizeOf: TickSizeOf): StoredFill => ({ ...fill, localDate, price: priceIn(fill.price, tickSize, tickSizeOf(fill.contract)) })

const pricedOf = (fill: StoredFill, tickSizeOf: TickSizeOf): PricedFill => {
  const { localDate: _, ...undated } = fill
  return { ...undated, tickSize: tickSizeOf(fill.contract) }
}

/** Adds one fill of the spec's call: the account by our id or the broker's, the contract by its symbol or the broker's id. */
export const addFill = async (context: WriteContext, { userId, at, fill }: OfUser & At & { readonly fill: AccountFill }): Promise<Result<SaveCounts, 'not-found' | 'off-tick'>> => {
  const { writer } = context
  const { orm } = writer
  const isNamed = or(eq(accountTable.key, fill.accountId as AccountKey), eq(accountTable.brokerAccountId, fill.accountId))
  const found = orm.select({ key: accountTable.key }).from(accountTable).where(and(eq(accountTable.userId, userId), isNull(accountTable.removedAt), isNamed)).all().map(({ key }) => key)
  // The broker's number may mean an account on either side, live or demo: then only our id is unambiguous.
  const account = found.find((key) => key === fill.accountId) ?? (found.length === 1 ? found[0] : undefined)
  const contract = fill.contractSymbol ?? orm.select().from(contracts).where(and(eq(contracts.userId, userId), eq(contracts.brokerContractId, fill.contractId))).get()?.contract
  if (account === undefined || contract === undefined) return err('not-found')
  const spec = specOf(writer, userId, contract)
  const price = parsePrice(fill.price, spec.tickSize)
  if (!price.ok) return err('off-tick')
  const { id, qty, action: side, contractId } = fill
  const taken = { id, account, contract, time: Date.parse(fill.timestamp), side, qty, price: price.value, fee: null, active: true, source: 'handed-in', orderId: null, contractId, tradeDate: null } as const
  return ok(await saveFills(context, { userId, at, fills: [taken], specs: [spec] }))
}
