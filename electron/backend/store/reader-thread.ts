import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { closeReader, openReader } from './database.ts'
import type { JournalPlace } from './journal.ts'
import { journalServer } from './journal-server.ts'
import { readsOf } from './reads.ts'
import { runThread } from './thread-body.ts'

const { file } = workerData as JournalPlace

// The writer brings the file up to date first.
if (parentPort !== null) await once(parentPort, 'message')

await runThread<null>(() => {
  const reader = openReader(file)
  return Promise.resolve({ server: journalServer(readsOf(reader)), report: null, close: () => { closeReader(reader) } })
})
