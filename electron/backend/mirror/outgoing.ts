import type { ContentOf, MirrorEntity } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { hasBaseFill } from '../fills/base-fills.ts'
import { dayOf, type DayFields, type DayStamps } from '../notes/day-notes.ts'
import { editFields, editOf, type StoredEditField, type EditFields, type EditStamps } from '../notes/edits.ts'
import { accountOfFill, placeOfFill } from '../db/outbox.ts'

/** Approximate bytes of records in one push. */
const bytesAtOnce = 4_000_000

/** A record's JSON, including those built field by field; null if its row is gone. */
export const contentOf = (reader: Reader, userId: string, { entity, id, content }: Pick<WaitingRow, 'entity' | 'id' | 'content'>): string | null => {
  if (entity === 'edit') {
    const { fields, stamps } = editOf(reader, userId, id)
    return JSON.stringify(editContent(fields, stamps))
  }
  if (entity !== 'day') return content
  const { fields, stamps } = dayOf(reader, userId, id)
  return JSON.stringify(dayContent(fields, stamps))
}

/** An edit's mirror record: every field that was ever changed. */
const editContent = (fields: EditFields, stamps: EditStamps): ContentOf<'edit'> => {
  const changed: (readonly [StoredEditField, { readonly value: unknown; readonly stamp: Stamp }])[] = []
  for (const field of editFields) {
    const stamp = stamps[field]
    if (stamp === undefined || (field === 'place' && (fields.place === null || fields.place === 'null'))) continue
    changed.push([field, { value: field === 'tags' || field === 'drawings' || field === 'place' ? (JSON.parse(fields[field] ?? 'null') as unknown) : fields[field], stamp }])
  }
  return Object.fromEntries(changed) as ContentOf<'edit'>
}

/** A day's mirror record: every field that was ever changed. */
const dayContent = ({ notes, tags }: DayFields, stamps: DayStamps): ContentOf<'day'> => ({
  ...(stamps.notes === undefined ? {} : { notes: { value: notes, stamp: stamps.notes } }),
  ...(stamps.tags === undefined ? {} : { tags: { value: JSON.parse(tags) as string[], stamp: stamps.tags } }),
})

// A base fill that is not among the journal's fills here may exist on another computer: it is not gone.
const isGone = (reader: Reader, userId: string, { entity, id }: WaitingRow): boolean => entity === 'pair' || (entity === 'fill' && !hasBaseFill(reader, userId, placeOfFill(reader, userId, id)))

/** A record as JSON; null if its row is gone. Only a fill pair, and a fill that no source has any more, can be sent as removed. */
const recordOf = (reader: Reader, userId: string, row: WaitingRow): string | null => {
  const content = contentOf(reader, userId, row) ?? (isGone(reader, userId, row) ? 'null' : null)
  return content === null ? null : `{"entity":"${row.entity}","id":${JSON.stringify(row.id)},"content":${content}}`
}

/**
 * The next records to send, those that have waited longest first, as the JSON of an array of `MirrorRecord`: at most
 * `limit`, and about 4 MB. `seqs` are the entries for `recordPushed` to remove; with `after`, only entries after that
 * seq, so that the next batch can be read while one is being sent.
 */
export const outgoing = (reader: Reader, { userId, limit, after = 0 }: OfUser & { readonly limit: number; readonly after?: number }): { readonly seqs: readonly number[]; readonly records: Uint8Array } => {
  const seqs: number[] = []
  const texts: string[] = []
  let bytes = 0
  for (const row of waitingRows(reader, userId, after, limit)) {
    const text = recordOf(reader, userId, row)
    const length = text === null ? 0 : Buffer.byteLength(text)
    if (texts.length > 0 && bytes + length > bytesAtOnce) break
    bytes += length
    seqs.push(row.seq)
    if (text !== null) texts.push(text)
  }
  return { seqs, records: new TextEncoder().encode(`[${texts.join(',')}]`) }
}

