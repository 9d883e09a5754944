import { atomically, closeReader, openDatabase, openSnapshot, writerOf } from '#backend/store/database.ts'
import type { Barrier } from '#backend/store/barrier.ts'
import { deriveLeftovers } from '#backend/store/derive/stale-batches.ts'
import { forgetIncoming } from '#backend/store/imports/imports.ts'
import { settleLeftovers } from '#backend/store/imports/settle-leftovers.ts'
import type { JournalCalls, WholeJournal } from '#backend/store/journal.ts'
import { wholeJournal } from '#backend/store/mirror/whole-journal.ts'
import { readsOf } from '#backend/store/reads.ts'
import { writesOf } from '#backend/store/writes.ts'
import { callsOf } from '../helpers/mirror-device.ts'

/** Opens a journal on this thread, as the program does at its start. */
export const openHistoryJournal = async (file: string, barrier: Barrier): Promise<JournalCalls & WholeJournal & { readonly close: () => void }> => {
  const database = openDatabase(file)
  database.pragma('synchronous = OFF')
  const writer = writerOf(database)
  const taking = { writer, barrier }
  atomically(writer, () => { forgetIncoming(writer) })
  await settleLeftovers(taking)
  await deriveLeftovers(taking)
  return {
    ...callsOf({ read: readsOf(writer), write: writesOf(taking), writer, file }),
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
