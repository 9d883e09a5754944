import type { ContentOf } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { deriveTripsOf } from '../fills/derive-contract.ts'
import type { Taking } from '../db/barrier.ts'
import type { Merging } from '../mirror/merge-ground.ts'
import { mergeRecord } from '../mirror/mirror-taken.ts'
import { noteChange } from '../mirror/outbox.ts'
import { settleNotesOfAll } from '../trades/settle-notes.ts'
import { emptyDay, writeDay, type DayFields } from '../trades/day-notes.ts'
import { emptyEdit, writeEdit, type EditFields } from '../trades/edits.ts'
import { comparedDays, comparedEdits, comparedRecords, type ComparedField, type Journals, type WholeKind } from './compare-journals.ts'

/** A running restore, in one transaction. */
export type Restoring = Journals & Merging & { readonly taking: Taking; readonly whole: boolean; readonly stamp: Stamp }

const written = <Fields extends object>(fields: readonly ComparedField<Extract<keyof Fields, string>>[], { whole }: Restoring, nothing: Fields): Partial<Fields> =>
  Object.fromEntries(
    fields.flatMap(({ field, fate, then }) => {
      if (fate !== 'added') return [[field, then]]
      // An undone removal gets the backup's value again; any other field added since becomes empty.
      return whole ? [[field, field === 'removedAt' ? then : nothing[field]]] : []
    }),
  ) as Partial<Fields>

const stamps = (fields: object, stamp: Stamp): Record<string, Stamp> => Object.fromEntries(Object.keys(fields).map((field) => [field, stamp]))

/** Restores annotations of trades. */
export const restoreEdits = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  const touched: string[] = []
  for (const { id, fields, place, isPlaced } of comparedEdits(restoring)) {
    const values: Partial<EditFields> = written<EditFields>(fields, restoring, { ...emptyEdit, place: null })
    if (Object.keys(values).length === 0) continue
    const edit = isPlaced || place === null ? values : { ...values, place }
    writeEdit(writer, userId, id, edit, stamps(edit, stamp))
    noteChange(writer, userId, at, 'edit', id)
    touched.push(id)
  }
  settle(restoring, touched)
}

const settle = ({ writer, userId, at }: Restoring, tradeIds: readonly string[]): void => {
  deriveTripsOf(writer, userId, at, settleNotesOfAll(writer, userId, tradeIds))
}

/** Restores annotations of days. */
export const restoreDays = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  for (const { id, fields } of comparedDays(restoring)) {
    const values = written<DayFields>(fields, restoring, emptyDay)
    if (Object.keys(values).length === 0) continue
    writeDay(writer, userId, id, values, stamps(values, stamp))
    noteChange(writer, userId, at, 'day', id)
  }
}

/** Merges the backup's records as if another computer had just sent them. */
export const restoreRecords = (restoring: Restoring, kinds: readonly WholeKind[]): void => {
  const { writer, userId, at, whole, stamp } = restoring
  const removed: string[] = []
  for (const record of comparedRecords(restoring, kinds, at)) {
    const { kind, id, then } = record
    const content = whole ? record.whole : record.keeping
    if (content === null) continue
    if (kind === 'trade' && then === null) {
      writeEdit(writer, userId, id, { removedAt: at }, { removedAt: stamp })
      noteChange(writer, userId, at, 'edit', id)
      removed.push(id)
      continue
    }
    mergeRecord(restoring, kind, id, { ...content, stamp } as unknown as ContentOf<WholeKind>)
    noteChange(writer, userId, at, kind, id)
  }
  settle(restoring, removed)
}