/** A kind of record whose content SQLite writes as JSON. Edits are built by `editContent`, days by `dayContent`. */
type RowEntity = Exclude<MirrorEntity, 'edit' | 'day'>

type Source = {
  /** The row for a name in the outbox. */
  readonly rows: string
  readonly content: string
}

/** The source of each field: a column or an expression. */
const object = (fields: Readonly<Record<string, string>>): string => `json_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`).join(', ')})`
const flag = (column: string): string => `json(iif(${column}, 'true', 'false'))`
const before = "substr(entity_id, 1, instr(entity_id, '/') - 1)"
const behind = "substr(entity_id, instr(entity_id, '/') + 1)"

const facts = {
  accountId: 'account_id', symbol: 'symbol', date: 'date', tradingDay: 'trading_day', side: 'side', qty: 'qty', tickSize: 'tick_size',
  entryPrice: 'entry_price', exitPrice: 'exit_price', entryTime: 'entry_time', exitTime: 'exit_time', gross: 'gross', commission: 'commission', net: 'net',
  currency: 'currency', platform: 'platform', tripId: 'trade_id', multiplierSource: 'multiplier_source', feeSource: 'fee_source', warnings: 'json(warnings)',
}
const pair = { ...facts, otherFees: 'json(other_fees)' }

const sources: Readonly<Record<RowEntity, Source>> = {
  profile: { rows: 'profiles AS row WHERE row.id = outbox.user_id', content: object({ timeZone: 'time_zone' }) },
  account: {
    rows: 'accounts AS row WHERE row.user_id = outbox.user_id AND row.key = entity_id',
    content: object({
      environment: 'environment', brokerAccountId: 'broker_account_id', name: 'name', loginName: 'login_name',
      connectedAt: 'connected_at', removedAt: 'removed_at', copyOf: 'copy_of', stamp: 'stamp',
    }),
  },
  balance: { rows: 'accounts AS row WHERE row.user_id = outbox.user_id AND row.key = entity_id', content: object({ balance: 'balance', currency: 'currency', balanceAt: 'balance_at' }) },
  spec: {
    rows: 'specs AS row WHERE row.user_id = outbox.user_id AND row.contract = entity_id',
    content: object({
      root: 'root', rootIsWhole: flag('root_is_whole'), currency: 'currency', tickSize: 'tick_size',
      tickValue: object({ num: 'tick_value_num', den: 'tick_value_den' }), feePerSide: 'fee_per_side', source: 'source', rounding: 'rounding',
    }),
  },
  contract: {
    rows: `contracts AS row WHERE row.user_id = outbox.user_id AND row.environment = ${before} AND row.broker_contract_id = ${behind}`,
    content: object({ contract: 'contract' }),
  },
  commission: {
    rows: "commission_rates AS row WHERE row.user_id = outbox.user_id AND row.scope || '/' || row.product || '/' || row.of = entity_id",
    content: object({ scope: 'scope', of: 'of', product: 'product', perSide: 'per_side', currency: 'currency', stamp: 'stamp' }),
  },
  point: { rows: 'point_values AS row WHERE row.user_id = outbox.user_id AND row.product = entity_id', content: object({ amount: 'amount', currency: 'currency', stamp: 'stamp' }) },
  finance: {
    rows: 'finances AS row WHERE row.user_id = outbox.user_id AND row.id = entity_id',
    content: object({
      type: 'type', amount: 'amount', date: 'date', name: 'name', balance: 'balance', currency: 'currency', platform: 'platform',
      firm: 'firm', removedAt: 'removed_at', stamp: 'stamp', category: 'category', account: 'account', note: 'note',
    }),
  },
  picture: { rows: 'pictures AS row WHERE row.user_id = outbox.user_id AND row.name = entity_id', content: object({ type: 'type', bytes: 'bytes' }) },
  removal: { rows: 'removed_fills AS row WHERE row.user_id = outbox.user_id AND row.name = entity_id', content: object({ removed: flag('removed'), stamp: 'stamp' }) },
  fill: {
    rows: `fills AS row WHERE row.user_id = outbox.user_id AND row.account = ${accountOfFill} AND row.id = substr(entity_id, length(${accountOfFill}) + 2)`,
    content: object({
      account: 'account', contract: 'contract', time: 'time', side: 'side', qty: 'qty', price: 'price', tickSize: 'tick_size', fee: 'fee',
      active: flag('active'), source: 'source', orderId: 'order_id', contractId: 'broker_contract_id', tradeDate: 'trade_date', otherFees: 'json(other_fees)',
    }),
  },
  trade: { rows: "fill_pairs AS row WHERE row.user_id = outbox.user_id AND row.id = entity_id AND row.origin = 'manual'", content: object({ ...facts, account: 'account', stamp: 'stamp' }) },
  stop: { rows: 'default_stops AS row WHERE row.user_id = outbox.user_id AND row.product = entity_id', content: object({ distance: 'distance', unit: 'unit', stamp: 'stamp' }) },
  rules: {
    rows: 'account_rules AS row WHERE row.user_id = outbox.user_id AND row.account = entity_id',
    content: object({ set: 'json(rules)', presetId: 'preset_id', since: 'since', stageByHand: 'stage', stamp: 'stamp' }),
  },
  pair: { rows: "fill_pairs AS row WHERE row.user_id = outbox.user_id AND row.id = entity_id AND row.origin = 'synced'", content: object(pair) },
}

const contents = Object.entries(sources).map(([entity, { rows, content }]) => `WHEN '${entity}' THEN (SELECT ${content} FROM ${rows})`)

/** The content of every name in `names`, a query of kinds and ids over `@user`. */
export const contentsOf = (names: string): string =>
  `WITH outbox (user_id, entity, entity_id) AS (${names}) SELECT entity, entity_id AS id, CASE entity ${contents.join(' ')} END AS content FROM outbox`

/** The names and contents of all fills without a row in `base_fills`, batch by batch. */
export const fillsWithoutBase = `SELECT account || '/' || id AS id, ${sources.fill.content} AS content FROM fills AS row WHERE user_id = ?
  AND NOT EXISTS (SELECT 1 FROM base_fills AS base WHERE base.user_id = row.user_id AND base.account = row.account AND base.id = row.id) ORDER BY account, contract, local_date`

// The plus makes SQLite use the order of the numbers. Raw SQL in this file: the benchmark `mirror` sends all records with it.
const waiting = `SELECT seq, entity, entity_id AS id, CASE entity ${contents.join(' ')} END AS content
  FROM outbox WHERE +user_id = ? AND +set_aside = 0 AND seq > ? ORDER BY seq LIMIT ?`

/** A name in the outbox and its content as JSON; null if there is no row, and for an edit and a day. */
export type WaitingRow = { readonly seq: number; readonly entity: MirrorEntity; readonly id: string; readonly content: string | null }

/** The first names after a number of the outbox, in order. */
const waitingRows = (reader: Reader, userId: string, after: number, limit: number): WaitingRow[] => query<WaitingRow>(reader, waiting).all(userId, after, limit)

/** The derived pairs with these ids, by id. */
export const pairContents = (reader: Reader, userId: string, ids: readonly string[]): Map<string, ContentOf<'pair'>> => {
  const sql = `SELECT row.id, ${object(pair)} AS content FROM json_each(?) AS wanted CROSS JOIN fill_pairs AS row ON row.user_id = ? AND row.id = wanted.value WHERE origin = 'synced'`
  const rows = query<{ id: string; content: string }>(reader, sql).all(JSON.stringify(ids), userId)
  return new Map(rows.map(({ id, content }) => [id, JSON.parse(content) as ContentOf<'pair'>]))
}
