import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { neverStamped, stampedAt, type Stamp } from '#shared/mirror/stamp.ts'
import type { NotePlace, PairPlace } from '#shared/notes/place.ts'
import { filledFields, showNotes, type From, type LeftOver, type Shown, type ShownNotes, type WordField, type Words, type WrittenWords } from '#shared/notes/show.ts'
import { change, perConnection, query, type Reader, type Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { tradeEdits, type shownNotes } from '../db/schema/journal.ts'
import { pairPlaces, placeByFills, placeOf } from './pair-places.ts'

type EditRow = Omit<typeof tradeEdits.$inferSelect, 'userId' | 'tradeId'> & { readonly id: string; readonly account: string | null; readonly contract: string | null; readonly qty: number | null }

type Edit = WrittenWords & { readonly stamps: string; readonly now: { readonly account: string; readonly contract: string; readonly qty: number } | null }

/** SQL for whether an edit in `trade_edits` has content. */
export const hasContent = "(notes <> '' OR tags <> '[]' OR stop IS NOT NULL OR screenshot <> '' OR screenshot_headline <> '' OR screenshot2 <> '' OR screenshot2_headline <> '' OR drawings <> '[]' OR removed_at IS NOT NULL)"

/** SQL for whether an edit in `trade_edits` says on which fill pair it was written: one of a trade entered by hand never does. */
export const hasPlace = "place IS NOT NULL AND place <> 'null'"

const editsSql = `SELECT trade_id AS id, place, notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings,
    removed_at AS removedAt, stamps, account_id AS account, symbol AS contract, qty
  FROM (SELECT edit.*, trades.account_id, trades.symbol, trades.qty FROM trade_edits AS edit LEFT JOIN trades ON trades.user_id = edit.user_id AND trades.id = edit.trade_id AND origin = 'synced'
    WHERE edit.user_id = @userId AND edit.trade_id >= @from AND edit.trade_id < @to)
  WHERE (place IS NULL OR place <> 'null') AND ${hasContent}
    AND (place IS NULL OR place ->> 'contract' IS NULL OR place ->> 'contract' IN (SELECT value FROM json_each(@contracts)) OR symbol IN (SELECT value FROM json_each(@contracts)))`

const toRecord = ({ id, place, stamps, removedAt, account, contract, qty, tags, drawings, ...words }: EditRow): Edit => ({
  id, stamps, removedAt, place: JSON.parse(place ?? 'null') as NotePlace | null, words: { ...words, tags: JSON.parse(tags) as string[], drawings: JSON.parse(drawings) as Words['drawings'] },
  now: account === null || contract === null || qty === null ? null : { account, contract, qty },
})

// Raw SQL where edits may come by the thousand: the benchmark `mirror` measures it.
// '0' is the character after '/'. An account's name may contain a slash, and then start like another one's.
const recordsIn = (writer: Writer, userId: string, account: string, contracts: ReadonlySet<string>): readonly Edit[] =>
  query<EditRow>(writer, editsSql)
    .all({ userId, from: `${account}/`, to: `${account}0`, contracts: JSON.stringify([...contracts]) })
    .map(toRecord)
    .filter(({ now, place }) => (now?.account ?? place?.account ?? account) === account)

/** Includes the contracts of their records or trades, so that nothing shows on two. */
const allContracts = (records: readonly Edit[], contracts: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...contracts, ...records.flatMap(({ place, now }) => [...(place === null || place.contract === null ? [] : [place.contract]), ...(now === null ? [] : [now.contract])])])

/** Whether a record is on its own trade, unchanged since it was written, so that nothing else needs checking. */
const isAtHome = ({ now, place, removedAt }: Edit): boolean => now !== null && (removedAt === null || place?.qty === now.qty)

const asWritten = (records: readonly Edit[]): ShownNotes => ({
  shown: new Map(records.map(({ id, words, removedAt }) => [id, { words, removedAt, from: new Map() }])),
  leftOver: new Map(),
})

/**
 * Updates what the trades of an account's contracts show of their annotations, by `showNotes`, and saves what no trade
 * shows as left over; runs in the caller's transaction, after the pairs are derived. Returns the trades whose removal
 * changed: their trips must be derived again.
 */
export const settleNotes = (writer: Writer, userId: string, account: string, touched: ReadonlySet<string>): readonly string[] => {
  const some = recordsIn(writer, userId, account, touched)
  const contracts = allContracts(some, touched)
  const records = contracts.size > touched.size ? recordsIn(writer, userId, account, contracts) : some
  const before = [...contracts].flatMap((contract) => shownIn(writer, userId, account, contract))
  const all = records.every(isAtHome) ? null : new Map([...contracts].map((contract) => [contract, pairPlaces(writer, userId, account, contract)]))
  const { shown, leftOver } = all === null ? asWritten(records) : showNotes(records, [...all.values()].flat())
  keepLeftOver(writer, userId, account, contracts, records, leftOver)
  const contractOf = contractsOf(records, all)
  return keepShown(writer, userId, before, [...shown].map(([id, one]): ShownRow => shownRow(id, account, contractOf(id), one)))
}

