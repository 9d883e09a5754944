import { atomically, closeReader, openDatabase, openSnapshot, writerOf } from '#backend/db/database.ts'
import type { Barrier } from '#backend/db/barrier.ts'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { deleteUnfinishedImports } from '#backend/imports/queries.ts'
import { settleLeftovers } from '#backend/imports/settle-leftovers.ts'
import type { JournalCalls, WholeJournal } from '#backend/journal/journal.ts'
import { wholeJournal } from '#backend/journal-file/whole-journal.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { callsOf } from '../helpers/mirror-device.ts'

/** Opens a journal on this thread, as the program does at its start. */
export const openHistoryJournal = async (file: string, barrier: Barrier): Promise<JournalCalls & WholeJournal & { readonly close: () => void }> => {
  const database = openDatabase(file)
  database.pragma('synchronous = OFF')
  const writer = writerOf(database)
  const context = { writer, barrier }
  atomically(writer, () => { deleteUnfinishedImports(writer) })
  await settleLeftovers(context)
  await deriveLeftovers(context)
  return {
    ...callsOf({ read: readsOf(writer), write: writesOf(context), writer, file }),
    whole: async function* ({ userId }) {
      await Promise.resolve()
      const reader = openSnapshot(file)
      try {
        for (const line of wholeJournal(reader, userId)) yield Buffer.from(`${line}\n`)
      } finally {
        closeReader(reader)
      }
    },
    close: () => { database.close() },
  }
}
