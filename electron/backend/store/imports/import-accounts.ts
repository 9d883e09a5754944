import type { AccountKey } from '#shared/fills/fill.ts'
import { fileAccount } from '#shared/imports/accounts.ts'
import { compareText } from '#shared/imports/assembly.ts'
import type { AccountNamed } from '#shared/imports/reading.ts'
import { neverStamped, stampedAt, type Stamp } from '#shared/mirror/stamp.ts'
import type { Currency } from '#shared/money/money.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { addAccountFinance, alignFinance } from '../accounts/account-finance.ts'
import { change, query, type Reader, type Writer } from '../database.ts'
import { settleNotesOf } from '../notes/settle-notes.ts'
import { blankEdit, editOf, isUnsaid, saidFields, writeEdit, type EditField } from '../trades/edits.ts'
import { moveBooks, moveOwn } from '../accounts/move-own.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { Read } from '../part.ts'
import { removeAccount } from '../accounts/remove-account.ts'
import { accounts as table } from '../schema/brokerage.ts'
import { mintStamp } from '../stamps.ts'
import { deriveTripsOf } from '../derive/derive-again.ts'
import { repricing } from '../derive/stale-batches.ts'

type AccountRow = { key: AccountKey; name: string; broker_account_id: string; removed_at: number | null; stamp: Stamp }

type Both = { readonly name: string; readonly id: string }

/** Whether an account is one that files alone made. */
export const isFileAccount = (key: string): boolean => key.startsWith('file:')

const allAccounts = (reader: Reader, userId: string): AccountRow[] =>
  query<AccountRow>(reader, 'SELECT key, name, broker_account_id, removed_at, stamp FROM accounts WHERE user_id = ? ORDER BY removed_at IS NOT NULL, key').all(userId)

/** Which account a row names; null where it names none. */
export type WhoseIs = (named: AccountNamed) => AccountKey | null

/**
 * Settles which account names and ids of files stand for: the connected account of that name or broker's id, else one
 * of its own. A row that has both tells for the others which id goes with a name: `more` are such rows beside those of
 * the imports that stand.
 */
export const whoseIs = (reader: Reader, userId: string, more: readonly AccountNamed[] = []): WhoseIs => {
  const connected = allAccounts(reader, userId).filter(({ key }) => !isFileAccount(key))
  const [byName, byId] = [new Map<string, AccountKey>(), new Map<string, AccountKey>()]
  for (const { key, name, broker_account_id } of connected.toReversed()) {
    byId.set(broker_account_id, key)
    byName.set(name, key)
  }
  const sql = `SELECT DISTINCT account_name AS name, account_id AS id FROM import_readings JOIN imports ON imports.user_id = import_readings.user_id AND imports.id = import_id
    WHERE import_readings.user_id = ? AND state = 'standing' AND account_name IS NOT NULL AND account_id IS NOT NULL`
  const [idOfName, nameOfId] = [new Map<string, string>(), new Map<string, string>()]
  const both = [...query<Both>(reader, sql).all(userId), ...more.filter((one): one is Both => one.name !== null && one.id !== null)]
  for (const { name, id } of both.toSorted((one, other) => compareText(other.name, one.name) || compareText(other.id, one.id))) {
    if (id !== name) nameOfId.set(id, name)
    if (byId.has(id) || !idOfName.has(name)) idOfName.set(name, id)
  }
  const connectedAs = (text: string | null | undefined): AccountKey | undefined => (text === null || text === undefined ? undefined : (byName.get(text) ?? byId.get(text)))
  return ({ name, id }) => {
    const said = name ?? id
    if (said === null) return null
    // The broker's id may stand in the place of the name.
    const fullName = nameOfId.get(said) ?? said
    return connectedAs(fullName) ?? connectedAs(id) ?? connectedAs(idOfName.get(fullName)) ?? fileAccount(fullName)
  }
}

export const accountNamed: Read<'accountNamed'> = (reader, { userId, id, name }) => {
  const key = whoseIs(reader, userId)({ id, name })
  const row = allAccounts(reader, userId).find((account) => account.key === key)
  return row === undefined ? null : { key: row.key, name: row.name, removed: row.removed_at !== null }
}

/** Adds the accounts that only files know. They have no login, so that no sync asks for them, and their environment means nothing. */
export const ensureFileAccounts = (writer: Writer, userId: string, at: number, keys: Iterable<AccountKey>): void => {
  const known = new Set(allAccounts(writer, userId).map(({ key }) => key))
  for (const key of keys) {
    if (known.has(key)) continue
    const name = key.slice('file:'.length)
    const row = { userId, key, loginId: '', environment: 'live', brokerAccountId: name, name, currency: 'USD' as Currency, connectedAt: at } as const
    writer.orm.insert(table).values({ ...row, stamp: mintStamp(writer, at) }).run()
    addAccountFinance(writer, userId, at, key, name)
    noteChange(writer, userId, at, 'account', key)
  }
}

/** Brings accounts of files back that their user removed, or that an undone import left behind. */
export const returnFileAccounts = (writer: Writer, userId: string, at: number, keys: ReadonlySet<AccountKey>): void => {
  for (const { key, removed_at } of allAccounts(writer, userId)) {
    if (!keys.has(key) || !isFileAccount(key) || removed_at === null) continue
    change(writer, 'UPDATE accounts SET removed_at = NULL, stamp = ? WHERE user_id = ? AND key = ?').run(mintStamp(writer, at), userId, key)
    alignFinance(writer, userId, key)
    noteChange(writer, userId, at, 'account', key)
  }
}

