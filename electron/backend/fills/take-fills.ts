import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf, mergeFill } from '#shared/fills/merge.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, localDate, zoneClock } from '#shared/market/zone-clock.ts'
import type { Taking } from '../db/barrier.ts'
import { atomically, type Writer } from '../db/database.ts'
import { keepSpecs } from './derive-again.ts'
import { priceIn, type KeptFill } from './fill-rows.ts'
import { accountAttribution } from '../imports/import-accounts.ts'
import { timesNoted } from '../imports/queries.ts'
import { brokersFills, type Meeting } from './meet-fills.ts'
import type { Taken, TakenFill } from '../db/rows.ts'
import { accountsRuled, isUnsettled, settleImports } from '../imports/settle-imports.ts'
import { specOf } from './specs.ts'
import { takeGroup, type FillBatch } from './take-group.ts'
import { zoneOf } from '../db/zone.ts'

/** Fills in one transaction: so few that nobody waits long for the writer, so many that commits cost little. */
const fillsInGroup = 5_000

const textOf = (id: string | number | null): string | null => (id === null ? null : String(id))

type Prepare = (fill: TakenFill) => KeptFill

/** Fills on their way into the journal, each once, by account and id, as they stood when they were prepared. */
export type PreparedFills = {
  readonly accounts: ReadonlyMap<AccountKey, ReadonlyMap<string, KeptFill>>
  /** The ticks that their prices are in, by contract. */
  readonly tickSizes: ReadonlyMap<string, string>
  /** The zone of their local dates. */
  readonly zone: string
}

/** Puts fills into the ticks that their contract has now; `kept` learns which those are. */
const preparing = (writer: Writer, userId: string, zone: string, specs: readonly ContractSpec[], kept: Map<string, string>): Prepare => {
  const clock = zoneClock(zone)
  const given = new Map(specs.map((spec) => [spec.contract, spec.tickSize]))
  return (fill) => {
    const { id, account, contract, time, side, qty, fee, active, source, tradeDate } = fill
    let tickSize = kept.get(contract)
    if (tickSize === undefined) kept.set(contract, (tickSize = specOf(writer, userId, contract).tickSize))
    const price = priceIn(fill.price, given.get(contract) ?? tickSize, tickSize)
    const localDate = isoDate(clock.dayOf(time))
    return { ...feeFactsOf(fill), id, account, contract, time, side, qty, price, fee, active, source, localDate, orderId: textOf(fill.orderId), contractId: textOf(fill.contractId), tradeDate }
  }
}

/** Each fill once, the later reading merged into the earlier, by account and id. */
const once = (fills: readonly TakenFill[], prepare: Prepare): Map<AccountKey, Map<string, KeptFill>> => {
  const accounts = new Map<AccountKey, Map<string, KeptFill>>()
  for (const taken of fills) {
    const fill = prepare(taken)
    let ofAccount = accounts.get(fill.account)
    if (ofAccount === undefined) accounts.set(fill.account, (ofAccount = new Map()))
    const earlier = ofAccount.get(fill.id)
    const merged = mergeFill(earlier, fill).fill
    ofAccount.set(fill.id, merged === earlier ? earlier : { ...fill, ...merged })
  }
  return accounts
}

/** Whole batches, ordered by account, contract and date, so that carried positions are handed on forwards. */
const toBatches = (accounts: PreparedFills['accounts']): FillBatch[] => {
  const batches = new Map<string, KeptFill[]>()
  for (const fills of accounts.values()) {
    for (const fill of fills.values()) {
      const key = `${fill.account}\n${fill.contract}\n${fill.localDate}`
      const batch = batches.get(key)
      if (batch === undefined) batches.set(key, [fill])
      else batch.push(fill)
    }
  }
  return [...batches]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, fills]) => {
      const first = fills[0]
      return first === undefined ? [] : [{ account: first.account, contract: first.contract, localDate: first.localDate, fills: fills.sort(compareFills) }]
    })
}

function* toGroups(batches: readonly FillBatch[]): Generator<FillBatch[]> {
  let group: FillBatch[] = []
  let count = 0
  for (const batch of batches) {
    if (count > 0 && count + batch.fills.length > fillsInGroup) {
      yield group
      group = []
      count = 0
    }
    group.push(batch)
    count += batch.fills.length
  }
  if (count > 0) yield group
}

