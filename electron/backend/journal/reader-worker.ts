import { closeReader, openReader } from '../db/database.ts'
import { journalServer, runThread } from './journal-thread.ts'
import { readsOf } from './reads.ts'

runThread<null>(({ file }) => {
  const reader = openReader(file)
  return Promise.resolve({ server: journalServer(readsOf(reader)), report: null, close: () => { closeReader(reader) } })
})
