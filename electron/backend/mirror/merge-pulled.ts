import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { mirrorParts, type ContentOf, type MirrorEntity, type MirrorRecord } from '#shared/mirror/record.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import { amountOf, type Amount, type Currency } from '#shared/money/money.ts'
import { reprice, type Ticks } from '#shared/money/price.ts'
import type { WriteContext } from '../db/barrier.ts'
import { atomically, type Writer } from '../db/database.ts'
import type { At, OfUser } from '../db/rows.ts'
import { fillPairs, finances } from '../db/schema/journal.ts'
import { mirrors, outbox, pictures } from '../db/schema/mirror.ts'
import { observeStamps } from '../db/stamps.ts'
import { zoneOf } from '../db/zone.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import type { StoredFill } from '../fills/fill-rows.ts'
import { removeGoneFills, removeElsewhereRemoved } from '../imports/gone-fills.ts'
import { cloudRules, type MergeRules, type CloudFills } from '../fills/merge-rules.ts'
import { saveRemoval, removalOf } from '../fills/removed-fills.ts'
import { specOf } from '../fills/specs.ts'
import { deriveStale, repricing } from '../fills/stale-batches.ts'
import { savePrepared, type PreparedFills } from '../imports/save-fills.ts'
import { alignFinance } from '../finances/account-finance.ts'
import { joiningAccounts } from '../imports/import-accounts.ts'
import { markUnsettledIfJoining } from '../imports/settle-imports.ts'
import { rulesOf, upsertRules } from '../own-data/account-rules.ts'
import { upsertRate, rateOf } from '../own-data/commissions.ts'
import { upsertStop, stopOf } from '../own-data/default-stops.ts'
import { pointValueOf, upsertPointValue } from '../own-data/point-values.ts'
import { dayFields, dayOf, writeDay } from '../notes/day-notes.ts'
import { editFields, editOf, writeEdit } from '../notes/edits.ts'
import { placeNotesOf } from '../notes/place-notes.ts'
import { recomputeEntry } from '../trades/edit-trades.ts'
import { expectAccount, mergeAccount, mergeBalance, mergeContract, mergeProfile, mergeSpec, type Merging } from './merge-ground.ts'
import { isQueued, queueChange, queueForCloud } from '../db/outbox.ts'
import { pairContents } from './outgoing.ts'
import type { ChangedRecord, Proof } from './rows.ts'

type RecordOf<E extends MirrorEntity> = { readonly id: string; readonly content: ContentOf<E> }

/** A fill of the mirror: its name and content. */
export type MirroredFill = { readonly id: string; readonly content: NonNullable<ContentOf<'fill'>> }

/** Whether the known record stays because its stamp is later; it is then queued for the cloud. */
const isKnownLater = ({ writer, userId, at }: Merging, entity: MirrorEntity, id: string, known: Stamp | null | undefined, incoming: Stamp): boolean => {
  const localWins = (known ?? neverStamped) > incoming
  queueForCloud(writer, { userId, at, entity, id, localWins })
  return localWins
}

/** The later stamp wins; the name, the balance and the tombstone of an account's finance are the account's. Marks what its firm's rates change to be derived again. */
const mergeFinance = (merging: Merging, id: string, incoming: ContentOf<'finance'>): void => {
  const { writer, userId, at } = merging
  const known = writer.orm.select({ stamp: finances.stamp, firm: finances.firm }).from(finances).where(and(eq(finances.userId, userId), eq(finances.id, id))).get()
  if (isKnownLater(merging, 'finance', id, known?.stamp, incoming.stamp)) return
  const row = { ...incoming, amount: amountOf(incoming.amount), balance: amountOf(incoming.balance), currency: incoming.currency as Currency }
  const put = () => writer.orm.insert(finances).values({ userId, id, ...row }).onConflictDoUpdate({ target: [finances.userId, finances.id], set: row }).run()
  if ((known?.firm ?? null) === incoming.firm) put()
  else repricing(writer, userId, at, put)
  alignFinance(writer, userId, id)
}

/** A picture's name is the hash of its content: the same name is the same picture. */
const mergePicture = ({ writer, userId, at }: Merging, name: string, incoming: ContentOf<'picture'>): void => {
  writer.orm.insert(pictures).values({ userId, name, ...incoming }).onConflictDoNothing().run()
  queueForCloud(writer, { userId, at, entity: 'picture', id: name, localWins: false })
}

