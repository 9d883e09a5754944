import { isDeepStrictEqual } from 'node:util'
import type { FillPairRecord, NewTrade, TradeUpdates } from '#shared/api/records.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { ContentOf, MirrorRecord } from '#shared/mirror/record.ts'
import type { Ticks } from '#shared/money/price.ts'
import { pairPlacesOf, type FillOfOrder } from '#shared/notes/place.ts'
import { filledFields, noAnnotations, showNotes, type Shown, type WrittenAnnotations } from '#shared/notes/show.ts'
import { byHand, changedByHand, changesFacts, enteredTrade, type EnteredByHand, type EnteredTrade } from '#shared/pnl/entered-trade.ts'
import { type ExactPair, type FeeFacts, pairRecordOf, type UserEdits, userFields } from '#shared/pnl/exact-pair.ts'
import type { JournalChange, JournalView, Listed } from '../store/journals.ts'
import { removeAccount } from './finances.ts'
import { byId, specOf, zoneOf } from './journal-reads.ts'

type Edit = ContentOf<'edit'>
type Account = ContentOf<'account'>
type Exact = { readonly origin: 'synced'; readonly exact: ExactPair & FeeFacts } | { readonly origin: 'manual'; readonly exact: EnteredTrade }
/** A fill pair, or a trade entered by hand, with its displayed notes; null if not shown. */
type ExactTrade = Exact & { readonly shown: Shown | null; readonly account: Account | null }
type FoundTrade = ExactTrade & { readonly edits: ReadonlyMap<string, Edit>; readonly notes: ReadonlyMap<string, Shown> }

// Mirrored values were exact when written. A record's `tripId` is the id of its trade.
const synced = ({ tripId, ...content }: NonNullable<ContentOf<'pair'>>): Exact => ({ origin: 'synced', exact: { ...content, tradeId: tripId, warnings: content.warnings.filter((warning) => warning !== 'crosses-midnight') } as unknown as ExactPair & FeeFacts })
const entered = ({ tripId, ...content }: ContentOf<'trade'>): Exact => ({ origin: 'manual', exact: { ...content, tradeId: tripId } as typeof content & EnteredTrade })

const inView = ({ shown, account }: ExactTrade): boolean => typeof shown?.removedAt !== 'number' && (account === null || account.removedAt === null)

const userFieldsOf = (given: TradeUpdates): TradeUpdates => Object.fromEntries(userFields.map((name) => [name, given[name]]))
const editsIn = (shown: Shown | null): UserEdits => (shown === null ? {} : { ...shown.annotations, tags: [...shown.annotations.tags], drawings: [...shown.annotations.drawings] })

const view = (userId: string, id: string, { origin, exact, shown, account }: ExactTrade): FillPairRecord => {
  const named = origin === 'manual' ? exact.account : null
  const [entryTime, exitTime] = [new Date(exact.entryTime).toISOString(), new Date(exact.exitTime).toISOString()]
  return pairRecordOf(exact, { id, userId, account: named ?? account?.name ?? exact.accountId, origin, entryTime, exitTime }, editsIn(shown))
}

/** The visible fill pairs and entered trades by exit: none of a removed account, and no removed ones. Each is created when it is needed. */
export const listTrades = async (journal: JournalView, userId: string): Promise<Iterable<FillPairRecord>> => {
  const listed = await journal.list('account', 'edit', 'pair', 'trade')
  const [accounts, notes] = [byId(listed.account), await shownNotes(journal, listed)]
  const kept = (id: string, exact: Exact): ExactTrade => ({ ...exact, shown: notes.get(id) ?? null, account: accounts.get(exact.exact.accountId) ?? null })
  const derived = listed.pair.map(({ id, content }) => ({ id, pair: kept(id, synced(content)) }))
  const manual = listed.trade.map(({ id, content }) => ({ id, pair: kept(id, entered(content)) }))
  const shown = [...derived, ...manual]
    .filter(({ pair }) => inView(pair))
    .sort((one, other) => one.pair.exact.exitTime - other.pair.exact.exitTime || compareText(one.id, other.id))
  return views(userId, shown)
}

