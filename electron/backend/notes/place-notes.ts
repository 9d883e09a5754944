import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { neverStamped, stampedAt, type Stamp } from '#shared/mirror/stamp.ts'
import type { NotePlace, PairPlace } from '#shared/notes/place.ts'
import { filledFields, showNotes, type From, type LeftOver, type Shown, type ShownNotes, type AnnotationField, type Annotations, type WrittenAnnotations } from '#shared/notes/show.ts'
import { change, perConnection, query, type Reader, type Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { pairEdits, type shownNotes } from '../db/schema/journal.ts'
import { pairPlaces, placeByFills, placeOf } from './pair-places.ts'

type EditRow = Omit<typeof pairEdits.$inferSelect, 'userId' | 'pairId'> & { readonly id: string; readonly account: string | null; readonly contract: string | null; readonly qty: number | null }

type Edit = WrittenAnnotations & { readonly stamps: string; readonly now: { readonly account: string; readonly contract: string; readonly qty: number } | null }

/** SQL for whether an edit in `pair_edits` has content. */
export const hasContent = "(notes <> '' OR tags <> '[]' OR stop IS NOT NULL OR screenshot <> '' OR screenshot_headline <> '' OR screenshot2 <> '' OR screenshot2_headline <> '' OR drawings <> '[]' OR removed_at IS NOT NULL)"

/** SQL for whether an edit in `pair_edits` says on which fill pair it was written: one of a trade entered by hand never does. */
export const hasPlace = "place IS NOT NULL AND place <> 'null'"

const editsSql = `SELECT pair_id AS id, place, notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings,
    removed_at AS removedAt, stamps, account_id AS account, symbol AS contract, qty
  FROM (SELECT edit.*, fill_pairs.account_id, fill_pairs.symbol, fill_pairs.qty FROM pair_edits AS edit LEFT JOIN fill_pairs ON fill_pairs.user_id = edit.user_id AND fill_pairs.id = edit.pair_id AND origin = 'synced'
    WHERE edit.user_id = @userId AND edit.pair_id >= @from AND edit.pair_id < @to)
  WHERE (place IS NULL OR place <> 'null') AND ${hasContent}
    AND (place IS NULL OR place ->> 'contract' IS NULL OR place ->> 'contract' IN (SELECT value FROM json_each(@contracts)) OR symbol IN (SELECT value FROM json_each(@contracts)))`

const toRecord = ({ id, place, stamps, removedAt, account, contract, qty, tags, drawings, ...annotations }: EditRow): Edit => ({
  id, stamps, removedAt, place: JSON.parse(place ?? 'null') as NotePlace | null, annotations: { ...annotations, tags: JSON.parse(tags) as string[], drawings: JSON.parse(drawings) as Annotations['drawings'] },
  now: account === null || contract === null || qty === null ? null : { account, contract, qty },
})

// Raw SQL where edits may come by the thousand: the benchmark `mirror` measures it.
// '0' is the character after '/'. An account's name may contain a slash, and then start like another one's.
const recordsIn = (writer: Writer, userId: string, account: string, contracts: ReadonlySet<string>): readonly Edit[] =>
  query<EditRow>(writer, editsSql)
    .all({ userId, from: `${account}/`, to: `${account}0`, contracts: JSON.stringify([...contracts]) })
    .map(toRecord)
    .filter(({ now, place }) => (now?.account ?? place?.account ?? account) === account)

/** Includes the contracts of their records or pairs, so that nothing shows on two. */
const allContracts = (records: readonly Edit[], contracts: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...contracts, ...records.flatMap(({ place, now }) => [...(place === null || place.contract === null ? [] : [place.contract]), ...(now === null ? [] : [now.contract])])])

/** Whether a record is on its own pair, unchanged since it was written, so that nothing else needs checking. */
const isAtHome = ({ now, place, removedAt }: Edit): boolean => now !== null && (removedAt === null || place?.qty === now.qty)

const asWritten = (records: readonly Edit[]): ShownNotes => ({
  shown: new Map(records.map(({ id, annotations, removedAt }) => [id, { annotations, removedAt, from: new Map() }])),
  leftOver: new Map(),
})

/**
 * Updates what the fill pairs of an account's contracts show of their annotations, by `showNotes`, and saves what none of
 * them shows as left over; runs in the caller's transaction, after the pairs are derived. Returns the pairs whose removal
 * changed: their trades must be derived again.
 */