/** The later stamp wins. A broker's fill pair is never replaced by an entered trade. */
const mergeTrade = (merging: Merging, id: string, incoming: ContentOf<'trade'>): void => {
  const { writer, userId, at } = merging
  const known = writer.orm.select({ stamp: fillPairs.stamp, origin: fillPairs.origin }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, id))).get()
  if (known?.origin === 'synced') return
  if (isKnownLater(merging, 'trade', id, known?.stamp, incoming.stamp)) return
  const { gross, commission, net, entryPrice, exitPrice, currency, warnings, tripId: tradeId, ...rest } = incoming
  const money = { gross: amountOf(gross), commission: amountOf(commission), net: amountOf(net), currency: currency as Currency }
  const row = { ...rest, ...money, tradeId, entryPrice: entryPrice as Ticks, exitPrice: exitPrice as Ticks, origin: 'manual' as const, warnings: JSON.stringify(warnings) }
  writer.orm.insert(fillPairs).values({ userId, id, ...row }).onConflictDoUpdate({ target: [fillPairs.userId, fillPairs.id], set: row }).run()
  // Its annotations may have arrived before it.
  placeNotesOf(writer, userId, id)
  // Its computer may not have had the user's point value.
  const isUncertain = warnings.some((warning) => warning === 'unknown-contract' || warning === 'partial-root')
  if (isUncertain && (pointValueOf(writer, userId, wholeRootOf(rest.symbol))?.amount ?? null) !== null) recomputeEntry(writer, userId, at, id)
}

/** A field as stored. */
type IncomingField = { readonly value: string | number | null; readonly stamp: Stamp }
type IncomingFields<F extends string> = Partial<Record<F, IncomingField | undefined>>

const inJson = (field: { readonly value: unknown; readonly stamp: Stamp } | undefined): IncomingField | undefined => field && { value: JSON.stringify(field.value), stamp: field.stamp }

/** Field by field, the later stamp wins: the incoming fields to write, and whether a known one stays. */
const laterFields = <F extends string>(all: readonly F[], known: Readonly<Partial<Record<F, Stamp>>>, incoming: IncomingFields<F>) => {
  const isKept = (field: F): boolean => (known[field] ?? neverStamped) > (incoming[field]?.stamp ?? neverStamped) || (known[field] !== undefined && incoming[field] === undefined)
  const taken = all.filter((field) => incoming[field] !== undefined && !isKept(field))
  const pick = (part: keyof IncomingField) => Object.fromEntries(taken.map((field) => [field, incoming[field]?.[part]]))
  return { isChanged: taken.length > 0, values: pick('value'), stamps: pick('stamp'), localWins: all.some(isKept) }
}

const mergeEdit = ({ writer, userId, at }: Merging, pairId: string, { tags, drawings, place, ...others }: ContentOf<'edit'>): void => {
  const incoming = { ...others, tags: inJson(tags), drawings: inJson(drawings), place: inJson(place) }
  const { isChanged, values, stamps, localWins } = laterFields(editFields, editOf(writer, userId, pairId).stamps, incoming)
  if (isChanged) {
    writeEdit(writer, userId, pairId, values, stamps)
    deriveTradesOf(writer, userId, at, placeNotesOf(writer, userId, pairId))
  }
  queueForCloud(writer, { userId, at, entity: 'edit', id: pairId, localWins })
}

const mergeDay = ({ writer, userId, at }: Merging, tradingDay: string, { notes, tags }: ContentOf<'day'>): void => {
  const { isChanged, values, stamps, localWins } = laterFields(dayFields, dayOf(writer, userId, tradingDay).stamps, { notes, tags: inJson(tags) })
  if (isChanged) writeDay(writer, userId, tradingDay, values, stamps)
  queueForCloud(writer, { userId, at, entity: 'day', id: tradingDay, localWins })
}

/** A merge that only compares stamps: the later one wins. */
const mergeIfLater =
  <E extends 'commission' | 'point' | 'stop' | 'rules'>(
    entity: E,
    knownOf: (writer: Writer, userId: string, id: string, incoming: ContentOf<E>) => { readonly stamp: Stamp } | null,
    put: (merging: Merging, id: string, incoming: ContentOf<E>) => void,
  ) =>
  (merging: Merging, id: string, incoming: ContentOf<E>): void => {
    if (!isKnownLater(merging, entity, id, knownOf(merging.writer, merging.userId, id, incoming)?.stamp, incoming.stamp)) put(merging, id, incoming)
  }

