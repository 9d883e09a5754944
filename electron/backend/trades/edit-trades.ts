import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { SeenPair } from '#shared/api/journal.ts'
import { type FillPairRecord, mostTags, type NewTrade, type TradeUpdates } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { EditField, EditValues } from '#shared/notes/edit-groups.ts'
import { editValuesOf, mergeEdit } from '#shared/notes/merge-edit.ts'
import { joinAnnotations, noAnnotations, type Annotations } from '#shared/notes/show.ts'
import { byHand, changedByHand, changesFacts, enteredTrade, type EnteredByHand, type EnteredTrade, type NotEntered } from '#shared/pnl/entered-trade.ts'
import { userFields } from '#shared/pnl/exact-pair.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import { saveEdit, saveEdits, saveEditOfGonePair, type WrittenFields } from '../notes/edits.ts'
import { queueChange } from '../db/outbox.ts'
import { ownFeesOf } from '../fills/own-fees.ts'
import { removeAccount } from '../finances/remove-account.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { fillPairs } from '../db/schema/journal.ts'
import { goneAt } from '../notes/pair-places.ts'
import { specOf } from '../fills/specs.ts'
import { mintStamp } from '../db/stamps.ts'
import { pairById } from './queries.ts'
import { zoneOf } from '../db/zone.ts'
import type { At, OfUser } from '../db/rows.ts'

const writtenOf = (given: TradeUpdates): Partial<WrittenFields> => {
  const { tags, drawings, ...rest } = Object.fromEntries(userFields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))) as TradeUpdates
  return { ...rest, ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }), ...(drawings === undefined ? {} : { drawings: JSON.stringify(drawings) }) } as Partial<WrittenFields>
}

const isPair = (userId: string, id: string) => and(eq(fillPairs.userId, userId), eq(fillPairs.id, id))

const originOf = ({ orm }: Reader, userId: string, id: string): 'synced' | 'manual' | undefined => orm.select({ origin: fillPairs.origin }).from(fillPairs).where(isPair(userId, id)).get()?.origin

const writtenPair = (writer: Writer, userId: string, id: string): FillPairRecord => {
  const pair = pairById(writer, { userId, id })
  if (pair === null) throw new Error('A fill pair that was just written is not in view')
  return pair
}

const saveEntry = (writer: Writer, userId: string, at: number, id: string, trade: EnteredByHand): Result<void, NotEntered> => {
  const spec = specOf(writer, userId, trade.symbol)
  const own = ownFeesOf(writer, userId)(trade.accountId, trade.symbol)
  const entered = enteredTrade(trade, spec, zoneOf(writer, userId), own?.currency === spec.currency ? own.perSide : null)
  if (!entered.ok) return entered
  const removed = writer.orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, entered.value.accountId as AccountKey), isNotNull(accounts.removedAt))).get()
  if (removed !== undefined) return err('account-removed')
  const row = entryRow(userId, id, entered.value)
  const before: Record<string, unknown> | undefined = writer.orm.select().from(fillPairs).where(isPair(userId, id)).get()
  if (before !== undefined && Object.entries(row).every(([name, value]) => before[name] === value)) return ok(undefined)
  const stamped = { ...row, stamp: mintStamp(writer, at) }
  writer.orm.insert(fillPairs).values(stamped).onConflictDoUpdate({ target: [fillPairs.userId, fillPairs.id], set: stamped }).run()
  queueChange(writer, userId, at, 'trade', id)
  return ok(undefined)
}

// Account, opening fill and closing fill, `tradovate:demo:700101/1/2`: a derived pair with this id would take over the row.
const pairIdPattern = /^[a-z]+:.*\/.*\//s

export const addTrade = (writer: Writer, { userId, at, trade }: OfUser & At & { readonly trade: NewTrade }): Result<FillPairRecord, 'id-taken' | NotEntered> => {
  const origin = originOf(writer, userId, trade.id)
  // The same id again is a retried save, unless it is that of a broker's fill pair.
  if (origin === 'synced' || (origin === undefined && pairIdPattern.test(trade.id))) return err('id-taken')
  const done = saveEntry(writer, userId, at, trade.id, byHand(trade, Date.parse))
  if (!done.ok) return done
  saveEdit(writer, userId, at, trade.id, { ...writtenOf(trade), removedAt: null })
  return ok(writtenPair(writer, userId, trade.id))
}