function* views(userId: string, rows: readonly { readonly id: string; readonly pair: ExactTrade }[]): Generator<FillPairRecord> {
  for (const { id, pair } of rows) yield view(userId, id, pair)
}

const find = async (journal: JournalView, id: string): Promise<FoundTrade | null> => {
  const { trade, pair, edit } = await journal.getEach(['trade', 'pair', 'edit'], id)
  const found = trade !== null ? entered(trade) : pair !== null ? synced(pair) : null
  if (found === null) return null
  const { edits, notes } = await notesBeside(journal, id, edit, pair === null ? null : found.exact)
  return { ...found, edits, notes, shown: notes.get(id) ?? null, account: await journal.get('account', found.exact.accountId) }
}

const ownNotes = (edit: Edit | undefined, id: string): ReadonlyMap<string, Shown> => new Map(edit === undefined ? [] : [[id, shownOfOwn(edit)]])

// Notes of other fill pairs can show on a derived one only if they were written in its contract, or their place is unknown.
const notesBeside = async (journal: JournalView, id: string, edit: Edit | null, derived: ExactPair | null): Promise<Pick<FoundTrade, 'edits' | 'notes'>> => {
  const own = { edits: new Map(edit === null ? [] : [[id, edit]]), notes: ownNotes(edit ?? undefined, id) }
  if (derived === null) return own
  const others = (await journal.list('edit')).edit.filter((one) => one.id !== id && (one.content.place === undefined || one.content.place.value.contract === derived.symbol))
  if (others.length === 0) return own
  const listed = await journal.list('account', 'edit', 'pair', 'trade')
  return { edits: byId(listed.edit), notes: await shownNotes(journal, listed) }
}

const findInView = async (journal: JournalView, id: string): Promise<FoundTrade | null> => {
  const found = await find(journal, id)
  return found !== null && inView(found) ? found : null
}

const tradeRecords = (journal: JournalChange, id: string, before: ContentOf<'trade'> | null, { tradeId: tripId, ...computed }: EnteredTrade, now: number): MirrorRecord[] =>
  // Saving the same values is no change: it must not win over another computer's edit.
  before !== null && isDeepStrictEqual({ ...computed, tripId, stamp: before.stamp }, before) ? [] : [{ entity: 'trade', id, content: { ...computed, tripId, stamp: journal.stamp(now) } }]

const computeTrade = async (journal: JournalView, trade: EnteredByHand, at: 'trade' | 'updates'): Promise<Result<EnteredTrade, Refused>> => {
  const computed = enteredTrade(trade, await specOf(journal, trade.symbol), await zoneOf(journal))
  if (computed.ok) return computed
  return computed.error === 'exit-before-entry' ? wrongField(`${at}.exitTime`, 'before entryTime') : wrongField(at, 'a price has too many places')
}

const writtenRecord = async (journal: JournalView, userId: string, id: string): Promise<Result<FillPairRecord, Refused>> => {
  const found = await find(journal, id)
  if (found === null) throw new Error('A fill pair that was just written is not there')
  return ok(view(userId, id, found))
}

/** Adds an entered trade, or saves the one with its id again; `now` is UTC ms. Rejects a derived pair's id. */
export const addTrade = async (journal: JournalChange, userId: string, trade: NewTrade, now: number): Promise<Result<FillPairRecord, Refused>> => {
  const { id } = trade
  const { pair, trade: before, edit } = await journal.getEach(['pair', 'trade', 'edit'], id)
  const edits = new Map(edit === null ? [] : [[id, edit]])
  if (pair !== null) return wrongField('trade.id', 'taken by another trade')
  const computed = await computeTrade(journal, byHand(trade, Date.parse), 'trade')
  if (!computed.ok) return computed
  await journal.put([...tradeRecords(journal, id, before, computed.value, now), ...editRecords(journal, id, edits, ownNotes(edits.get(id), id), { ...userFieldsOf(trade), removedAt: null }, now)])
  return writtenRecord(journal, userId, id)
}