export const placeNotes = (writer: Writer, userId: string, account: string, touched: ReadonlySet<string>): readonly string[] => {
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

const contractsOf = (records: readonly Edit[], all: ReadonlyMap<string, readonly PairPlace[]> | null): ((pairId: string) => string) => {
  const known = new Map(records.flatMap(({ id, now }) => (now === null ? [] : [[id, now.contract] as const])))
  for (const [contract, pairs] of all ?? []) for (const { id } of pairs) known.set(id, contract)
  return (pairId) => known.get(pairId) ?? ''
}

const dayOf = ({ place, stamps }: Edit): string => {
  const latest = Object.values(JSON.parse(stamps) as Readonly<Record<string, Stamp>>).reduce((one, other) => (one < other ? other : one), neverStamped)
  return place?.tradingDay ?? new Date(stampedAt(latest)).toISOString().slice(0, 10)
}

const keepLeftOver = (writer: Writer, userId: string, account: string, contracts: ReadonlySet<string>, records: readonly Edit[], leftOver: ReadonlyMap<string, LeftOver>): void => {
  const kept = query<{ id: string }>(writer, "SELECT edit_id AS id FROM left_over_notes WHERE user_id = ? AND account = ? AND (contract = '' OR contract IN (SELECT value FROM json_each(?)))")
  const drop = change(writer, 'DELETE FROM left_over_notes WHERE user_id = ? AND edit_id = ?')
  for (const { id } of kept.all(userId, account, JSON.stringify([...contracts]))) if (!leftOver.has(id)) drop.run(userId, id)
  const put = change(writer, 'INSERT OR REPLACE INTO left_over_notes (user_id, edit_id, account, contract, trading_day, fields, pair_id) VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const record of records) {
    const left = leftOver.get(record.id)
    if (left !== undefined) put.run(userId, record.id, account, record.place?.contract ?? '', dayOf(record), JSON.stringify(left.fields), left.on)
  }
}

type PairFacts = { origin: string; account: string; contract: string }

const selectAccount = perConnection(({ orm }: Writer) => {
  const { userId, key } = accounts
  const beginsWithKey = sql`substr(${sql.placeholder('pairId')}, 1, length(${key}) + 1) = ${key} || '/'`
  return orm.select({ key }).from(accounts).where(and(eq(userId, sql.placeholder('userId')), beginsWithKey)).orderBy(desc(sql`length(${key})`)).limit(1).prepare()
})

/** The account of a fill pair with this id: of the known ones the one with the longest name. */
const accountIn = (writer: Writer, userId: string, pairId: string): string | null => selectAccount(writer).get({ userId, pairId })?.key ?? null

/** The same for the pair and the account of one edit; an entered trade shows only its own edit. */
export const placeNotesOf = (writer: Writer, userId: string, pairId: string): readonly string[] => placeNotesOfAll(writer, userId, [pairId])

/** The same for many edits: each account once. */
export const placeNotesOfAll = (writer: Writer, userId: string, pairIds: Iterable<string>): readonly string[] => {
  const touched = new Map<string, Set<string>>()
  const toggled: string[] = []
  for (const pairId of pairIds) {
    const pair = query<PairFacts>(writer, 'SELECT origin, account_id AS account, symbol AS contract FROM fill_pairs WHERE user_id = ? AND id = ?').get(userId, pairId)
    const text = query<{ place: string | null }>(writer, 'SELECT place FROM pair_edits WHERE user_id = ? AND pair_id = ?').get(userId, pairId)?.place ?? null
    if (pair?.origin === 'manual') {
      toggled.push(...showEntered(writer, userId, pairId))
      continue
    }
    const place = JSON.parse(text ?? 'null') as NotePlace | null
    const account = pair?.account ?? place?.account ?? accountIn(writer, userId, pairId)
    if (account === null) continue
    const contracts = getOrInsert(touched, account, () => new Set())
    for (const contract of [pair?.contract, place?.contract]) if (typeof contract === 'string') contracts.add(contract)
  }
  for (const [account, contracts] of touched) toggled.push(...placeNotes(writer, userId, account, contracts))
  return toggled
}

const isEdit = and(eq(pairEdits.userId, sql.placeholder('userId')), eq(pairEdits.pairId, sql.placeholder('pairId')))
const markEntered = perConnection(({ orm }: Writer) => orm.update(pairEdits).set({ place: 'null' }).where(and(isEdit, isNull(pairEdits.place))).prepare())
const selectEdit = perConnection(({ orm }: Writer) => {
  const { userId: _user, pairId: id, ...edit } = getTableColumns(pairEdits)
  return orm.select({ id, ...edit }).from(pairEdits).where(isEdit).prepare()
})

const showEntered = (writer: Writer, userId: string, pairId: string): readonly string[] => {
  markEntered(writer).run({ userId, pairId })
  const row = selectEdit(writer).get({ userId, pairId })
  const before = shownOf(writer, userId, pairId)
  const record = row === undefined ? undefined : toRecord({ ...row, account: null, contract: null, qty: null })
  const saysSomething = record !== undefined && (record.removedAt !== null || filledFields(record.annotations).length > 0)
  const after = saysSomething ? [shownRow(pairId, '', '', { annotations: record.annotations, removedAt: record.removedAt, from: new Map<AnnotationField, never>() })] : []
  return keepShown(writer, userId, before === undefined ? [] : [before], after)
}

/** Places found, by account and contract. */
export type PlacedContracts = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds places for unplaced edits, which older programs wrote: those whose fill pair exists, else those with a remaining
 * fill. Must run before any pair is derived; `onPlaced` is called for each.
 */
export const placeUnplaced = (writer: Writer, userId: string, onPlaced: (pairId: string) => void): PlacedContracts => {
  const placed = new Map<string, Set<string>>()
  const { orm } = writer
  const keep = orm.update(pairEdits).set({ place: sql`${sql.placeholder('place')}`, stamps: sql`json_set(${pairEdits.stamps}, '$.place', ${neverStamped})` }).where(isEdit).prepare()
  for (const { id } of orm.select({ id: pairEdits.pairId }).from(pairEdits).where(and(eq(pairEdits.userId, userId), isNull(pairEdits.place))).all()) {
    const account = accountIn(writer, userId, id)
    if (account === null) continue
    const place = placeOf(writer, userId, id) ?? placeByFills(writer, userId, account, id)
    const contracts = getOrInsert(placed, account, () => new Set())
    if (place === null) continue
    keep.run({ userId, pairId: id, place: JSON.stringify(place) })
    onPlaced(id)
    if (place.contract !== null) contracts.add(place.contract)
  }
  return placed
}

/** A fill pair's row of `shown_notes`: what it shows of the user's annotations. */
type ShownRow = Readonly<Omit<typeof shownNotes.$inferSelect, 'userId'>>

const shownColumns = `pair_id AS pairId, account, contract, notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings,
  removed_at AS removedAt, sources`

/** What a fill pair shows; undefined without annotations. In raw SQL as all here, since thousands may come at once: the benchmark `mirror` measures it. */
export const shownOf = (reader: Reader, userId: string, pairId: string): ShownRow | undefined =>
  query<ShownRow>(reader, `SELECT ${shownColumns} FROM shown_notes WHERE user_id = ? AND pair_id = ?`).get(userId, pairId)

/** What the fill pairs of an account's contract show. */
const shownIn = (reader: Reader, userId: string, account: string, contract: string): readonly ShownRow[] =>
  query<ShownRow>(reader, `SELECT ${shownColumns} FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ?`).all(userId, account, contract)

/** The fields of a fill pair that come from other records than its own. */
export const sourcesOf = (reader: Reader, userId: string, pairId: string): Readonly<Partial<Record<AnnotationField | 'removedAt', readonly From[]>>> => {
  const kept = JSON.parse(shownOf(reader, userId, pairId)?.sources ?? '{}') as Record<string, [string, From['field']][]>
  return Object.fromEntries(Object.entries(kept).map(([shown, from]) => [shown, from.map(([record, field]) => ({ record, field }))]))
}

/** What a fill pair shows, as its row. */
const shownRow = (pairId: string, account: string, contract: string, { annotations, removedAt, from }: Shown): ShownRow => {
  const others = [...from].map(([field, list]) => [field, list.filter(({ record }) => record !== pairId).map(({ record, field: of }) => [record, of])] as const)
  return { pairId, account, contract, ...annotations, tags: JSON.stringify(annotations.tags), drawings: JSON.stringify(annotations.drawings), removedAt, sources: JSON.stringify(Object.fromEntries(others.filter(([, list]) => list.length > 0))) }
}

/** Updates the rows of some pairs to what they show now, and returns the pairs whose removal changed. */
const keepShown = (writer: Writer, userId: string, before: readonly ShownRow[], after: readonly ShownRow[]): readonly string[] => {
  const put = change(writer, `INSERT OR REPLACE INTO shown_notes (user_id, pair_id, account, contract, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings, removed_at, sources)
    VALUES (@userId, @pairId, @account, @contract, @notes, @tags, @stop, @screenshot, @screenshotHeadline, @screenshot2, @screenshot2Headline, @drawings, @removedAt, @sources)`)
  const drop = change(writer, 'DELETE FROM shown_notes WHERE user_id = ? AND pair_id = ?')
  const was = new Map(before.map((row) => [row.pairId, row]))
  const toggled: string[] = []
  for (const row of after) {
    const old = was.get(row.pairId)
    was.delete(row.pairId)
    if ((old?.removedAt ?? null) === null ? row.removedAt !== null : row.removedAt === null) toggled.push(row.pairId)
    if (old === undefined || Object.entries(row).some(([name, value]) => old[name as keyof ShownRow] !== value)) put.run({ userId, ...row })
  }
  for (const { pairId, removedAt } of was.values()) {
    drop.run(userId, pairId)
    if (removedAt !== null) toggled.push(pairId)
  }
  return toggled
}
