import type { AccountKey } from '#shared/fills/fill.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { mirrorParts, type ContentOf, type MirrorEntity, type MirrorRecord } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Amount } from '#shared/money/money.ts'
import { reprice, type Ticks } from '#shared/money/price.ts'
import { atomically, change, type Writer } from '../db/database.ts'
import type { KeptFill } from '../fills/fill-rows.ts'
import { takeAway } from '../fills/gone-fills.ts'
import { mirroredFills, type MergeRules, type CloudFills } from '../fills/merge-rules.ts'
import { expectAccount, mergeAccount, mergeBalance, mergeContract, mergeProfile, mergeSpec, type Merging } from './merge-ground.ts'
import { mergeCommission, mergeDay, mergePoint, mergeStop } from './merge-own.ts'
import { comparePairs, isRefused, mergeEdit, mergeFinance, mergePicture, mergeRemovals, mergeTrade, type CountedRemovals } from './merge-rest.ts'
import { joiningAccounts } from '../imports/import-accounts.ts'
import { noteJoining } from '../imports/settle-imports.ts'
import { mergeRules } from '../rules/queries.ts'
import { specOf } from '../fills/specs.ts'
import { observeStamps } from '../db/stamps.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { takePrepared, type PreparedFills } from '../fills/take-fills.ts'
import type { Taking } from '../db/barrier.ts'
import { zoneOf } from '../db/zone.ts'
import type { ChangedRecord, Proof } from './rows.ts'
import type { At, OfUser } from '../db/rows.ts'

type RecordOf<E extends MirrorEntity> = { readonly id: string; readonly content: ContentOf<E> }

/** A fill of the mirror: its name and content. */
export type MirroredFill = { readonly id: string; readonly content: NonNullable<ContentOf<'fill'>> }

/** Merges one record of a kind that is merged record by record. */
const merges: { readonly [E in Exclude<MirrorEntity, 'removal' | 'fill' | 'pair'>]: (merging: Merging, id: string, came: ContentOf<E>) => void } = {
  ...{ profile: mergeProfile, account: mergeAccount, balance: mergeBalance, spec: mergeSpec, contract: mergeContract },
  ...{ finance: mergeFinance, picture: mergePicture, trade: mergeTrade, edit: mergeEdit },
  ...{ commission: mergeCommission, point: mergePoint, day: mergeDay, stop: mergeStop, rules: mergeRules },
}