/**
 * Whether an account is out of view since an undo left it behind, and not by its user: that is no change of the user's,
 * so it leaves the stamp as it was, and lies behind it.
 */
export const isLeft = ({ removedAt, stamp }: { readonly removedAt: number | null; readonly stamp: Stamp }): boolean => removedAt !== null && stamp > neverStamped && stampedAt(stamp) < removedAt

/** Brings accounts of files back that an undo left behind, here or on another computer, and that imports name which stand here. */
export const returnLeftAccounts = (writer: Writer, userId: string, at: number, named: ReadonlySet<AccountKey>): void => {
  const left = allAccounts(writer, userId).filter(({ key, removed_at, stamp }) => named.has(key) && isLeft({ removedAt: removed_at, stamp }))
  returnFileAccounts(writer, userId, at, new Set(left.map(({ key }) => key)))
}

/** Takes accounts of files out of view that have no fills, but for those that stay since imports name them still. */
export const leaveFileAccounts = (writer: Writer, userId: string, at: number, stays: (key: AccountKey) => boolean): void => {
  const anyFill = query(writer, 'SELECT 1 FROM fills WHERE user_id = ? AND account = ? LIMIT 1')
  const anyTrade = query(writer, 'SELECT 1 FROM trades WHERE user_id = ? AND account_id = ? LIMIT 1')
  for (const { key, removed_at, stamp } of allAccounts(writer, userId)) {
    const isEmpty = isFileAccount(key) && !stays(key) && anyFill.get(userId, key) === undefined && anyTrade.get(userId, key) === undefined
    if (!isEmpty || removed_at !== null) continue
    change(writer, 'UPDATE accounts SET removed_at = ? WHERE user_id = ? AND key = ?').run(Math.max(at, stampedAt(stamp) + 1), userId, key)
    alignFinance(writer, userId, key)
    noteChange(writer, userId, at, 'account', key)
  }
}

/**
 * Gives what the user said of accounts that only files knew to the connected accounts that they turn out to be: notes,
 * tags, pictures and removals of trades, trades entered by hand, earnings and expenses, the label, rates and marks of copies. Their fills follow when all is put together.
 */
export const joinConnected = (writer: Writer, userId: string, at: number, whose: WhoseIs): void => {
  for (const { key, name, removed_at } of allAccounts(writer, userId)) {
    if (!isFileAccount(key)) continue
    const connected = whose({ id: null, name })
    if (connected === null || connected === key) continue
    moveEdits(writer, userId, at, key, connected)
    moveEntered(writer, userId, at, key, connected)
    moveBooks(writer, userId, at, key, connected)
    if (removed_at !== null) continue
    moveLabel(writer, userId, at, key, connected)
    moveOwn(writer, userId, at, key, connected)
    removeAccount(writer, { userId, at, account: key })
  }
}

const moveEdits = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const edits = query<{ id: string }>(writer, 'SELECT trade_id AS id FROM trade_edits WHERE user_id = ? AND substr(trade_id, 1, ?) = ?')
  for (const { id } of edits.all(userId, from.length + 1, `${from}/`)) moveEdit(writer, userId, at, id, `${to}${id.slice(from.length)}`, to)
}

/**
 * Gives what the user said of one trade to another, field by field where that was said later. Other computers are told
 * that the first says nothing any more.
 */
const moveEdit = (writer: Writer, userId: string, at: number, from: string, to: string, account: AccountKey): void => {
  const [old, kept] = [editOf(writer, userId, from), editOf(writer, userId, to)]
  const said = saidFields.filter((field) => !isUnsaid(field, old.fields))
  if (said.length === 0) return
  const moving = said.filter((field) => (old.stamps[field] ?? '') > (kept.stamps[field] ?? ''))
  const pick = <T>(valueOf: (field: EditField) => T) => Object.fromEntries(moving.map((field) => [field, valueOf(field)]))
  const place = JSON.parse(old.fields.place ?? 'null') as NotePlace | null
  const placed = place === null || kept.fields.place !== null ? {} : { place: JSON.stringify({ ...place, account }) }
  const stamped = placed.place === undefined ? {} : { place: old.stamps.place ?? neverStamped }
  writeEdit(writer, userId, to, { ...pick((field) => old.fields[field]), ...placed }, { ...pick((field) => old.stamps[field]), ...stamped })
  noteChange(writer, userId, at, 'edit', to)
  blankEdit(writer, userId, at, from, said)
  deriveTripsOf(writer, userId, at, settleNotesOf(writer, userId, to))
}

const moveEntered = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const entered = query<{ id: string }>(writer, "SELECT id FROM trades WHERE user_id = ? AND account_id = ? AND origin = 'manual'").all(userId, from)
  for (const { id } of entered) {
    change(writer, 'UPDATE trades SET account_id = ?, stamp = ? WHERE user_id = ? AND id = ?').run(to, mintStamp(writer, at), userId, id)
    noteChange(writer, userId, at, 'trade', id)
  }
}

// A label that the connected account has already stays.
const moveLabel = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const label = query<{ type: string; firm: string | null }>(writer, 'SELECT type, firm FROM finances WHERE user_id = ? AND id = ?').get(userId, from)
  if (label === undefined || (label.type === 'Account' && label.firm === null)) return
  const sql = "UPDATE finances SET type = ?, firm = ?, stamp = ? WHERE user_id = ? AND id = ? AND type = 'Account' AND firm IS NULL"
  const { changes } = repricing(writer, userId, at, () => change(writer, sql).run(label.type, label.firm, mintStamp(writer, at), userId, to))
  if (changes > 0) noteChange(writer, userId, at, 'finance', to)
}
