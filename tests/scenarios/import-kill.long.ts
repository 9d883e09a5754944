/** @module-tag long */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { testFolder } from '../helpers/app.ts'
import { casesOf } from '../helpers/cases.ts'
import { cleanEnv } from '../helpers/clean-env.ts'
import { fault } from '../helpers/fault.ts'
import { journalRows, type JournalRows } from '../helpers/journal-rows.ts'
import { programFile } from '../helpers/program.ts'
import { words } from '../helpers/words.ts'
import { migrationsFolder, type ImportOrder } from './import-order.ts'

const fills = 12_000
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const start = async (order: ImportOrder): Promise<string> => {
  const child = spawn(process.execPath, [programFile('tests/scenarios/import-child.ts')], { env: { ...cleanEnv(), IMPORT_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal ?? String(code)
}

/** The journal's rows but for the outbox, which a kill may leave in another order of the same changes, with what imports keep. */
const rowsIn = (folder: string): JournalRows => {
  const file = join(folder, 'journal.db')
  const database = new Sqlite(file, { readonly: true })
  const own = (table: string): Record<string, unknown>[] => database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
  const states = database.prepare('SELECT state, count(*) AS count FROM imports GROUP BY state ORDER BY state').all() as Record<string, unknown>[]
  const readings = database.prepare('SELECT sum(json_array_length(content)) AS count FROM import_readings').all() as Record<string, unknown>[]
  const all = { ...journalRows(file), outbox: [], baseFills: own('base_fills'), unsettled: own('imports_unsettled'), states, readings }
  database.close()
  return all
}

const counts = (rows: JournalRows): Record<string, number> => Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.length]))

/** Opens the journal as the next start does, which settles what was left. */
const reopen = async (folder: string): Promise<void> => {
  const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log: silent })
  await journal.close()
}

test('killed anywhere in an import or an undo, the next start has all of it or none', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-import')
  // Until it is started again.
  count.says(words('problems', 'code.program-unreachable'))
  const straight = testFolder()
  expect(await start({ folder: straight, fills })).toBe('0')
  const whole = rowsIn(straight)
  expect(counts(whole)).toMatchObject({ fills, baseFills: fills, unsettled: 0 })

  const barriers = ['group-begun:2', 'fills-written:3', 'group-committed:2', 'outbox-written:5']
  for (const killAt of barriers.slice(0, casesOf({ nightly: 4, long: 4, inCi: 1 }))) {
    const folder = testFolder()
    expect([killAt, await start({ folder, fills, killAt })]).toEqual([killAt, 'SIGKILL'])
    count.tried()
    await reopen(folder)
    const rows = rowsIn(folder)
    // The first import alone; both; or the second alone.
    expect([300, fills + 200, fills]).toContain(rows['fills']?.length)
    expect(rows['unsettled']).toEqual([])
    expect(rows['baseFills']).toHaveLength(rows['fills']?.length ?? 0)
    expect(await start({ folder, fills })).toBe('0')
    count.compare(rowsIn(folder), whole)
    expect(rowsIn(folder)).toEqual(whole)
  }
})

test('an import that was still reading its files is dropped', async () => {
  const folder = testFolder()
  await start({ folder, fills: 500 })
  const before = rowsIn(folder)
  const database = openDatabase(join(folder, 'journal.db'))
  const { beginImport, addReadings } = await import('#backend/imports/queries.ts')
  const of = { userId: 'trader', importId: 'half' }
  beginImport(writerOf(database), { ...of, at: 1, zone: 'UTC', account: null })
  addReadings(writerOf(database), { ...of, place: 0, readings: [{ says: 'balance', account: { id: null, name: 'PA-7' }, tradeDate: '2026-01-05', total: 1 as never, realized: 1 as never }] })
  database.close()
  expect(rowsIn(folder)).not.toEqual(before)
  await reopen(folder)
  expect(rowsIn(folder)).toEqual(before)
})
