import { contractSpecOf, specInTicks } from '#shared/market/contract-spec.ts'
import { mirrorParts, type MirrorRecord } from '#shared/mirror/record.ts'
import { atomically, change } from '../db/database.ts'
import { forgetImport, knowUndone, letStand, noteUnsettled } from '../imports/queries.ts'
import type { JournalFileWrites } from './journal-file-calls.ts'
import { filedFills } from '../fills/meet-fills.ts'
import { mergeRecords } from '../mirror/mirror-taken.ts'
import { noteChange } from '../mirror/outbox.ts'
import { settleImports } from '../imports/settle-imports.ts'
import { keptSpec } from '../fills/specs.ts'
import type { Taking } from '../fills/take-fills.ts'

type Call<Name extends keyof JournalFileWrites> = (taking: Taking, ...input: Parameters<JournalFileWrites[Name]>) => ReturnType<JournalFileWrites[Name]>

/**
 * Whether a record of a file is believed: what a contract of a known product is worth is the table's, whatever a file says
 * that anybody can have written. Better figures come from the broker itself, or from its pairs in imports.
 */
const isBelieved = (record: MirrorRecord): boolean => {
  if (record.entity !== 'spec') return true
  const table = contractSpecOf(record.id)
  if (table.source !== 'table' || !table.rootIsWhole) return true
  const { currency, tickSize, tickValue } = record.content
  const worth = specInTicks(table, tickSize)?.tickValue
  return currency === table.currency && worth?.num === tickValue.num && worth.den === tickValue.den
}

/** `mergeJournalFile` of the journal. The cloud is told what the file said, since it may never have heard of it. */
export const mergeJournalFile: Call<'mergeJournalFile'> = async (taking, { userId, at, records: filed, importedSpecs }) => {
  const { writer } = taking
  const records = filed.filter(isBelieved)
  const ours = importedSpecs.filter((contract) => keptSpec(writer, userId, contract) === null)
  const mirrored: readonly string[] = [...mirrorParts.ground, ...mirrorParts.rest.filter((kind) => kind !== 'fill')]
  await mergeRecords(taking, { userId, at, records, meeting: () => filedFills, settlesLater: true }, () => {
    for (const { entity, id } of records) if (mirrored.includes(entity)) noteChange(writer, userId, at, entity, id)
    const note = change(writer, 'INSERT OR IGNORE INTO imported_specs (user_id, contract) VALUES (?, ?)')
    for (const contract of ours) if (keptSpec(writer, userId, contract) !== null) note.run(userId, contract)
  })
}

/** `endJournalFile` of the journal. Where the imports cannot be put together they are forgotten again: a journal that holds them would not open. */
export const endJournalFile: Call<'endJournalFile'> = async (taking, { userId, at, standing, undone }) => {
  const { writer } = taking
  atomically(writer, () => {
    for (const importId of standing) letStand(writer, userId, importId)
    for (const one of undone) knowUndone(writer, userId, one)
    noteUnsettled(writer, userId, at)
  })
  try {
    return await settleImports(taking, { userId, at })
  } catch (error) {
    atomically(writer, () => {
      for (const importId of standing) forgetImport(writer, userId, importId)
      noteUnsettled(writer, userId, at)
    })
    await settleImports(taking, { userId, at }).catch(() => undefined)
    throw error
  }
}
