import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { momentOf, type NotePlace } from '#shared/notes/place.ts'
import { joinAnnotations } from '#shared/notes/show.ts'
import { removeAccount } from '../finances/remove-account.ts'
import { query, type Writer } from '../db/database.ts'
import { fillPairs, fills as fillTable, finances, pairEdits } from '../db/schema/journal.ts'
import { hasContent, hasPlace, placeNotesOf } from '../notes/place-notes.ts'
import type { FillChange } from '../fills/settle-group.ts'
import { allAccounts, isFileAccount, type AccountAttribution, joinedAccounts, type NamedAccount } from './import-accounts.ts'
import { moveBooks, moveOwn } from '../own-data/move-own.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import { repricing } from '../fills/stale-batches.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { annotationsOf, blankEdit, editOf, isEmptyValue, writtenFields, writeEdit, type StoredEditField } from '../notes/edits.ts'

/**
 * Moves what the user entered for accounts of files to the connected accounts that they turn out to be: notes, tags,
 * pictures and removals of fill pairs, trades entered by hand, earnings and expenses, the label, rates and marks of copies. Their fills follow when the imports are assembled.
 */
export const joinConnected = (writer: Writer, userId: string, at: number, attribute: AccountAttribution): void => {
  const joined = joinedAccounts(writer, userId, attribute)
  for (const account of allAccounts(writer, userId)) {
    const { key, removedAt } = account
    const connected = joined.get(key)
    if (connected === undefined) continue
    moveEdits(writer, userId, at, editsOf(writer, userId, key).map((id) => ({ id, from: key, to: connected })))
    moveAccount(writer, userId, at, account, connected)
    if (removedAt === null) removeAccount(writer, { userId, at, account: key })
  }
}

/** A fill by its id, and by its second and price, in case a better source has it under another id. */
type FillMoment = { readonly contract: string; readonly fill: string; readonly moment: string | null }

/** An edit of a fill pair whose fills both leave its account; `isGoing` if one leaves in this change. */
type Lost = { readonly id: string; readonly account: AccountKey; readonly ends: readonly [FillMoment, FillMoment]; readonly isGoing: boolean }

/** How many fills an account has by their ids, and how many of those that this change adds by their moments. */
type FillCounts = { byId: number; byMoment: number }

/**
 * Moves what the user entered along with fills that turn out to be of another account: the edit of a fill pair goes where
 * its fills are. If an account is left without fills and no import names it (`isNamed`), everything entered for it goes
 * where most of them went. Runs in the caller's transaction, before the changes are made.
 */
export const followFills = (writer: Writer, userId: string, at: number, changes: readonly FillChange[], isNamed: (account: AccountKey) => boolean): void => {
  if (changes.every(({ fill }) => fill === undefined)) return
  const accounts = allAccounts(writer, userId)
  if (accounts.length < 2) return
  const going = new Set(changes.flatMap(({ account, id, fill }) => (fill === null ? [keyOf(account, id)] : [])))
  const lost = lostEdits(writer, userId, going)
  const emptied = emptiedAccounts(writer, userId, changes).filter(({ account }) => !isNamed(account))
  if (lost.length === 0 && emptied.length === 0) return

  const havingOf = ownersOf(writer, userId, { accounts: accounts.map(({ key }) => key), changes, going, wanted: [...lost.flatMap(({ ends }) => ends), ...emptied.flatMap(({ fills }) => fills)] })
  const moves = new Map<string, EditMove>()
  for (const { id, account, ends, isGoing } of lost) {
    const having = havingOf(ends)
    // A better source may have the same fills in the same account under other ids.
    if (having.has(account)) continue
    const to = mostOf([...having].filter(([, { byId, byMoment }]) => byId > 0 || (isGoing && byMoment === ends.length)))
    if (to !== null) moves.set(id, { id, from: account, to })
  }
  const joined = emptied.flatMap(({ account, fills }) => {
    const having = havingOf(fills)
    // A few of the same second and price may be anybody's.
    const to = mostOf([...having].filter(([, { byId, byMoment }]) => byId > 0 || byMoment * 2 >= fills.length))
    if (to === null) return []
    // Notes without a fill of their own follow if only one account can be meant.
    if (having.size === 1) for (const id of editsOf(writer, userId, account)) if (!moves.has(id)) moves.set(id, { id, from: account, to })
    return [{ account, to }]
  })
  moveEdits(writer, userId, at, [...moves.values()])
  for (const { account, to } of joined) {
    const row = accounts.find(({ key }) => key === account)
    if (row !== undefined) moveAccount(writer, userId, at, row, to)
  }
}