/** Edits a fill pair's user fields, and an entered trade's facts too; `now` is UTC ms. */
export const updateTrade = async (journal: JournalChange, userId: string, id: string, updates: TradeUpdates, now: number): Promise<Result<FillPairRecord, Refused>> => {
  const before = await findInView(journal, id)
  if (before === null) return refuse('not-found')
  if (before.origin === 'synced' && changesFacts(updates)) return refuse('read-only-field')
  const changed = before.origin === 'synced' ? null : changedByHand(before.exact, updates, Date.parse)
  const computed = changed === null ? null : await computeTrade(journal, changed, 'updates')
  if (computed?.ok === false) return computed
  const facts = computed === null ? [] : tradeRecords(journal, id, await journal.get('trade', id), computed.value, now)
  await journal.put([...facts, ...editRecords(journal, id, before.edits, before.notes, userFieldsOf(updates), now)])
  return writtenRecord(journal, userId, id)
}

/** Removes one fill pair from view; `now` is UTC ms. */
export const removeTrade = async (journal: JournalChange, id: string, now: number): Promise<Result<null, Refused>> => {
  const before = await findInView(journal, id)
  if (before === null) return refuse('not-found')
  await journal.put(editRecords(journal, id, before.edits, before.notes, { removedAt: now }, now))
  return ok(null)
}

/** Removes a connected account, or the trades entered under an account with that id; `now` is UTC ms. */
export const removeTradesOfAccount = async (journal: JournalChange, accountId: string, now: number): Promise<void> => {
  if (await removeAccount(journal, accountId, now)) return
  const { edit, trade } = await journal.list('edit', 'trade')
  const edits = byId(edit)
  const own = trade.filter(({ id, content }) => content.accountId === accountId && !isRemoved(edits.get(id)))
  await journal.put(own.flatMap(({ id }) => editRecords(journal, id, edits, ownNotes(edits.get(id), id), { removedAt: now }, now)))
}

type Pair = NonNullable<ContentOf<'pair'>>

/** The notes of a fill pair's own record. */
const shownOfOwn = (edit: Edit): Shown => {
  const { annotations, removedAt } = annotationsOf('', edit)
  return { annotations, removedAt, from: new Map() }
}

const annotationsOf = (id: string, edit: Edit): WrittenAnnotations => {
  const { place, removedAt, ...fields } = edit
  const values = Object.fromEntries(Object.entries(fields).flatMap(([field, entry]) => (entry === undefined ? [] : [[field, entry.value]])))
  return { id, place: place?.value ?? null, annotations: { ...noAnnotations, ...values }, removedAt: removedAt?.value ?? null }
}

/** Whether a record still belongs to the fill pair it was written on. */
const isAtHome = ({ place, removedAt }: WrittenAnnotations, pair: Pair | undefined): boolean => pair !== undefined && (removedAt === null || place === null || place.qty === pair.qty)

/**
 * What each fill pair shows of its user's annotations, by its id. As on every computer, notes follow their fills if
 * these are in another fill pair by now; fills are only read in that case.
 */