/** Of a synced fill pair only the user's fields can change; others give `read-only-field`. */
export const updateTrade = (writer: Writer, { userId, at, id, updates }: OfUser & At & { readonly id: string; readonly updates: TradeUpdates }): Result<FillPairRecord, 'not-found' | 'read-only-field' | NotEntered> => {
  const before = pairById(writer, { userId, id })
  if (before === null) return err('not-found')
  const isSynced = before.origin === 'synced'
  if (isSynced && changesFacts(updates)) return err('read-only-field')
  const changed = isSynced ? null : changedByHand(entryOf(writer, userId, id), updates, Date.parse)
  if (changed !== null) {
    const done = saveEntry(writer, userId, at, id, changed)
    if (!done.ok) return done
  }
  saveEdit(writer, userId, at, id, writtenOf(updates))
  return ok(writtenPair(writer, userId, id))
}

/** A fill pair as a form changed it, with the form's previous values of the changed fields, and the pair itself. */
export type PairEdit = { readonly id: string; readonly updates: TradeUpdates; readonly base: EditValues; readonly seen?: SeenPair | undefined }

/** Fill pairs after an edit, the fields that someone else also changed and that were therefore not written, and where the annotations of gone ones are now. */
export type SavedPairs = { readonly pairs: readonly FillPairRecord[]; readonly conflicts: readonly EditField[]; readonly kept: readonly SavedAnnotations[] }

/** `no-room`: words of a gone fill pair do not fit beside those of another page. */
export type NotSaved = 'not-found' | 'read-only-field' | 'no-room' | NotEntered

// Thrown only to roll back what was written before it.
class Refusal extends Error {
  readonly why: NotSaved
  constructor(why: NotSaved) {
    super(why)
    this.why = why
  }
}

/** Saves edits together: if one is rejected, none of them is written. */
export const savePairs = (writer: Writer, input: OfUser & At & { readonly edits: readonly PairEdit[] }): Result<SavedPairs, NotSaved> => {
  try {
    return ok(atomically(writer, () => {
      const saved = writePairs(writer, input)
      if (!saved.ok) throw new Refusal(saved.error)
      return saved.value
    }))
  } catch (failure) {
    if (failure instanceof Refusal) return err(failure.why)
    throw failure
  }
}

/**
 * Writes each field whose value is still what the client saw. A field that conflicts in one pair is written in none:
 * the user's one answer decides for all of them.
 */
const writePairs = (writer: Writer, { userId, at, edits }: OfUser & At & { readonly edits: readonly PairEdit[] }): Result<SavedPairs, NotSaved> => {
  const there = edits.flatMap((edit) => {
    const before = pairById(writer, { userId, id: edit.id })
    return before === null ? [] : [{ ...edit, before, merged: mergeEdit(edit.base, edit.updates, editValuesOf(before)) }]
  })
  const gone = edits.flatMap((edit) => (edit.seen === undefined || !edit.id.startsWith(`${edit.seen.accountId}/`) || there.some(({ id }) => id === edit.id) ? [] : [{ ...edit, seen: edit.seen }]))
  if (there.length + gone.length === 0) return err('not-found')
  if (there.some(({ before, updates }) => before.origin === 'synced' && changesFacts(updates))) return err('read-only-field')
  const conflicts = [...new Set(there.flatMap(({ merged }) => merged.conflicts))]
  const written = there.map(({ id, updates, merged }) => ({ id, updates: Object.fromEntries(Object.keys(updates).filter((name) => name in merged.write && !conflicts.includes(name as EditField)).map((name) => [name, merged.write[name as EditField]])) as TradeUpdates }))
  for (const { id, updates } of written.filter((one) => changesFacts(one.updates))) {
    const done = updateTrade(writer, { userId, at, id, updates })
    if (!done.ok) return done
  }
  saveEdits(writer, userId, at, new Map(written.map(({ id, updates }) => [id, writtenOf(updates)])))
  const annotations: SavedAnnotations[] = []
  for (const edit of gone) {
    const saved = saveNotesOfGonePair(writer, userId, at, edit)
    if (!saved.ok) return saved
    annotations.push(saved.value)
  }
  return ok({ pairs: written.map(({ id }) => writtenPair(writer, userId, id)), conflicts, kept: annotations })
}

/** Where the annotations of a gone fill pair show now; null if they are left over. */
type SavedAnnotations = { readonly id: string; readonly on: string | null }

/**
 * Saves a form's annotations of a fill pair that disappeared while it was edited: an import or a sync now has its fills in
 * other pairs, or in another account. In its own account the annotations follow like earlier ones; in another, the pair
 * of the same fills takes them, beside its existing ones.
 */
