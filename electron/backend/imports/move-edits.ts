import type { AccountKey } from '#shared/fills/fill.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { moveBooks, moveOwn } from '../own-data/move-own.ts'
import { change, query, type Writer } from '../db/database.ts'
import { deriveTripsOf } from '../fills/derive-contract.ts'
import { repricing } from '../fills/stale-batches.ts'
import { noteChange } from '../mirror/outbox.ts'
import { settleNotesOf } from '../trades/settle-notes.ts'
import { mintStamp } from '../db/stamps.ts'
import { blankEdit, editOf, isEmptyValue, writtenFields, writeEdit, type EditField } from '../trades/edits.ts'
import type { AccountRow } from './import-accounts.ts'

/** Gives an account's hand-entered trades and books to the one that it turns out to be, and, unless its user removed it, its label, rates, rules and marks of copies. */
export const moveAccount = (writer: Writer, userId: string, at: number, { key, removed_at }: Pick<AccountRow, 'key' | 'removed_at'>, to: AccountKey): void => {
  moveEntered(writer, userId, at, key, to)
  moveBooks(writer, userId, at, key, to)
  if (removed_at !== null) return
  moveLabel(writer, userId, at, key, to)
  moveOwn(writer, userId, at, key, to)
}

/** The trades of an account that its user wrote on. */
export const editsOf = (writer: Writer, userId: string, account: AccountKey): readonly string[] =>
  query<{ id: string }>(writer, 'SELECT trade_id AS id FROM trade_edits WHERE user_id = ? AND substr(trade_id, 1, ?) = ?').all(userId, account.length + 1, `${account}/`).map(({ id }) => id)

/** What the user wrote on a trade of `from`, which is one of `to` now. */
export type EditMove = { readonly id: string; readonly from: AccountKey; readonly to: AccountKey }

/** Gives what the user wrote on trades to the same trades of other accounts, and shows it there. */
export const moveEdits = (writer: Writer, userId: string, at: number, moves: readonly EditMove[]): void => {
  const isTrade = query(writer, 'SELECT 1 FROM trades WHERE user_id = ? AND id = ?')
  // One record per account and contract is enough.
  const toShow = new Map<string, string>()
  for (const { id, from, to } of moves) {
    const contract = (JSON.parse(editOf(writer, userId, id).fields.place ?? 'null') as NotePlace | null)?.contract ?? id
    const moved = `${to}${id.slice(from.length)}`
    moveEdit(writer, userId, at, id, moved, to)
    toShow.set(`${to}\n${contract}`, moved)
    // A trade that is still there goes with its fills.
    if (isTrade.get(userId, id) === undefined) toShow.set(`${from}\n${contract}`, id)
  }
  deriveTripsOf(writer, userId, at, [...toShow.values()].flatMap((id) => settleNotesOf(writer, userId, id)))
}

/**
 * Gives what the user said of one trade to another, field by field where that was said later or nothing is said there.
 * Other computers hear that the first has none any more.
 */
const moveEdit = (writer: Writer, userId: string, at: number, from: string, to: string, account: AccountKey): void => {
  const [old, kept] = [editOf(writer, userId, from), editOf(writer, userId, to)]
  const written = writtenFields.filter((field) => !isEmptyValue(field, old.fields))
  if (written.length === 0) return
  blankEdit(writer, userId, at, from, written)
  const isLater = (field: EditField): boolean => (old.stamps[field] ?? '') > (kept.stamps[field] ?? '')
  // Words that went from there and now come back are older than their going.
  const stampOf = (field: EditField): Stamp => (isLater(field) ? (old.stamps[field] ?? neverStamped) : mintStamp(writer, at))
  const moving: readonly EditField[] = written.filter((field) => isLater(field) || isEmptyValue(field, kept.fields))
  const place = JSON.parse(old.fields.place ?? 'null') as NotePlace | null
  const saysNothing = writtenFields.every((field) => isEmptyValue(field, kept.fields))
  const placed = place !== null && (kept.fields.place === null || saysNothing) ? { place: JSON.stringify({ ...place, account }) } : {}
  const all: readonly EditField[] = placed.place === undefined ? moving : [...moving, 'place']
  writeEdit(writer, userId, to, { ...Object.fromEntries(moving.map((field) => [field, old.fields[field]])), ...placed }, Object.fromEntries(all.map((field) => [field, stampOf(field)])))
  noteChange(writer, userId, at, 'edit', to)
}

const moveEntered = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const entered = query<{ id: string }>(writer, "SELECT id FROM trades WHERE user_id = ? AND account_id = ? AND origin = 'manual'").all(userId, from)
  for (const { id } of entered) {
    change(writer, 'UPDATE trades SET account_id = ?, stamp = ? WHERE user_id = ? AND id = ?').run(to, mintStamp(writer, at), userId, id)
    noteChange(writer, userId, at, 'trade', id)
  }
}

// A label that the other account has already stays.
const moveLabel = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const label = query<{ type: string; firm: string | null }>(writer, 'SELECT type, firm FROM finances WHERE user_id = ? AND id = ?').get(userId, from)
  if (label === undefined || (label.type === 'Account' && label.firm === null)) return
  const sql = "UPDATE finances SET type = ?, firm = ?, stamp = ? WHERE user_id = ? AND id = ? AND type = 'Account' AND firm IS NULL"
  const { changes } = repricing(writer, userId, at, () => change(writer, sql).run(label.type, label.firm, mintStamp(writer, at), userId, to))
  if (changes > 0) noteChange(writer, userId, at, 'finance', to)
}