const sum = (one: Taken, other: Taken): Taken => ({
  fills: {
    added: one.fills.added + other.fills.added,
    changed: one.fills.changed + other.fills.changed,
    unchanged: one.fills.unchanged + other.fills.unchanged,
    skipped: one.fills.skipped + other.fills.skipped,
  },
  batches: one.batches + other.batches,
  pairs: { added: one.pairs.added + other.pairs.added, changed: one.pairs.changed + other.pairs.changed, removed: one.pairs.removed + other.pairs.removed },
  trips: { added: one.trips.added + other.trips.added, changed: one.trips.changed + other.trips.changed, removed: one.trips.removed + other.trips.removed },
  outbox: one.outbox + other.outbox,
})

/** A batch whose contract may have got other ticks, and its profile another zone, since its fills were prepared. */
const asOfNow = (writer: Writer, userId: string, { tickSizes, zone: was }: PreparedFills, batch: FillBatch): FillBatch => {
  const to = specOf(writer, userId, batch.contract).tickSize
  const from = tickSizes.get(batch.contract) ?? to
  const zone = zoneOf(writer, userId)
  if (from === to && zone === was) return batch
  return { ...batch, fills: batch.fills.map((fill) => ({ ...fill, price: priceIn(fill.price, from, to), localDate: localDate(fill.time, zone) })) }
}

/** Prepared fills, and how they meet those that are known. With `settlesLater` the caller puts together itself what imports say of them, at its end. */
export type PreparedOrder = { readonly userId: string; readonly at: number; readonly fills: PreparedFills; readonly meeting: Meeting; readonly settlesLater?: boolean }

/** Takes prepared fills in groups, each whole or not at all. Between them other writes get their turn. */
export const takePrepared = async ({ writer, barrier }: Taking, { userId, at, fills, meeting, settlesLater = false }: PreparedOrder): Promise<readonly Taken[]> => {
  const taken: Taken[] = []
  const ruled = accountsRuled(writer, userId)
  const wasSettled = !isUnsettled(writer, userId)
  const before = timesNoted(writer, userId)
  let notedHere = 0
  for (const group of toGroups(toBatches(fills.accounts))) {
    const take = () => takeGroup(writer, barrier, { userId, at, meeting, ruled, group: group.map((batch) => asOfNow(writer, userId, fills, batch)) })
    const noted = timesNoted(writer, userId)
    taken.push(atomically(writer, take))
    notedHere += timesNoted(writer, userId) - noted
    barrier('group-committed', writer.database)
    await nextTurn()
  }
  if (settlesLater || !isUnsettled(writer, userId)) return taken
  // Where somebody else noted something meanwhile, it may reach further.
  const isAllOurs = wasSettled && timesNoted(writer, userId) - before === notedHere
  const touched = !isAllOurs ? null : { attribute: accountAttribution(writer, userId), came: null, gone: [], changed: new Map([...fills.accounts].map(([account, own]) => [account, new Set([...own.values()].map(({ contract }) => contract))])) }
  const { pairs, trips } = await settleImports({ writer, barrier }, { userId, at, touched })
  return [...taken, { fills: { added: 0, changed: 0, unchanged: 0, skipped: 0 }, batches: 0, pairs, trips, outbox: 0 }]
}

/** Takes prepared fills all at once, in the caller's transaction; what imports say of them has still to be put together. */
export const takeAtOnce = ({ writer, barrier }: Taking, { userId, at, fills, meeting }: Omit<PreparedOrder, 'settlesLater'>): void => {
  takeGroup(writer, barrier, { userId, at, meeting, ruled: accountsRuled(writer, userId), group: toBatches(fills.accounts).map((batch) => asOfNow(writer, userId, fills, batch)) })
}

/** `takeFills` of the journal. */
export const takeFills = async (taking: Taking, input: { userId: string; at: number; fills: readonly TakenFill[]; specs: readonly ContractSpec[] }): Promise<Taken> => {
  const { writer } = taking
  const { userId, at } = input
  const zone = zoneOf(writer, userId)
  const begun = atomically(writer, () => keepSpecs(writer, userId, at, input.specs))
  const tickSizes = new Map<string, string>()
  const accounts = once(input.fills, preparing(writer, userId, zone, input.specs, tickSizes))
  const taken = (await takePrepared(taking, { userId, at, fills: { accounts, tickSizes, zone }, meeting: brokersFills })).reduce(sum, begun)
  const distinct = [...accounts.values()].reduce((count, ofAccount) => count + ofAccount.size, 0)
  return { ...taken, fills: { ...taken.fills, unchanged: taken.fills.unchanged + input.fills.length - distinct } }
}
