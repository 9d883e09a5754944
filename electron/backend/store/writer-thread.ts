import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { workerData } from 'node:worker_threads'
import { killAtBarrier, type Barrier, type BarrierName } from './barrier.ts'
import { atomically, openDatabase, writerOf } from './database.ts'
import type { JournalPlace } from './journal.ts'
import { journalServer } from './journal-server.ts'
import { forgetIncoming } from './imports.ts'
import { migrate, type Migrated } from './migrate.ts'
import { putBack, type PutBackStep } from './put-back.ts'
import { settleLeftovers } from './settle-leftovers.ts'
import { takeSoleUse } from './sole-use.ts'
import { deriveLeftovers } from './stale-batches.ts'
import { runThread } from './thread-body.ts'
import { writesOf } from './writes.ts'

const { file, migrationsFolder, backupFolder, killAt, hook } = workerData as JournalPlace

/** What was done before the journal was open: `unsettled` are users whose imports could not be put together, `aside` is where a damaged journal lies in whose place a backup was put. */
export type WriterReport = Migrated & { readonly unsettled: number; readonly aside: string | null }

await runThread<WriterReport>(async () => {
  const barrier = hook === undefined ? killAtBarrier<BarrierName>(killAt) : ((await import(hook)) as { barrier: Barrier }).barrier
  mkdirSync(dirname(file), { recursive: true })
  // First of all: nobody else has the file open when another is put in its place.
  const soleUse = takeSoleUse(file)
  const aside = putBack(file, backupFolder, killAtBarrier<PutBackStep>(killAt))
  const database = openDatabase(file)
  const migrated = migrate(database, migrationsFolder, backupFolder)
  const taking = { writer: writerOf(database), barrier }
  atomically(taking.writer, () => {
    forgetIncoming(taking.writer)
  })
  const unsettled = await settleLeftovers(taking)
  await deriveLeftovers(taking)
  return {
    server: journalServer(writesOf(taking)),
    report: { ...migrated, unsettled, aside },
    close: () => {
      try {
        database.pragma('optimize')
      } catch {
        // It only makes the next start's questions faster, and a damaged journal refuses it.
      }
      database.close()
      soleUse.giveBack()
    },
  }
})