const shownNotes = async (journal: JournalView, listed: { readonly [E in 'account' | 'edit' | 'pair' | 'trade']: readonly Listed<E>[] }): Promise<ReadonlyMap<string, Shown>> => {
  const [pairs, entered] = [byId(listed.pair), byId(listed.trade)]
  const ofEntered = listed.edit.filter(({ id }) => entered.has(id))
  const shown = new Map(ofEntered.map(({ id, content }) => [id, shownOfOwn(content)]))
  const keys = listed.account.map(({ id }) => id).sort((one, other) => other.length - one.length)
  const records = listed.edit.filter(({ id }) => !entered.has(id)).map(({ id, content }) => annotationsOf(id, content))
  const byAccount = Map.groupBy(
    records.filter(({ annotations, removedAt }) => removedAt !== null || filledFields(annotations).length > 0),
    ({ id, place }) => pairs.get(id)?.accountId ?? place?.account ?? keys.find((key) => id.startsWith(`${key}/`)) ?? null,
  )
  const areAtHome = (written: readonly WrittenAnnotations[]): boolean => written.every((one) => isAtHome(one, pairs.get(one.id)))
  const fills = [...byAccount.values()].every(areAtHome) ? [] : (await journal.list('fill')).fill
  for (const [account, written] of byAccount) {
    if (account === null || areAtHome(written)) {
      for (const { id, annotations, removedAt } of written) shown.set(id, { annotations, removedAt, from: new Map() })
      continue
    }
    const ownFills = fills.filter(({ content }) => content.account === account)
    const knownFills = ownFills.map(({ id, content: { orderId, qty } }): FillOfOrder => ({ id: id.slice(account.length + 1), order: orderId, qty }))
    const ownPairs = listed.pair.filter(({ content }) => content.accountId === account)
    const knownPairs = ownPairs.map(({ id, content }) => ({ ...content, id, entryPrice: content.entryPrice as Ticks, exitPrice: content.exitPrice as Ticks }))
    const places = pairPlacesOf(account, knownPairs, new Map(knownFills.map((fill) => [fill.id, fill])))
    for (const [id, one] of showNotes(written, places).shown) shown.set(id, one)
  }
  return shown
}

type Field = Exclude<keyof Edit, 'place'>
type Values = { readonly [Name in Field]?: NonNullable<Edit[Name]>['value'] | undefined }

/** User fields without any value. */
const emptyEdit: Required<Values> = { ...noAnnotations, tags: [], drawings: [], removedAt: null }
const fields = Object.keys(emptyEdit) as Field[]

/** Whether the user removed the fill pair. */
const isRemoved = (edit: Edit | null | undefined): boolean => typeof edit?.removedAt?.value === 'number'

/** A fill pair's notes: its own and those that followed their fills to it. */
const shownOn = (notes: ReadonlyMap<string, Shown>, id: string): Required<Values> => {
  const { annotations, removedAt } = notes.get(id) ?? { annotations: noAnnotations, removedAt: null }
  return { ...annotations, tags: [...annotations.tags], drawings: [...annotations.drawings], removedAt }
}

/**
 * The records that change a fill pair's annotations to the given ones now (UTC ms); none if the pair already shows all of
 * them. Only fields that differ are stamped, so that the others do not win over another computer's. What the pair
 * showed from other records becomes its own: it is cleared there, and other pairs that showed it keep it as their own.
 */
const editRecords = (journal: Pick<JournalChange, 'stamp'>, id: string, edits: ReadonlyMap<string, Edit>, notes: ReadonlyMap<string, Shown>, values: Values, now: number): MirrorRecord[] => {
  const before = shownOn(notes, id)
  const changed = fields.filter((name) => values[name] !== undefined && !isDeepStrictEqual(values[name], before[name]))
  if (changed.length === 0) return []
  const stamp = journal.stamp(now)
  const written = new Map<string, Edit>()
  const write = (record: string, name: Field, value: unknown): void => {
    written.set(record, { ...(written.get(record) ?? edits.get(record)), [name]: { value, stamp } })
  }
  for (const name of changed) {
    for (const from of notes.get(id)?.from.get(name) ?? []) {
      const showing = [...notes].filter(([other, shown]) => other !== id && shown.from.get(name)?.some(({ record, field }) => record === from.record && field === from.field))
      for (const [other] of showing) write(other, name, shownOn(notes, other)[name])
      if (!showing.some(([other]) => other === from.record)) write(from.record, from.field, emptyEdit[from.field])
    }
    write(id, name, values[name])
  }
  return [...written].map(([record, content]) => ({ entity: 'edit', id: record, content }))
}