/** Merges one record of a kind that is merged record by record. */
const merges: { readonly [E in Exclude<MirrorEntity, 'removal' | 'fill' | 'pair'>]: (merging: Merging, id: string, incoming: ContentOf<E>) => void } = {
  profile: mergeProfile, account: mergeAccount, balance: mergeBalance, spec: mergeSpec, contract: mergeContract,
  finance: mergeFinance, picture: mergePicture, trade: mergeTrade, edit: mergeEdit, day: mergeDay,
  commission: mergeIfLater('commission', (writer, userId, _, rate) => rateOf(writer, userId, rate), ({ writer, userId, at }, _, rate) => { upsertRate(writer, userId, at, rate) }),
  point: mergeIfLater('point', pointValueOf, ({ writer, userId, at }, product, value) => { upsertPointValue(writer, userId, at, product, value) }),
  stop: mergeIfLater('stop', stopOf, ({ writer, userId }, product, stop) => { upsertStop(writer, userId, product, stop) }),
  rules: mergeIfLater('rules', rulesOf, ({ writer, userId }, account, rules) => { upsertRules(writer, userId, account, rules) }),
}

/** Merges one record into the journal, in the caller's transaction; ignores fills and pairs. */
export const mergeRecord = <E extends keyof typeof merges>(merging: Merging, entity: E, id: string, content: ContentOf<E>): void => {
  const merge = merges[entity] as (merging: Merging, id: string, incoming: ContentOf<E>) => void
  merge(merging, id, content)
}

const ofKind = <E extends MirrorEntity>(records: readonly MirrorRecord[], entity: E): readonly RecordOf<E>[] =>
  records.filter((record) => record.entity === entity) as readonly unknown[] as readonly RecordOf<E>[]

const mergeEach = (merging: Merging, records: readonly MirrorRecord[], kinds: readonly (keyof typeof merges)[]): void => {
  for (const kind of kinds) for (const { id, content } of ofKind(records, kind)) mergeRecord(merging, kind, id, content)
}

const stampsOf = (record: MirrorRecord): Stamp[] => {
  if (record.content !== null && 'stamp' in record.content) return [record.content.stamp]
  return record.entity === 'edit' || record.entity === 'day' ? Object.values(record.content).flatMap((field) => field?.stamp ?? []) : []
}

/** The later stamp wins; deletes fills that are now known to be removed. */
const mergeRemovals = (context: WriteContext, merging: Merging, incoming: readonly { readonly id: string; readonly content: ContentOf<'removal'> }[]): void => {
  const { writer, userId, at } = merging
  const gone: string[] = []
  for (const { id: name, content } of incoming) {
    const known = removalOf(writer, userId, name)
    if (isKnownLater(merging, 'removal', name, known?.stamp, content.stamp)) continue
    saveRemoval(writer, userId, name, content)
    if (content.removed && known?.removed !== true) gone.push(name)
  }
  if (gone.length > 0) removeElsewhereRemoved(context, { userId, at, names: gone })
}

/** Which local removals override the cloud's fills: all of them if two histories are compared, else those not sent yet. */
type CountedRemovals = 'all' | 'unsent'

/** Whether the cloud's version of a fill contradicts its local removal, which is then queued. */
const isRefused = ({ writer, userId, at }: Merging, { id: name, content }: { readonly id: string; readonly content: ContentOf<'fill'> }, standing: CountedRemovals): boolean => {
  const known = removalOf(writer, userId, name)
  if (known?.removed !== (content !== null)) return false
  if (standing === 'unsent' && !isQueued(writer, userId, 'removal', name)) return false
  // A removed fill is sent before its removal, one that stays after it.
  for (const entity of known.removed ? (['fill', 'removal'] as const) : (['removal', 'fill'] as const)) queueChange(writer, userId, at, entity, name)
  return true
}

/** Compares the cloud's fill pairs with those derived here, which win. */
const comparePairs = ({ writer, userId, at }: Merging, incoming: readonly { readonly id: string; readonly content: ContentOf<'pair'> }[]): void => {
  const derived = pairContents(writer, userId, incoming.map(({ id }) => id))
  for (const { id, content } of incoming) queueForCloud(writer, { userId, at, entity: 'pair', id, localWins: !isDeepStrictEqual(derived.get(id) ?? null, content) })
}

/** Converts fills to the ticks and dates of this journal. Skips a fill whose price is between two ticks of its contract. */
export const prepareMirrored = (writer: Writer, userId: string, fills: readonly MirroredFill[]): PreparedFills => {
  const zone = zoneOf(writer, userId)
  const tickSizes = new Map<string, string>()
  const accounts = new Map<AccountKey, Map<string, StoredFill>>()
  for (const { id: name, content } of fills) {
    const { account: key, tickSize, otherFees, ...fill } = content
    const account = key as AccountKey
    const ticks = getOrInsert(tickSizes, fill.contract, () => specOf(writer, userId, fill.contract).tickSize)
    const price = reprice(fill.price as Ticks, tickSize, ticks)
    if (price === null) continue
    const id = name.slice(key.length + 1)
    getOrInsert(accounts, account, () => new Map()).set(id, { ...fill, ...(otherFees === null ? {} : { otherFees: otherFees as unknown as StoredFill['otherFees'] }), id, account, price, fee: fill.fee as Amount | null, localDate: localDate(fill.time, zone) })
  }
  return { accounts, tickSizes, zone }
}

