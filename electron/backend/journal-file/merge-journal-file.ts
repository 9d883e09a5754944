import { contractSpecOf, specInTicks } from '#shared/market/contract-spec.ts'
import type { ImportLine } from '#shared/mirror/journal-file.ts'
import { mirrorParts, type MirrorRecord } from '#shared/mirror/record.ts'
import { atomically } from '../db/database.ts'
import type { At, OfUser, Settled } from '../db/rows.ts'
import { importedSpecs as specTable } from '../db/schema/imports.ts'
import { deleteImport, recordUndone, activateImport, markUnsettled } from '../imports/queries.ts'
import { journalFileRules } from '../fills/merge-rules.ts'
import { mergeRecords } from '../mirror/merge-pulled.ts'
import { queueChange } from '../db/outbox.ts'
import { settleImports } from '../imports/settle-imports.ts'
import { keptSpec } from '../fills/specs.ts'
import type { WriteContext } from '../db/barrier.ts'

/**
 * Whether to accept a record of a file: the figures of a contract of a known product are the table's, because anyone
 * could have written the file. Better figures come from the broker itself, or from its pairs in imports.
 */
const isBelieved = (record: MirrorRecord): boolean => {
  if (record.entity !== 'spec') return true
  const table = contractSpecOf(record.id)
  if (table.source !== 'table' || !table.rootIsWhole) return true
  const { currency, tickSize, tickValue } = record.content
  const worth = specInTicks(table, tickSize)?.tickValue
  return currency === table.currency && worth?.num === tickValue.num && worth.den === tickValue.den
}

/**
 * Merges records of a journal file by the mirror's rules: fields and records by stamp, balances by age, fills and
 * figures by source. `importedSpecs` are contracts whose figures only the file's imports have. The changes go to the
 * outbox, since the cloud may not have them. After a crash before `endJournalFile`, what was merged stays; importing
 * the same file again completes it.
 */
export const mergeJournalFile = async (context: WriteContext, { userId, at, records: filed, importedSpecs }: OfUser & At & { readonly records: readonly MirrorRecord[]; readonly importedSpecs: readonly string[] }): Promise<void> => {
  const { writer } = context
  const records = filed.filter(isBelieved)
  const ours = importedSpecs.filter((contract) => keptSpec(writer, userId, contract) === null)
  const mirrored: readonly string[] = [...mirrorParts.ground, ...mirrorParts.rest.filter((kind) => kind !== 'fill')]
  await mergeRecords(context, { userId, at, records, mergeRules: () => journalFileRules, settlesLater: true }, () => {
    for (const { entity, id } of records) if (mirrored.includes(entity)) queueChange(writer, userId, at, entity, id)
    for (const contract of ours) if (keptSpec(writer, userId, contract) !== null) writer.orm.insert(specTable).values({ userId, contract }).onConflictDoNothing().run()
  })
}

/**
 * Activates the new imports, marks those that were undone elsewhere (an active one here is undone), and settles all
 * fills once. If the imports cannot be settled they are deleted again, because a journal with them would not open.
 */
export const endJournalFile = async (context: WriteContext, { userId, at, standing, undone }: OfUser & At & { readonly standing: readonly string[]; readonly undone: readonly (ImportLine & { readonly undoneAt: number })[] }): Promise<Settled> => {
  const { writer } = context
  atomically(writer, () => {
    for (const importId of standing) activateImport(writer, userId, importId)
    for (const one of undone) recordUndone(writer, userId, one)
    markUnsettled(writer, userId, at)
  })
  try {
    return await settleImports(context, { userId, at })
  } catch (error) {
    atomically(writer, () => {
      for (const importId of standing) deleteImport(writer, userId, importId)
      markUnsettled(writer, userId, at)
    })
    await settleImports(context, { userId, at }).catch(() => undefined)
    throw error
  }
}
