import { isDeepStrictEqual } from 'node:util'
import { and, eq, getTableColumns, isNotNull, isNull, notExists, notLike, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { FillSource } from '#shared/fills/source.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { eachRow, perConnection, query, type Reader } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { baseFills, imports } from '../db/schema/imports.ts'
import { fillPairs, fills, pairEdits } from '../db/schema/journal.ts'
import { dayNotes } from '../db/schema/own-data.ts'
import { reports } from '../db/schema/reports.ts'
import { isLeft } from '../imports/import-accounts.ts'
import { contentsOf } from '../mirror/outgoing.ts'
import { everything } from '../mirror/mirror-position.ts'
import { importsOfHistory } from '../imports/history-queries.ts'
import { dayFields, emptyDay, type DayField, type DayFields } from '../notes/day-notes.ts'
import { writtenFields, emptyEdit, type EditFields, type WrittenFields } from '../notes/edits.ts'

/*
 * Compares a backup with the current journal: what a restore writes, and what its dialog shows beforehand. A value that
 * only the backup has is `back`, one that differs is `changed`, and one that only the journal has was `added` since.
 */

/** What a restore does with one field or record. */
export type Fate = 'back' | 'changed' | 'same' | 'added'

/** Two journals of one user: a staged backup's, and the current one. */
export type Journals = { readonly userId: string; readonly then: Reader; readonly now: Reader }

const fateOf = (then: unknown, now: unknown, isNothing: (value: unknown) => boolean): Fate | null => {
  if (isNothing(then)) return isNothing(now) ? null : 'added'
  if (isNothing(now)) return 'back'
  return isDeepStrictEqual(then, now) ? 'same' : 'changed'
}

/** One field of the user's annotations of a fill pair or a day. */
export type ComparedField<Field extends string> = { readonly field: Field; readonly fate: Fate; readonly then: string | number | null; readonly now: string | number | null }

/** The annotations of one fill pair; `place` is its place in the backup. */
export type ComparedEdit = { readonly id: string; readonly fields: readonly ComparedField<keyof WrittenFields>[]; readonly place: string | null; readonly isPlaced: boolean }

const unwritten: EditFields = { ...emptyEdit, place: null }

const editsIn = ({ orm }: Reader, userId: string): Rows<EditFields> => {
  const { userId: user, pairId, stamps: _stamps, ...fields } = getTableColumns(pairEdits)
  const row = orm.select(fields).from(pairEdits).where(and(eq(user, userId), eq(pairId, sql.placeholder('id')))).prepare()
  return { ids: () => orm.select({ id: pairId }).from(pairEdits).where(eq(user, userId)).all(), row: (id) => row.get({ id }) }
}

const daysIn = ({ orm }: Reader, userId: string): Rows<DayFields> => {
  const { userId: user, tradingDay, notes, tags } = dayNotes
  const row = orm.select({ notes, tags }).from(dayNotes).where(and(eq(user, userId), eq(tradingDay, sql.placeholder('id')))).prepare()
  return { ids: () => orm.select({ id: tradingDay }).from(dayNotes).where(eq(user, userId)).all(), row: (id) => row.get({ id }) }
}

/** Whether a journal has a fill pair: its id changes when its fills are matched in another way, but the fills stay. */
const knowsPair = ({ orm }: Reader, userId: string): ((id: string, place: string | null) => boolean) => {
  const pair = orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, sql.placeholder('id')))).prepare()
  const fill = orm.select({ id: fills.id }).from(fills).where(and(eq(fills.userId, userId), eq(fills.account, sql.placeholder('account')), eq(fills.id, sql.placeholder('id')))).prepare()
  return (id, place) => {
    if (pair.get({ id }) !== undefined) return true
    const stood = JSON.parse(place ?? 'null') as NotePlace | null
    return stood !== null && [stood.opening, stood.closing].every((end) => fill.get({ account: stood.account, id: end.fill }) !== undefined)
  }
}