/** The account with the most fills, by ids before moments; null if there is none or a tie. */
const mostOf = (all: readonly (readonly [AccountKey, FillCounts])[]): AccountKey | null => {
  const [first, second] = all.toSorted(([, one], [, other]) => other.byId - one.byId || other.byMoment - one.byMoment)
  if (first === undefined) return null
  return second?.[1].byId === first[1].byId && second[1].byMoment === first[1].byMoment ? null : first[0]
}

type LostRow = { id: string; account: AccountKey; contract: string; opening: string; openingTime: number | null; openingPrice: string | null; closing: string; closingTime: number | null; closingPrice: string | null; hasOpening: number; hasClosing: number }

// Raw SQL: the benchmark `import` looks for such edits before each group of its changes.
const lostSql = `SELECT *, EXISTS (SELECT 1 FROM fills WHERE user_id = @userId AND account = edit.account AND id = opening) AS hasOpening,
    EXISTS (SELECT 1 FROM fills WHERE user_id = @userId AND account = edit.account AND id = closing) AS hasClosing
  FROM (SELECT pair_id AS id, place ->> '$.account' AS account, place ->> '$.contract' AS contract,
      place ->> '$.opening.fill' AS opening, place ->> '$.opening.time' AS openingTime, place ->> '$.opening.price' AS openingPrice,
      place ->> '$.closing.fill' AS closing, place ->> '$.closing.time' AS closingTime, place ->> '$.closing.price' AS closingPrice
    FROM pair_edits WHERE user_id = @userId AND ${hasPlace} AND ${hasContent}) AS edit
  WHERE contract IS NOT NULL AND substr(id, 1, length(account) + 1) = account || '/'`

const lostEdits = (writer: Writer, userId: string, going: ReadonlySet<string>): readonly Lost[] =>
  query<LostRow>(writer, lostSql).all({ userId }).flatMap((row): readonly Lost[] => {
    const { id, account, contract, opening, openingTime, openingPrice, closing, closingTime, closingPrice } = row
    const [openingGoes, closingGoes] = [opening, closing].map((fill) => going.has(keyOf(account, fill)))
    const stays = (row.hasOpening === 1 && openingGoes !== true) || (row.hasClosing === 1 && closingGoes !== true)
    const end = (fill: string, time: number | null, price: string | null): FillMoment => ({ contract, fill, moment: momentOf({ time, price }) })
    return stays ? [] : [{ id, account, ends: [end(opening, openingTime, openingPrice), end(closing, closingTime, closingPrice)], isGoing: openingGoes === true || closingGoes === true }]
  })

/** Accounts of files that lose all their fills, with these fills. */
const emptiedAccounts = ({ orm }: Writer, userId: string, changes: readonly FillChange[]): readonly { readonly account: AccountKey; readonly fills: readonly FillMoment[] }[] => {
  const { id, contract, time, price, tickSize } = fillTable
  return [...Map.groupBy(changes.filter(({ account, fill }) => isFileAccount(account) && fill !== undefined), ({ account }) => account)].flatMap(([account, own]) => {
    const ofAccount = and(eq(fillTable.userId, userId), eq(fillTable.account, account))
    if (own.some(({ fill }) => fill !== null) || orm.select({ fills: count() }).from(fillTable).where(ofAccount).get()?.fills !== own.length) return []
    const rows = orm.select({ id, contract, time, price, tickSize }).from(fillTable).where(ofAccount).all()
    return [{ account, fills: rows.map((row) => ({ contract: row.contract, fill: row.id, moment: momentAt(row.time, row.price, row.tickSize) })) }]
  })
}

