import { workerData } from 'node:worker_threads'
import { killAtBarrier, type Barrier, type BarrierName } from './barrier.ts'
import { atomically, openDatabase, writerOf } from './database.ts'
import type { JournalPlace } from './journal.ts'
import { journalServer } from './journal-server.ts'
import { forgetIncoming } from './imports.ts'
import { migrate, type Migrated } from './migrate.ts'
import { settleLeftovers } from './settle-leftovers.ts'
import { takeSoleUse } from './sole-use.ts'
import { deriveLeftovers } from './stale-batches.ts'
import { runThread } from './thread-body.ts'
import { writesOf } from './writes.ts'

const { file, migrationsFolder, backupFolder, killAt, hook } = workerData as JournalPlace

await runThread<Migrated & { readonly unsettled: number }>(async () => {
  const barrier = hook === undefined ? killAtBarrier<BarrierName>(killAt) : ((await import(hook)) as { barrier: Barrier }).barrier
  const database = openDatabase(file)
  const soleUse = takeSoleUse(file)
  const migrated = migrate(database, migrationsFolder, backupFolder)
  const taking = { writer: writerOf(database), barrier }
  atomically(taking.writer, () => {
    forgetIncoming(taking.writer)
  })
  const unsettled = await settleLeftovers(taking)
  await deriveLeftovers(taking)
  return {
    server: journalServer(writesOf(taking)),
    report: { ...migrated, unsettled },
    close: () => {
      database.pragma('optimize')
      database.close()
      soleUse.giveBack()
    },
  }
})