const contractsOf = (records: readonly Edit[], all: ReadonlyMap<string, readonly PairPlace[]> | null): ((tradeId: string) => string) => {
  const known = new Map(records.flatMap(({ id, now }) => (now === null ? [] : [[id, now.contract] as const])))
  for (const [contract, pairs] of all ?? []) for (const { id } of pairs) known.set(id, contract)
  return (tradeId) => known.get(tradeId) ?? ''
}

const dayOf = ({ place, stamps }: Edit): string => {
  const latest = Object.values(JSON.parse(stamps) as Readonly<Record<string, Stamp>>).reduce((one, other) => (one < other ? other : one), neverStamped)
  return place?.tradingDay ?? new Date(stampedAt(latest)).toISOString().slice(0, 10)
}

const keepLeftOver = (writer: Writer, userId: string, account: string, contracts: ReadonlySet<string>, records: readonly Edit[], leftOver: ReadonlyMap<string, LeftOver>): void => {
  const kept = query<{ id: string }>(writer, "SELECT edit_id AS id FROM left_over_notes WHERE user_id = ? AND account = ? AND (contract = '' OR contract IN (SELECT value FROM json_each(?)))")
  const drop = change(writer, 'DELETE FROM left_over_notes WHERE user_id = ? AND edit_id = ?')
  for (const { id } of kept.all(userId, account, JSON.stringify([...contracts]))) if (!leftOver.has(id)) drop.run(userId, id)
  const put = change(writer, 'INSERT OR REPLACE INTO left_over_notes (user_id, edit_id, account, contract, trading_day, fields, trade_id) VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const record of records) {
    const left = leftOver.get(record.id)
    if (left !== undefined) put.run(userId, record.id, account, record.place?.contract ?? '', dayOf(record), JSON.stringify(left.fields), left.on)
  }
}

type Known = { origin: string; account: string; contract: string }

const selectAccount = perConnection(({ orm }: Writer) => {
  const { userId, key } = accounts
  const beginsWithKey = sql`substr(${sql.placeholder('tradeId')}, 1, length(${key}) + 1) = ${key} || '/'`
  return orm.select({ key }).from(accounts).where(and(eq(userId, sql.placeholder('userId')), beginsWithKey)).orderBy(desc(sql`length(${key})`)).limit(1).prepare()
})

/** The account of a trade with this id: of the known ones the one with the longest name. */
const accountIn = (writer: Writer, userId: string, tradeId: string): string | null => selectAccount(writer).get({ userId, tradeId })?.key ?? null

/** The same for the trade and the account of one edit; an entered trade shows only its own edit. */
export const settleNotesOf = (writer: Writer, userId: string, tradeId: string): readonly string[] => settleNotesOfAll(writer, userId, [tradeId])

/** The same for many edits: each account once. */
export const settleNotesOfAll = (writer: Writer, userId: string, tradeIds: Iterable<string>): readonly string[] => {
  const touched = new Map<string, Set<string>>()
  const toggled: string[] = []
  for (const tradeId of tradeIds) {
    const trade = query<Known>(writer, 'SELECT origin, account_id AS account, symbol AS contract FROM trades WHERE user_id = ? AND id = ?').get(userId, tradeId)
    const text = query<{ place: string | null }>(writer, 'SELECT place FROM trade_edits WHERE user_id = ? AND trade_id = ?').get(userId, tradeId)?.place ?? null
    if (trade?.origin === 'manual') {
      toggled.push(...showEntered(writer, userId, tradeId))
      continue
    }
    const place = JSON.parse(text ?? 'null') as NotePlace | null
    const account = trade?.account ?? place?.account ?? accountIn(writer, userId, tradeId)
    if (account === null) continue
    const contracts = getOrInsert(touched, account, () => new Set())
    for (const contract of [trade?.contract, place?.contract]) if (typeof contract === 'string') contracts.add(contract)
  }
  for (const [account, contracts] of touched) toggled.push(...settleNotes(writer, userId, account, contracts))
  return toggled
}

const isEdit = and(eq(tradeEdits.userId, sql.placeholder('userId')), eq(tradeEdits.tradeId, sql.placeholder('tradeId')))
const markEntered = perConnection(({ orm }: Writer) => orm.update(tradeEdits).set({ place: 'null' }).where(and(isEdit, isNull(tradeEdits.place))).prepare())
const selectEdit = perConnection(({ orm }: Writer) => {
  const { userId: _user, tradeId: id, ...edit } = getTableColumns(tradeEdits)
  return orm.select({ id, ...edit }).from(tradeEdits).where(isEdit).prepare()
})