const momentAt = (time: number, price: Ticks, tickSize: string): string | null => momentOf({ time, price: formatPrice(price, tickSize, 'trimmed') })

type Search = { readonly accounts: readonly AccountKey[]; readonly changes: readonly FillChange[]; readonly going: ReadonlySet<string>; readonly wanted: readonly FillMoment[] }

/** Which accounts will have wanted fills once the changes are made. */
const ownersOf = (writer: Writer, userId: string, { accounts, changes, going, wanted }: Search): ((fills: readonly FillMoment[]) => ReadonlyMap<AccountKey, FillCounts>) => {
  const [byId, byMoment] = [new Map<string, Set<AccountKey>>(), new Map<string, Set<AccountKey>>()]
  const idKey = ({ contract, fill }: FillMoment): string => keyOf(contract, fill)
  const momentKey = ({ contract, moment }: FillMoment): string => keyOf(contract, moment ?? '')
  const isThere = and(eq(fillTable.userId, userId), eq(fillTable.account, sql.placeholder('account')), eq(fillTable.id, sql.placeholder('id')))
  const present = writer.orm.select({ contract: fillTable.contract }).from(fillTable).where(isThere).prepare()
  for (const one of wanted) {
    if (one.moment !== null) byMoment.set(momentKey(one), new Set())
    if (byId.has(idKey(one))) continue
    byId.set(idKey(one), new Set(accounts.filter((account) => !going.has(keyOf(account, one.fill)) && present.get({ account, id: one.fill })?.contract === one.contract)))
  }
  for (const { account, id, fill } of changes) {
    if (fill === undefined || fill === null) continue
    const incoming: FillMoment = { contract: fill.contract, fill: id, moment: momentAt(fill.time, fill.price, fill.tickSize) }
    byId.get(idKey(incoming))?.add(account)
    byMoment.get(momentKey(incoming))?.add(account)
  }
  return (fills) => {
    const having = new Map<AccountKey, FillCounts>()
    const of = (account: AccountKey): FillCounts => getOrInsert(having, account, () => ({ byId: 0, byMoment: 0 }))
    for (const one of fills) {
      for (const account of byId.get(idKey(one)) ?? []) of(account).byId += 1
      for (const account of byMoment.get(momentKey(one)) ?? []) of(account).byMoment += 1
    }
    return having
  }
}

/** Moves an account's hand-entered trades and books to the one that it turns out to be, and, unless its user removed it, its label, rates, rules and marks of copies. */
const moveAccount = (writer: Writer, userId: string, at: number, { key, removedAt }: Pick<NamedAccount, 'key' | 'removedAt'>, to: AccountKey): void => {
  moveEntered(writer, userId, at, key, to)
  moveBooks(writer, userId, at, key, to)
  if (removedAt !== null) return
  moveLabel(writer, userId, at, key, to)
  moveOwn(writer, userId, at, key, to)
}

/** The fill pairs of an account that its user wrote on. */
const editsOf = ({ orm }: Writer, userId: string, account: AccountKey): readonly string[] =>
  orm.select({ id: pairEdits.pairId }).from(pairEdits).where(and(eq(pairEdits.userId, userId), sql`substr(${pairEdits.pairId}, 1, ${account.length + 1}) = ${`${account}/`}`)).all().map(({ id }) => id)

/** The annotations of a fill pair of `from`, which is one of `to` now. */
type EditMove = { readonly id: string; readonly from: AccountKey; readonly to: AccountKey }