type SavedPosition = OfUser & { readonly journal: string | null; readonly cursor: number | null; readonly proof?: Proof | null }

const savePosition = ({ orm }: Writer, { userId, journal, cursor, proof = null }: SavedPosition): void => {
  if (journal === null && cursor === null) return
  // An older cloud has no removals.
  if (proof !== null) orm.update(outbox).set({ setAside: false }).where(and(eq(outbox.userId, userId), eq(outbox.entity, 'removal'), eq(outbox.setAside, true))).run()
  const known = orm.select().from(mirrors).where(eq(mirrors.userId, userId)).get()
  // The same journal at no other position.
  if (cursor === null && known?.journal === journal) return
  const position = cursor === null ? { journal, cursor: 0, hashes: null, hashesAt: null } : { journal, cursor, hashes: proof?.hashes ?? null, hashesAt: proof?.head ?? null }
  orm.insert(mirrors).values({ userId, ...position }).onConflictDoUpdate({ target: mirrors.userId, set: position }).run()
}

/** Incoming records, at `at` (UTC ms), and how their fills are merged with known ones. */
export type MergeOrder = {
  readonly userId: string
  readonly at: number
  readonly records: readonly MirrorRecord[]
  readonly mergeRules: (fills: CloudFills) => MergeRules
  /** Whether the caller itself settles imports, at its end. */
  readonly settlesLater?: boolean
  /** Which local removals override incoming fills. */
  readonly standing?: CountedRemovals
}

/** Merges records except pairs, which are derived from fills; `last` runs in the transaction of the last step. */
export const mergeRecords = async (context: WriteContext, { userId, at, records, mergeRules, settlesLater = false, standing }: MergeOrder, last: (merging: Merging) => void): Promise<void> => {
  const { writer } = context
  const merging: Merging = { writer, userId, at }
  const { fills, prepared } = atomically(writer, () => {
    observeStamps(writer, records.flatMap(stampsOf))
    mergeRemovals(context, merging, ofKind(records, 'removal'))
    const all = ofKind(records, 'fill').filter((fill) => standing === undefined || !isRefused(merging, fill, standing))
    const fills = all.flatMap(({ id, content }): MirroredFill[] => (content === null ? [] : [{ id, content }]))
    const gone = all.flatMap(({ id, content }) => (content === null ? [id] : []))
    mergeEach(merging, records, mirrorParts.ground)
    for (const account of new Set(fills.map(({ content }) => content.account))) expectAccount(merging, account)
    removeGoneFills(context, { userId, at, names: gone })
    return { fills, prepared: prepareMirrored(writer, userId, fills) }
  })
  const incoming = new Map(fills.map(({ id, content }) => [id, content]))
  await savePrepared(context, { userId, at, fills: prepared, mergeRules: mergeRules(incoming), settlesLater })
  atomically(writer, () => {
    mergeEach(merging, records, mirrorParts.rest.filter((kind) => kind !== 'fill'))
    last(merging)
    markUnsettledIfJoining(writer, userId, at)
  })
  await deriveStale(context, userId, at)
}

/**
 * Merges one page of the cloud's changes: fields and records by stamp (on a tie the cloud's wins), balances by age,
 * fills and figures by source, and derives what that changes. Local values that win go to the outbox. Pairs are
 * compared with those derived here: equal ones are removed from the outbox. `cursor`, if given, is saved with the page,
 * in its last step, together with the proof of where the pages lead; without `journal` and `cursor`, the cursor stays.
 * Fills are merged in groups like in `saveFills`; after an interruption, the same page can be merged again. Accounts that
 * join are recomputed as a whole, which is left to the end of the pull: a page without records.
 */
export const mergePulled = async (context: WriteContext, { userId, at, records, journal, cursor, proof = null }: SavedPosition & At & { readonly records: readonly ChangedRecord[] }): Promise<void> => {
  const { writer } = context
  const settlesLater = records.length > 0 && joiningAccounts(writer, userId).size > 0
  await mergeRecords(context, { userId, at, records, settlesLater, standing: journal === null && cursor === null ? 'all' : 'unsent', mergeRules: (incoming) => cloudRules(writer, userId, incoming) }, (merging) => {
    comparePairs(merging, ofKind(records, 'pair'))
    savePosition(writer, { userId, journal, cursor, proof })
  })
}
