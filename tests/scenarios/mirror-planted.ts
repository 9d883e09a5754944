import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { JournalCalls } from '#backend/journal/journal.ts'

/** The calls of the journal that the mirror makes. */
export type MirrorCalls = { readonly read: Pick<JournalCalls['read'], 'mirror' | 'outgoing' | 'pictures'>; readonly write: Pick<JournalCalls['write'], 'recordPushed' | 'mergePulled' | 'setRecordsAside' | 'queueBuckets' | 'resetMirror' | 'saveCloudUser' | 'resetCloudUser' | 'addPicture'> }

const inFile = (folder: string, sql: string, ...values: unknown[]): void => {
  const database = new Sqlite(join(folder, 'journal.db'))
  database.prepare(sql).run(...values)
  database.close()
}

/** Mistakes that the kill test must catch. */
export const planted: Readonly<Record<string, (calls: MirrorCalls, folder: string) => MirrorCalls>> = {
  'a batch is struck off before the cloud took it': ({ read, write }, folder) => ({
    write,
    read: {
      ...read,
      outgoing: async (input) => {
        const batch = await read.outgoing(input)
        inFile(folder, 'DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(batch.seqs))
        return batch
      },
    },
  }),
  'the place is kept before the page': ({ read, write }, folder) => ({
    read,
    write: {
      ...write,
      mergePulled: async (input) => {
        if (input.cursor !== null) inFile(folder, 'UPDATE mirrors SET journal = ?, cursor = ? WHERE user_id = ?', input.journal, input.cursor, input.userId)
        await write.mergePulled(input)
      },
    },
  }),
}