/** Every fill pair with annotations in either journal. A removal that the backup has and that was undone since counts as added. */
export function* comparedEdits({ userId, then, now }: Journals): Generator<ComparedEdit> {
  const knows = knowsPair(then, userId)
  for (const { id, was, is } of both(editsIn(then, userId), editsIn(now, userId))) {
    const [before, after] = [was ?? unwritten, is ?? unwritten]
    const fields = writtenFields.flatMap((field): ComparedField<keyof WrittenFields>[] => {
      const fate = field === 'removedAt' ? null : fateOf(before[field], after[field], (value) => value === emptyEdit[field])
      return fate === null ? [] : [{ field, fate, then: before[field], now: after[field] }]
    })
    const removal = { field: 'removedAt' as const, then: before.removedAt, now: after.removedAt }
    if (before.removedAt === null && after.removedAt !== null && knows(id, after.place)) fields.push({ ...removal, fate: 'back' })
    if (before.removedAt !== null && after.removedAt === null) fields.push({ ...removal, fate: 'added' })
    if (fields.length > 0) yield { id, fields, place: before.place === 'null' ? null : before.place, isPlaced: after.place !== null }
  }
}

/** The annotations of one trading day, which is the id. */
export type ComparedDay = { readonly id: string; readonly fields: readonly ComparedField<DayField>[] }

/** Every day with annotations in either journal. */
export function* comparedDays({ userId, then, now }: Journals): Generator<ComparedDay> {
  for (const { id, was = emptyDay, is = emptyDay } of both(daysIn(then, userId), daysIn(now, userId))) {
    const fields = dayFields.flatMap((field): ComparedField<DayField>[] => {
      const fate = fateOf(was[field], is[field], (value) => value === emptyDay[field])
      return fate === null ? [] : [{ field, fate, then: was[field], now: is[field] }]
    })
    if (fields.length > 0) yield { id, fields }
  }
}

/** A user's rows of a table in one journal. */
type Rows<Row> = { readonly ids: () => readonly { readonly id: string }[]; readonly row: (id: string) => Row | undefined }

type Both<Row> = { readonly id: string; readonly was: Row | undefined; readonly is: Row | undefined }

/** The rows of both journals, by id. */
function* both<Row>(then: Rows<Row>, now: Rows<Row>): Generator<Both<Row>> {
  // Rows written while the query runs would be read too.
  for (const { id } of then.ids()) yield { id, was: then.row(id), is: now.row(id) }
  for (const { id } of now.ids()) if (then.row(id) === undefined) yield { id, was: undefined, is: now.row(id) }
}

/** Kinds of records with a single stamp for all their fields. */
export const wholeKinds = ['account', 'commission', 'point', 'finance', 'trade', 'stop', 'rules'] as const
export type WholeKind = (typeof wholeKinds)[number]

/** A record's fields. */
export type RecordContent = Readonly<Record<string, unknown>> & { readonly stamp: Stamp; readonly removedAt?: number | null }

type Group = {
  readonly fields: readonly string[]
  /** What each holds where nothing is entered; none where something always is. */
  readonly nothing?: Readonly<Record<string, unknown>>
}

const groupWithout = (nothing: Readonly<Record<string, unknown>>, ...beside: readonly string[]): Group => ({ fields: [...Object.keys(nothing), ...beside], nothing })
const label = [groupWithout({ type: 'Account', firm: null }), groupWithout({ category: 'other' }), groupWithout({ account: null }), groupWithout({ note: '' })]

/** The fields of a record that belong together; the broker or this computer knows all other fields better. */
const groups: Readonly<Record<WholeKind, readonly Group[]>> = {
  account: [groupWithout({ copyOf: null })],
  commission: [groupWithout({ perSide: null }, 'currency')],
  point: [groupWithout({ amount: null }, 'currency')],
  finance: [{ fields: ['amount', 'date', 'name', 'balance', 'currency', 'platform'] }, ...label],
  trade: [{ fields: ['accountId', 'account', 'symbol', 'date', 'tradingDay', 'side', 'qty', 'tickSize', 'entryPrice', 'exitPrice', 'entryTime', 'exitTime', 'gross', 'commission', 'net', 'currency', 'platform', 'tripId', 'multiplierSource', 'feeSource', 'warnings'] }],
  stop: [groupWithout({ distance: null }, 'unit')],
  rules: [groupWithout({ set: null, presetId: null, since: null }), groupWithout({ stageByHand: null })],
}

/** One record, the result by group, and the record after a restore that keeps additions, and after a complete one: null if it stays as it is. */
export type ComparedRecord = {
  readonly kind: WholeKind
  readonly id: string
  readonly fates: ReadonlySet<Fate>
  readonly then: RecordContent | null
  readonly now: RecordContent | null
  readonly keeping: RecordContent | null
  readonly whole: RecordContent | null
}