/** Moves the user's annotations of fill pairs to the same pairs of other accounts, and shows them there. */
const moveEdits = (writer: Writer, userId: string, at: number, moves: readonly EditMove[]): void => {
  const pair = writer.orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, sql.placeholder('id')))).prepare()
  // One record per account and contract is enough.
  const toShow = new Map<string, string>()
  for (const { id, from, to } of moves) {
    const contract = (JSON.parse(editOf(writer, userId, id).fields.place ?? 'null') as NotePlace | null)?.contract ?? id
    const moved = `${to}${id.slice(from.length)}`
    moveEdit(writer, userId, at, id, moved, to)
    toShow.set(`${to}\n${contract}`, moved)
    // A fill pair that is still there goes with its fills.
    if (pair.get({ id }) === undefined) toShow.set(`${from}\n${contract}`, id)
  }
  deriveTradesOf(writer, userId, at, [...toShow.values()].flatMap((id) => placeNotesOf(writer, userId, id)))
}

/**
 * Moves the edit of one fill pair to another. Of two removals the newer counts; annotations of both are joined, and what
 * has no room stays where it is. The mirror then has an otherwise empty edit of the first.
 */
const moveEdit = (writer: Writer, userId: string, at: number, from: string, to: string, account: AccountKey): void => {
  const [old, kept] = [editOf(writer, userId, from), editOf(writer, userId, to)]
  const joined = joinAnnotations([{ id: to, annotations: annotationsOf(kept.fields) }, { id: from, annotations: annotationsOf(old.fields) }])
  const staying: ReadonlySet<StoredEditField> = new Set(joined.left.get(from))
  const written = writtenFields.filter((field) => !isEmptyValue(field, old.fields) && !staying.has(field))
  if (written.length === 0) return
  blankEdit(writer, userId, at, from, written)
  const isLater = (field: StoredEditField): boolean => (old.stamps[field] ?? '') > (kept.stamps[field] ?? '')
  const { tags, drawings, ...texts } = joined.annotations
  const removedAt = isLater('removedAt') || kept.fields.removedAt === null ? old.fields.removedAt : kept.fields.removedAt
  const values = { ...texts, tags: JSON.stringify(tags), drawings: JSON.stringify(drawings), removedAt }
  // What was moved away and comes back is older than that move, and what is joined is newer than either.
  const stampOf = (field: StoredEditField): Stamp => (isLater(field) && (field === 'place' || values[field] === old.fields[field]) ? (old.stamps[field] ?? neverStamped) : mintStamp(writer, at))
  const moving: readonly (keyof typeof values)[] = writtenFields.filter((field) => values[field] !== kept.fields[field])
  const place = JSON.parse(old.fields.place ?? 'null') as NotePlace | null
  const saysNothing = writtenFields.every((field) => isEmptyValue(field, kept.fields))
  const placed = place !== null && (kept.fields.place === null || saysNothing) ? { place: JSON.stringify({ ...place, account }) } : {}
  const all: readonly StoredEditField[] = placed.place === undefined ? moving : [...moving, 'place']
  writeEdit(writer, userId, to, { ...Object.fromEntries(moving.map((field) => [field, values[field]])), ...placed }, Object.fromEntries(all.map((field) => [field, stampOf(field)])))
  queueChange(writer, userId, at, 'edit', to)
}

const moveEntered = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const { orm } = writer
  const entered = orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, from), eq(fillPairs.origin, 'manual'))).all()
  for (const { id } of entered) {
    orm.update(fillPairs).set({ accountId: to, stamp: mintStamp(writer, at) }).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, id))).run()
    queueChange(writer, userId, at, 'trade', id)
  }
}

// A label that the other account has already stays.
const moveLabel = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const { orm } = writer
  const label = orm.select({ type: finances.type, firm: finances.firm }).from(finances).where(and(eq(finances.userId, userId), eq(finances.id, from))).get()
  if (label === undefined || (label.type === 'Account' && label.firm === null)) return
  const isUnlabeled = and(eq(finances.userId, userId), eq(finances.id, to), eq(finances.type, 'Account'), isNull(finances.firm))
  const { changes } = repricing(writer, userId, at, () => orm.update(finances).set({ ...label, stamp: mintStamp(writer, at) }).where(isUnlabeled).run())
  if (changes > 0) queueChange(writer, userId, at, 'finance', to)
}