/** Merges one record into the journal, in the caller's transaction; ignores fills and pairs. */
export const mergeRecord = <E extends keyof typeof merges>(merging: Merging, entity: E, id: string, content: ContentOf<E>): void => {
  const merge = merges[entity] as (merging: Merging, id: string, came: ContentOf<E>) => void
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

/** Converts fills to the ticks and dates of this journal. Skips a fill whose price is between two ticks of its contract. */
export const prepareMirrored = (writer: Writer, userId: string, fills: readonly MirroredFill[]): PreparedFills => {
  const zone = zoneOf(writer, userId)
  const tickSizes = new Map<string, string>()
  const accounts = new Map<AccountKey, Map<string, KeptFill>>()
  for (const { id: name, content } of fills) {
    const { account: key, tickSize, otherFees, ...fill } = content
    const account = key as AccountKey
    const ticks = tickSizes.get(fill.contract) ?? specOf(writer, userId, fill.contract).tickSize
    tickSizes.set(fill.contract, ticks)
    const price = reprice(fill.price as Ticks, tickSize, ticks)
    if (price === null) continue
    const id = name.slice(key.length + 1)
    const ofAccount = accounts.get(account) ?? new Map<string, KeptFill>()
    accounts.set(account, ofAccount)
    ofAccount.set(id, { ...fill, ...(otherFees === null ? {} : { otherFees: otherFees as unknown as KeptFill['otherFees'] }), id, account, price, fee: fill.fee as Amount | null, localDate: localDate(fill.time, zone) })
  }
  return { accounts, tickSizes, zone }
}

type Place = OfUser & { readonly journal: string | null; readonly cursor: number | null; readonly proof?: Proof | null }

const keepPlace = (writer: Writer, { userId, journal, cursor, proof = null }: Place): void => {
  if (journal === null && cursor === null) return
  const moves = '@cursor IS NOT NULL OR mirrors.journal IS NOT excluded.journal'
  const sql = `INSERT INTO mirrors (user_id, journal, cursor, hashes, hashes_at) VALUES (@userId, @journal, COALESCE(@cursor, 0), iif(@cursor IS NULL, NULL, @hashes), iif(@cursor IS NULL, NULL, @head))
    ON CONFLICT (user_id) DO UPDATE SET cursor = iif(${moves}, excluded.cursor, mirrors.cursor), hashes = iif(${moves}, excluded.hashes, mirrors.hashes),
      hashes_at = iif(${moves}, excluded.hashes_at, mirrors.hashes_at), journal = excluded.journal`
  // An older cloud has no removals.
  if (proof !== null) change(writer, "UPDATE outbox SET set_aside = 0 WHERE user_id = ? AND entity = 'removal' AND set_aside = 1").run(userId)
  change(writer, sql).run({ userId, journal, cursor, hashes: proof?.hashes ?? null, head: proof?.head ?? null })
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
export const mergeRecords = async (taking: Taking, { userId, at, records, mergeRules, settlesLater = false, standing }: MergeOrder, last: (merging: Merging) => void): Promise<void> => {
  const { writer } = taking
  const merging: Merging = { writer, userId, at }
  const { fills, prepared } = atomically(writer, () => {
    observeStamps(writer, records.flatMap(stampsOf))
    mergeRemovals(taking, merging, ofKind(records, 'removal'))
    const all = ofKind(records, 'fill').filter((fill) => standing === undefined || !isRefused(merging, fill, standing))
    const fills = all.flatMap(({ id, content }): MirroredFill[] => (content === null ? [] : [{ id, content }]))
    const gone = all.flatMap(({ id, content }) => (content === null ? [id] : []))
    mergeEach(merging, records, mirrorParts.ground)
    for (const account of new Set(fills.map(({ content }) => content.account))) expectAccount(merging, account)
    takeAway(taking, { userId, at, names: gone })
    return { fills, prepared: prepareMirrored(writer, userId, fills) }
  })
  const incoming = new Map(fills.map(({ id, content }) => [id, content]))
  await takePrepared(taking, { userId, at, fills: prepared, mergeRules: mergeRules(incoming), settlesLater })
  atomically(writer, () => {
    mergeEach(merging, records, mirrorParts.rest.filter((kind) => kind !== 'fill'))
    last(merging)
    noteJoining(writer, userId, at)
  })
  await deriveStale(taking, userId, at)
}

/**
 * Merges one page of the cloud's changes: fields and records by stamp (on a tie the cloud's wins), balances by age,
 * fills and figures by source, and derives what that changes. Local values that win go to the outbox. Pairs are
 * compared with those derived here: equal ones are removed from the outbox. `cursor`, if given, is saved with the page,
 * in its last step, together with the proof of where the pages lead; without `journal` and `cursor`, the place stays.
 * Fills are merged in groups like in `takeFills`; after an interruption, the same page can be merged again. Accounts that
 * join are recomputed as a whole, which is left to the end of the pull: a page without records.
 */
export const mirrorTaken = async (taking: Taking, { userId, at, records, journal, cursor, proof = null }: Place & At & { readonly records: readonly ChangedRecord[] }): Promise<void> => {
  const { writer } = taking
  const settlesLater = records.length > 0 && joiningAccounts(writer, userId).size > 0
  await mergeRecords(taking, { userId, at, records, settlesLater, standing: journal === null && cursor === null ? 'all' : 'unsent', mergeRules: (incoming) => mirroredFills(writer, userId, incoming) }, (merging) => {
    comparePairs(merging, ofKind(records, 'pair'))
    keepPlace(writer, { userId, journal, cursor, proof })
  })
}