const isSilent = (record: RecordContent, { nothing }: Group): boolean => nothing !== undefined && Object.entries(nothing).every(([field, value]) => record[field] === value)
const pick = (record: RecordContent, { fields }: Group): Record<string, unknown> => Object.fromEntries(fields.map((field) => [field, record[field]]))
const isRemoved = ({ removedAt = null }: RecordContent): boolean => removedAt !== null

const fateOfGroup = (then: RecordContent, now: RecordContent, group: Group): Fate | null => {
  if (isSilent(then, group)) return isSilent(now, group) ? null : 'added'
  if (isSilent(now, group)) return 'back'
  return isDeepStrictEqual(pick(then, group), pick(now, group)) ? 'same' : 'changed'
}

/** A record as a removal at `at` (UTC ms) leaves it; for kinds that cannot be removed, without its own fields. */
const gone = (now: RecordContent, own: readonly Group[], at: number): RecordContent =>
  'removedAt' in now ? { ...now, removedAt: at } : { ...now, ...Object.assign({}, ...own.map(({ nothing = {} }) => nothing)) }

/** A record in both journals; `isCovered` if something else decides whether it is in view: the account of a finance, the connection of an account. */
type Versions = { readonly kind: WholeKind; readonly id: string; readonly then: RecordContent | null; readonly now: RecordContent | null; readonly at: number; readonly isCovered: boolean }

const compareRecord = ({ kind, id, then, now, at, isCovered }: Versions): ComparedRecord | null => {
  const own = isCovered && kind === 'finance' ? label : groups[kind]
  const isHere = (record: RecordContent): boolean => (isCovered && kind === 'finance') || (!isRemoved(record) && (kind === 'account' || own.some((group) => !isSilent(record, group))))
  const one = (fates: Iterable<Fate>, keeping: RecordContent | null, whole: RecordContent | null): ComparedRecord => ({ kind, id, fates: new Set(fates), then, now, keeping, whole })
  if (now === null) return then === null || !isHere(then) ? null : one(['back'], then, then)
  // An account added since is removed with its import, or stays connected; so does one that returned after an undo had left it behind.
  if (then === null || (kind === 'account' && isLeft({ removedAt: null, ...then }))) return isCovered || kind === 'account' || !isHere(now) ? null : one(['added'], null, gone(now, own, at))
  if (!isHere(then)) return isHere(now) ? one(['added'], null, isCovered ? null : { ...then, stamp: now.stamp }) : null
  const merged = (from: (group: Group) => RecordContent): RecordContent => ({ ...now, ...(isCovered || !('removedAt' in now) ? {} : { removedAt: null }), ...Object.assign({}, ...own.map((group) => pick(from(group), group))) })
  const keeping = merged((group) => (isSilent(then, group) ? now : then))
  const whole = merged(() => then)
  const fates = isHere(now) ? own.flatMap((group) => fateOfGroup(then, now, group) ?? []) : (['back'] as const)
  // Fields that the user never set, such as the label of an unlabeled account, get no new stamp.
  const orNothing = (record: RecordContent): RecordContent | null => (then.stamp === neverStamped && isDeepStrictEqual(record, now) ? null : record)
  return one(fates, orNothing(keeping), orNothing(whole))
}

const whereAny = (record: ComparedRecord | null): readonly ComparedRecord[] => (record === null ? [] : [record])

type Named = { readonly id: string; readonly content: string }

// Raw SQL of the mirror, whose records these are: the benchmark `mirror` measures it.
const allSql = contentsOf(`SELECT @user, entity, id FROM (${everything}) WHERE entity = @kind`)
const oneSql = contentsOf('SELECT @user, @kind, @id')

const selectRemoved = perConnection(({ orm }: Reader) =>
  orm.select({ id: pairEdits.pairId }).from(pairEdits).where(and(eq(pairEdits.userId, sql.placeholder('user')), eq(pairEdits.pairId, sql.placeholder('id')), isNotNull(pairEdits.removedAt))).prepare(),
)

