import type { ContentOf, MirrorEntity } from '#shared/mirror/record.ts'
import { change, query, type Reader } from '../db/database.ts'
import { isOwn } from '../fills/merge-rules.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { fillName, restoredFills } from '../fills/merge-rules.ts'
import { takeAtOnce } from '../fills/take-fills.ts'
import { saveBaseFill } from '../fills/base-fills.ts'
import { noteUnsettled, takeBack } from '../imports/queries.ts'
import { expectAccount } from '../mirror/merge-ground.ts'
import { contentsOf } from '../mirror/outgoing.ts'
import { mergeRecord, prepareMirrored, type MirroredFill } from '../mirror/mirror-taken.ts'
import { noteChange, openOutbox } from '../mirror/outbox.ts'
import { comparedFills, comparedThings } from './compare-journals.ts'
import type { Restoring } from './restore-edits.ts'

type Content = { readonly id: string; readonly content: string }

/** Restores what restored rows depend on; existing rows win. */
export const restoreGround = (restoring: Restoring): void => {
  const { writer, userId, at, then } = restoring
  const names = {
    spec: 'SELECT contract AS id FROM specs WHERE user_id = ?',
    contract: "SELECT environment || '/' || broker_contract_id AS id FROM contracts WHERE user_id = ?",
    picture: 'SELECT name AS id FROM pictures WHERE user_id = ?',
  } as const
  for (const entity of ['spec', 'contract', 'picture'] as const) {
    const known = new Set(query<{ id: string }>(writer, names[entity]).all(userId).map(({ id }) => id))
    for (const { id } of query<{ id: string }>(then, names[entity]).all(userId)) {
      if (known.has(id)) continue
      mergeRecord(restoring, entity, id, contentIn<'spec' | 'contract' | 'picture'>(then, userId, entity, id))
      noteChange(writer, userId, at, entity, id)
      copyRows(restoring, 'imported_specs', 'contract', id)
    }
  }
}

const contentIn = <E extends MirrorEntity>(reader: Reader, user: string, entity: E, id: string): ContentOf<E> =>
  JSON.parse(query<Content>(reader, contentsOf('SELECT @user, @entity, @id')).get({ user, entity, id })?.content ?? 'null') as ContentOf<E>

/** Copies a user's missing rows, of those whose `column` is `value`. */
const copyRows = ({ writer, then, userId }: Restoring, table: string, column: string, value: string): void => {
  for (const row of query<Record<string, unknown>>(then, `SELECT * FROM ${table} WHERE user_id = ? AND ${column} = ?`).iterate(userId, value)) {
    const columns = Object.keys(row)
    change(writer, `INSERT OR IGNORE INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
  }
}

const importTables = ['import_files', 'import_readings', 'import_notes', 'cash_transfers', 'history_windows'] as const

/** Reactivates imports undone since, and restores removed reports; a complete restore deletes those added since. Returns the reactivated imports. */
export const restoreThings = (restoring: Restoring): readonly string[] => {
  const { writer, userId, at, whole } = restoring
  const again: string[] = []
  for (const { of, id, fate } of comparedThings(restoring)) {
    if (of === 'report' && fate === 'back') {
      copyRows(restoring, 'reports', 'id', id)
      copyRows(restoring, 'report_members', 'report_id', id)
    } else if (of === 'report') {
      if (!whole) continue
      change(writer, 'DELETE FROM report_members WHERE user_id = ? AND report_id = ?').run(userId, id)
      change(writer, 'DELETE FROM reports WHERE user_id = ? AND id = ?').run(userId, id)
    } else if (fate === 'back') {
      copyRows(restoring, 'imports', 'id', id)
      change(writer, "UPDATE imports SET state = 'standing', undone_at = NULL WHERE user_id = ? AND id = ?").run(userId, id)
      for (const table of importTables) copyRows(restoring, table, 'import_id', id)
      again.push(id)
      noteUnsettled(writer, userId, at)
    } else if (whole && takeBack(writer, userId, at, id)) noteUnsettled(writer, userId, at)
  }
  return again
}

/** Restores fills that another computer's undone import removed, or may have removed unnoticed. */
export const restoreFills = (restoring: Restoring): void => {
  const { writer, userId, at, then, taking, whole } = restoring
  const baseOf = query<{ told: string | null }>(then, 'SELECT told FROM told_fills WHERE user_id = ? AND account = ? AND id = ?')
  // An undone import never removes this computer's own fills.
  const compared = [...comparedFills(restoring)].filter(({ source, isLost }) => isLost || !isOwn(source))
  const outbox = openOutbox(writer, userId, at)
  for (const fill of compared) if (!fill.isLost) outbox.note('fill', fillName(fill))
  outbox.flush()
  const lost = compared.filter(({ isLost }) => isLost).map(({ account, id }) => {
    const name = `${account}/${id}`
    const kept = baseOf.get(userId, account, id)?.told ?? null
    const content = kept === null ? contentIn(then, userId, 'fill', name) : (JSON.parse(kept) as NonNullable<ContentOf<'fill'>>)
    return { account, id, name, content: { ...content, otherFees: content?.otherFees ?? null } as NonNullable<ContentOf<'fill'>> }
  })
  const fills = lost.map(({ name, content }): MirroredFill => ({ id: name, content }))
  if (whole) {
    // The import that brought them may be one of those just deleted.
    const beneath = query(writer, 'SELECT 1 FROM told_fills WHERE user_id = ? AND account = ? AND id = ? AND told IS NULL')
    for (const { account, id, content } of lost) if (beneath.get(userId, account, id) !== undefined) saveBaseFill(writer, userId, account, id, { ...content, account, id, otherFees: content.otherFees ?? undefined } as unknown as PricedFill)
  }
  if (fills.length === 0) return
  for (const account of new Set(fills.map(({ content }) => content.account))) expectAccount(restoring, account)
  takeAtOnce(taking, { userId, at, fills: prepareMirrored(writer, userId, fills), mergeRules: restoredFills })
}
