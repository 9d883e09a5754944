import { killAtBarrier } from '#backend/db/barrier.ts'
import { openDatabase } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import type { MigrateOrder } from './migrate-order.ts'

// The body of a process that is made to be killed: it migrates a journal to the newest version, with migrations that report their progress.
const { file, migrations, backups, killAt } = JSON.parse(process.env['MIGRATE_ORDER'] ?? '') as MigrateOrder
const pass = killAtBarrier<'statement'>(killAt)
const database = openDatabase(file)
database.function('pass', () => {
  pass('statement')
  return null
})
migrate(database, migrations, backups)
database.close()