const saveNotesOfGonePair = (writer: Writer, userId: string, at: number, { id, updates, base, seen }: PairEdit & { readonly seen: SeenPair }): Result<SavedAnnotations, 'no-room'> => {
  const own = writtenOf(updates)
  const ofSameFills = and(ne(fillPairs.id, id), eq(fillPairs.id, sql`${fillPairs.accountId} || ${id.slice(seen.accountId.length)}`))
  const isAlike = and(eq(fillPairs.origin, 'synced'), eq(fillPairs.symbol, seen.symbol), eq(fillPairs.side, seen.side), eq(fillPairs.qty, seen.qty))
  const pairs = writer.orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), isAlike, ofSameFills)).all()
  const moved = pairs.flatMap((pair) => pairById(writer, { userId, id: pair.id }) ?? [])
  const [heir] = moved
  if (heir === undefined || moved.length > 1) {
    const saved = saveEditOfGonePair(writer, userId, at, id, own, base, goneAt(writer, userId, id, seen))
    return saved.ok ? ok({ id, on: saved.value }) : saved
  }
  const { write, conflicts } = mergeEdit(base, updates, editValuesOf(heir))
  const both = Object.fromEntries(conflicts.map((field) => [field, updates[field]])) as TradeUpdates
  const joins = joinAnnotations([{ id: heir.id, annotations: { ...heir, drawings: heir.drawings ?? [] } as Annotations }, { id, annotations: { ...noAnnotations, ...both } as Annotations }])
  // The form's own stop goes before the other one.
  if (joins.left.get(id)?.some((field) => field !== 'stop') === true) return err('no-room')
  const joined = joins.annotations
  saveEdit(writer, userId, at, heir.id, writtenOf({ ...joined, tags: [...joined.tags], drawings: [...joined.drawings], ...(write as TradeUpdates), ...(both.stop === undefined ? {} : { stop: both.stop }) }))
  return ok({ id, on: heir.id })
}

/** Adds a tag to fill pairs, or removes it; returns the ids that changed. Skips gone pairs, and those that cannot take more tags. */
export const tagPairs = (writer: Writer, { userId, at, ids, tag, change }: OfUser & At & { readonly ids: readonly string[]; readonly tag: string; readonly change: 'add' | 'remove' }): readonly string[] => {
  const changed = new Map<string, readonly string[]>()
  for (const id of ids) {
    const before = pairById(writer, { userId, id })?.tags
    if (before === undefined || before.includes(tag) === (change === 'add')) continue
    const tags = change === 'add' ? [...before, tag] : before.filter((one) => one !== tag)
    if (tags.length <= mostTags) changed.set(id, tags)
  }
  saveEdits(writer, userId, at, new Map([...changed].map(([id, tags]) => [id, { tags: JSON.stringify(tags) }])))
  return [...changed.keys()]
}

/** Recomputes an entered trade with its contract's current figures; if they no longer fit, it stays unchanged. */
export const recomputeEntry = (writer: Writer, userId: string, at: number, id: string): void => {
  const entry = entryOf(writer, userId, id)
  const again = changedByHand(entry, { symbol: entry.symbol }, Date.parse)
  if (again !== null) saveEntry(writer, userId, at, id, again)
}

/** The fill pair stays removed when it is derived again. */
export const removeTrade = (writer: Writer, { userId, at, id }: OfUser & At & { readonly id: string }): boolean => {
  const before = pairById(writer, { userId, id })
  if (before === null) return false
  deriveTradesOf(writer, userId, at, saveEdit(writer, userId, at, id, { removedAt: at }))
  return true
}

/** Undoes a removal: the fill pair counts again, with its annotations. False if there is none. */
export const restorePair = (writer: Writer, { userId, at, id }: OfUser & At & { readonly id: string }): boolean => {
  if (originOf(writer, userId, id) === undefined) return false
  deriveTradesOf(writer, userId, at, saveEdit(writer, userId, at, id, { removedAt: null }))
  return true
}

/** Removes a connected account like `removeAccount`; of any other account, each fill pair. */
export const removeTradesOfAccount = (writer: Writer, { userId, at, accountId }: OfUser & At & { readonly accountId: string }): void => {
  if (removeAccount(writer, { userId, at, account: accountId }) !== null) return
  const entered = writer.orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, accountId))).all()
  for (const { id } of entered) removeTrade(writer, { userId, at, id })
}

/** An entered trade as its row, without the stamp. */
const entryRow = (userId: string, id: string, { warnings, ...entered }: EnteredTrade): Omit<typeof fillPairs.$inferInsert, 'ref'> => ({
  userId, id, origin: 'manual',
  ...entered,
  warnings: JSON.stringify(warnings),
})

/** An entered trade from its row; throws if the id is unknown. */
const entryOf = ({ orm }: Reader, userId: string, id: string): EnteredTrade => {
  const row = orm.select().from(fillPairs).where(and(isPair(userId, id), eq(fillPairs.origin, 'manual'))).get()
  if (row === undefined) throw new Error('An entered trade that is in view has no row')
  return { ...row, warnings: JSON.parse(row.warnings) as EnteredTrade['warnings'] } as EnteredTrade
}