/** Every record of these kinds in either journal; records that are removed get the time `at` (UTC ms). */
export function* comparedRecords({ userId: user, then, now }: Journals, kinds: readonly WholeKind[], at: number): Generator<ComparedRecord> {
  const known = and(eq(accounts.userId, user), eq(accounts.key, sql.placeholder('id')))
  // Whichever computer has its login.
  const connected = now.orm.select({ key: accounts.key }).from(accounts).where(and(known, isNull(accounts.removedAt), notLike(accounts.key, 'file:%'))).prepare()
  const account = now.orm.select({ key: accounts.key }).from(accounts).where(known).prepare()
  const contentIn = (reader: Reader, kind: WholeKind, id: string): RecordContent | null => {
    const row = query<{ content: string | null }>(reader, oneSql).get({ user, kind, id })
    return row?.content ? (JSON.parse(row.content) as RecordContent) : null
  }
  for (const kind of kinds) {
    const compare = (id: string, was: RecordContent | null, is: RecordContent | null): ComparedRecord | null => {
      // Whether an entered trade is in view depends on its edit.
      if (kind === 'trade' && selectRemoved(was === null ? now : then).get({ user, id }) !== undefined) return null
      const isCovered = kind === 'account' ? connected.get({ id }) !== undefined : kind === 'finance' && account.get({ id }) !== undefined
      return compareRecord({ kind, id, then: was, now: is, at, isCovered })
    }
    const [inThen, inNow] = [then, now].map((reader) => query<Named>(reader, allSql).all({ user, kind }))
    for (const { id, content } of inThen ?? []) yield* whereAny(compare(id, JSON.parse(content) as RecordContent, contentIn(now, kind, id)))
    for (const { id, content } of inNow ?? []) if (contentIn(then, kind, id) === null) yield* whereAny(compare(id, null, JSON.parse(content) as RecordContent))
  }
}

/** A fill that the backup has without its imports; `isLost` if the journal no longer has it without its own imports, for example after another computer undid the import. */
export type ComparedFill = { readonly account: AccountKey; readonly id: string; readonly source: FillSource; readonly isLost: boolean }

/** A journal's fills as they are without imports, those that meet a condition. */
const fillsWithoutImports = ({ orm }: Reader, userId: string, meets: (of: Pick<typeof fills | typeof baseFills, 'account' | 'id'>) => SQL | undefined = () => undefined) => {
  const base = orm.select({ id: baseFills.id }).from(baseFills).where(and(eq(baseFills.userId, fills.userId), eq(baseFills.account, fills.account), eq(baseFills.id, fills.id)))
  return unionAll(
    orm.select({ account: fills.account, id: fills.id, source: fills.source }).from(fills).where(and(eq(fills.userId, userId), notExists(base), meets(fills))),
    orm.select({ account: baseFills.account, id: baseFills.id, source: sql<FillSource>`${baseFills.base} ->> 'source'` }).from(baseFills).where(and(eq(baseFills.userId, userId), isNotNull(baseFills.base), meets(baseFills))),
  )
}

/** Every fill that the backup has without its imports. */
export function* comparedFills({ userId, then, now }: Journals): Generator<ComparedFill> {
  const known = fillsWithoutImports(now, userId, (of) => and(eq(of.account, sql.placeholder('account')), eq(of.id, sql.placeholder('id')))).prepare()
  for (const { account, id, source } of eachRow(then, fillsWithoutImports(then, userId))) yield { account, id, source, isLost: known.get({ account, id }) === undefined }
}

/** An import or a report that only one of the journals has. Data fetched from the broker since stays. */
export type ComparedThing = { readonly of: 'import' | 'report'; readonly id: string; readonly fate: 'back' | 'added' }

/** Active imports and reports that only one of the journals has. */
export function* comparedThings({ userId, then, now }: Journals): Generator<ComparedThing> {
  const lists = {
    import: ({ orm }: Reader) => orm.select({ id: imports.id }).from(imports).where(and(eq(imports.userId, userId), eq(imports.state, 'standing'))).all(),
    report: ({ orm }: Reader) => orm.select({ id: reports.id }).from(reports).where(eq(reports.userId, userId)).all(),
  }
  const ofBroker = importsOfHistory(now, userId)
  for (const list of ['import', 'report'] as const) {
    const [was, is] = [then, now].map((reader) => new Set(lists[list](reader).map(({ id }) => id))) as [Set<string>, Set<string>]
    for (const id of was) if (!is.has(id)) yield { of: list, id, fate: 'back' }
    for (const id of is) if (!was.has(id) && !(list === 'import' && ofBroker.has(id))) yield { of: list, id, fate: 'added' }
  }
}
