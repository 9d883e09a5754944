import { closeReader, openReader } from '../db/database.ts'
import { journalServer } from './journal-server.ts'
import { readsOf } from './reads.ts'
import { runThread } from './journal-thread.ts'

runThread<null>(({ file }) => {
  const reader = openReader(file)
  return Promise.resolve({ server: journalServer(readsOf(reader)), report: null, close: () => { closeReader(reader) } })
})
