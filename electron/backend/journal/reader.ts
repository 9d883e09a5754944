import { closeReader, openReader } from '../db/database.ts'
import type { JournalPaths } from './journal.ts'
import { journalServer, type Opened } from './journal-thread.ts'
import { readsOf } from './reads.ts'

/** Opens the journal to read; the writer has migrated it. */
export const openReading = ({ file }: Pick<JournalPaths, 'file'>): Promise<Opened<null>> => {
  const reader = openReader(file)
  return Promise.resolve({ server: journalServer(readsOf(reader)), report: null, close: () => { closeReader(reader) } })
}