const showEntered = (writer: Writer, userId: string, tradeId: string): readonly string[] => {
  markEntered(writer).run({ userId, tradeId })
  const row = selectEdit(writer).get({ userId, tradeId })
  const before = shownOf(writer, userId, tradeId)
  const record = row === undefined ? undefined : toRecord({ ...row, account: null, contract: null, qty: null })
  const saysSomething = record !== undefined && (record.removedAt !== null || filledFields(record.words).length > 0)
  const after = saysSomething ? [shownRow(tradeId, '', '', { words: record.words, removedAt: record.removedAt, from: new Map<WordField, never>() })] : []
  return keepShown(writer, userId, before === undefined ? [] : [before], after)
}

/** Places found, by account and contract. */
export type PlacedContracts = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds places for unplaced edits, which older programs wrote: those whose trade exists, else those with a remaining
 * fill. Must run before any pair is derived; `onPlaced` is called for each.
 */
export const placeUnplaced = (writer: Writer, userId: string, onPlaced: (tradeId: string) => void): PlacedContracts => {
  const placed = new Map<string, Set<string>>()
  const { orm } = writer
  const keep = orm.update(tradeEdits).set({ place: sql`${sql.placeholder('place')}`, stamps: sql`json_set(${tradeEdits.stamps}, '$.place', ${neverStamped})` }).where(isEdit).prepare()
  for (const { id } of orm.select({ id: tradeEdits.tradeId }).from(tradeEdits).where(and(eq(tradeEdits.userId, userId), isNull(tradeEdits.place))).all()) {
    const account = accountIn(writer, userId, id)
    if (account === null) continue
    const place = placeOf(writer, userId, id) ?? placeByFills(writer, userId, account, id)
    const contracts = getOrInsert(placed, account, () => new Set())
    if (place === null) continue
    keep.run({ userId, tradeId: id, place: JSON.stringify(place) })
    onPlaced(id)
    if (place.contract !== null) contracts.add(place.contract)
  }
  return placed
}

/** A trade's row of `shown_notes`: what it shows of the user's annotations. */
type ShownRow = Readonly<Omit<typeof shownNotes.$inferSelect, 'userId'>>

const shownColumns = `trade_id AS tradeId, account, contract, notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings,
  removed_at AS removedAt, sources`

/** What a trade shows; undefined without annotations. In raw SQL as all here, since thousands may come at once: the benchmark `mirror` measures it. */
export const shownOf = (reader: Reader, userId: string, tradeId: string): ShownRow | undefined =>
  query<ShownRow>(reader, `SELECT ${shownColumns} FROM shown_notes WHERE user_id = ? AND trade_id = ?`).get(userId, tradeId)

/** What the trades of an account's contract show. */
const shownIn = (reader: Reader, userId: string, account: string, contract: string): readonly ShownRow[] =>
  query<ShownRow>(reader, `SELECT ${shownColumns} FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ?`).all(userId, account, contract)

/** The fields of a trade that come from other records than its own. */
export const sourcesOf = (reader: Reader, userId: string, tradeId: string): Readonly<Partial<Record<WordField | 'removedAt', readonly From[]>>> => {
  const kept = JSON.parse(shownOf(reader, userId, tradeId)?.sources ?? '{}') as Record<string, [string, From['field']][]>
  return Object.fromEntries(Object.entries(kept).map(([shown, from]) => [shown, from.map(([record, field]) => ({ record, field }))]))
}

/** What a trade shows, as its row. */
const shownRow = (tradeId: string, account: string, contract: string, { words, removedAt, from }: Shown): ShownRow => {
  const others = [...from].map(([field, list]) => [field, list.filter(({ record }) => record !== tradeId).map(({ record, field: of }) => [record, of])] as const)
  return { tradeId, account, contract, ...words, tags: JSON.stringify(words.tags), drawings: JSON.stringify(words.drawings), removedAt, sources: JSON.stringify(Object.fromEntries(others.filter(([, list]) => list.length > 0))) }
}

/** Updates the rows of some trades to what they show now, and returns the trades whose removal changed. */
const keepShown = (writer: Writer, userId: string, before: readonly ShownRow[], after: readonly ShownRow[]): readonly string[] => {
  const put = change(writer, `INSERT OR REPLACE INTO shown_notes (user_id, trade_id, account, contract, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings, removed_at, sources)
    VALUES (@userId, @tradeId, @account, @contract, @notes, @tags, @stop, @screenshot, @screenshotHeadline, @screenshot2, @screenshot2Headline, @drawings, @removedAt, @sources)`)
  const drop = change(writer, 'DELETE FROM shown_notes WHERE user_id = ? AND trade_id = ?')
  const was = new Map(before.map((row) => [row.tradeId, row]))
  const toggled: string[] = []
  for (const row of after) {
    const old = was.get(row.tradeId)
    was.delete(row.tradeId)
    if ((old?.removedAt ?? null) === null ? row.removedAt !== null : row.removedAt === null) toggled.push(row.tradeId)
    if (old === undefined || Object.entries(row).some(([name, value]) => old[name as keyof ShownRow] !== value)) put.run({ userId, ...row })
  }
  for (const { tradeId, removedAt } of was.values()) {
    drop.run(userId, tradeId)
    if (removedAt !== null) toggled.push(tradeId)
  }
  return toggled
}
