/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { testFolder } from '../helpers/app.ts'
import { casesOf } from '../helpers/cases.ts'
import { cleanEnv } from '../helpers/clean-env.ts'
import { fault } from '../helpers/fault.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { programFile } from '../helpers/program.ts'
import { account, migrationsFolder, monday } from '../helpers/store.ts'
import type { MigrateOrder } from './migrate-order.ts'

const child = programFile('tests/scenarios/migrate-child.ts')
const fills = 3_000
const killsAtRandom = casesOf({ nightly: 8, long: 3, inCi: 2 })
const everyNth = casesOf({ nightly: 5, long: 15, inCi: 30 })
const names = readdirSync(migrationsFolder).toSorted()

/** Rows as version 1 kept them, enough of them for a copy and an index to take their time. */
const fillIn = (database: Database): void => {
  database.exec(`
    INSERT INTO profiles VALUES ('u1', 'a@example.org', 'A', NULL, NULL, 0, 'America/New_York', 1, NULL);
    INSERT INTO logins VALUES ('login', 'u1', 'tradovate', '9001', 'demo.user', 'ok', NULL, NULL, NULL, 5);
    INSERT INTO accounts VALUES ('u1', '${account}', 'login', 'demo', '700101', 'EVAL-101', 10000, 'USD', 7, 1, NULL, 5, 6);
    INSERT INTO finances VALUES ('u1', '${account}', 'Funded Account', 0, '2026-01-05', 'EVAL-101', 10000, 'USD', 'Tradovate', 'Tradeify', NULL);
    INSERT INTO specs VALUES ('u1', 'MESM6', 'MES', 1, 'USD', '0.25', 12500, 1, 9500, 'broker');
    INSERT INTO sync_runs VALUES ('u1', 'r1', 1, 2, 'complete', '{}')`)
  const insert = database.prepare("INSERT INTO fills VALUES ('u1', ?, ?, 'MESM6', '2026-01-05', ?, ?, 1, 27000, '0.25', NULL, 1, 'api', NULL, '44', '2026-01-05')")
  const edit = database.prepare("INSERT INTO trade_edits (user_id, trade_id, notes, tags, removed_at) VALUES ('u1', ?, ?, '[]', NULL)")
  database.transaction(() => {
    for (let id = 1; id <= fills; id += 1) {
      insert.run(account, String(id), monday + id, id % 2 === 0 ? 'sell' : 'buy')
      edit.run(String(id), `note ${String(id)}`)
    }
  })()
}

/** The contents of a file without random values, creation times and SQLite's own tables. */
const rowsIn = (file: string): JournalRows => {
  const database = new Sqlite(file, { readonly: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('device', 'schema_migrations') ORDER BY name").pluck().all() as string[]
    const schema = database.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all()
    const version = [{ version: database.pragma('user_version', { simple: true }) }]
    return Object.fromEntries([['schema', schema], ['version', version], ...tables.map((table) => [table, (database.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]).map((row) => ({ ...row, at: null, noted_at: null }))])]) as JournalRows
  } finally {
    database.close()
  }
}

/** What the user wrote on fill pairs, which were trades at first. */
const editsIn = (rows: JournalRows) => rows['pair_edits'] ?? rows['trade_edits']

/** A journal of version 1, and the shipped migrations after it, each statement followed by a word that it was done. */
const makeGround = () => {
  const folder = testFolder()
  const [first, migrations] = [join(folder, 'first'), join(folder, 'migrations')]
  for (const made of [first, migrations]) mkdirSync(made)
  copyFileSync(join(migrationsFolder, names[0] ?? ''), join(first, names[0] ?? ''))
  copyFileSync(join(migrationsFolder, names[0] ?? ''), join(migrations, names[0] ?? ''))
  let statements = 0
  for (const name of names.slice(1)) {
    const sql = readFileSync(join(migrationsFolder, name), 'utf8')
    statements += sql.match(/;$/gm)?.length ?? 0
    writeFileSync(join(migrations, name), sql.replaceAll(/;$/gm, ';\nSELECT pass();'))
  }
  const old = join(folder, 'old.db')
  const database = openDatabase(old)
  migrate(database, first, folder)
  fillIn(database)
  database.close()
  return { old, migrations, statements }
}

const start = async (order: MigrateOrder, killAfterMs?: number): Promise<string> => {
  const running = spawn(process.execPath, [child], { env: { ...cleanEnv(), MIGRATE_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'ignore', 'inherit'] })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => running.kill('SIGKILL'), killAfterMs)
  const [code, signal] = (await once(running, 'exit')) as [number | null, string | null]
  clearTimeout(timer)
  return signal ?? String(code)
}

/** The next start, here: its end is what counts. */
const finish = ({ file, migrations, backups }: MigrateOrder): void => {
  const database = openDatabase(file)
  database.function('pass', () => null)
  migrate(database, migrations, backups)
  database.close()
}

test('killed after any statement of a migration, or at any other point, the journal is in a state between two migrations, and the next start finishes', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-migration')
  // While it migrates no page is open; the next start finishes, and says no more than any other.
  count.says('Fillbook is ready at …')
  const { old, migrations, statements } = makeGround()
  const begin = (): MigrateOrder => {
    const folder = testFolder()
    const file = join(folder, 'journal.db')
    copyFileSync(old, file)
    return { file, migrations, backups: join(folder, 'backups') }
  }
  const straight = begin()
  const began = performance.now()
  expect(await start(straight)).toBe('0')
  const tookMs = performance.now() - began
  const whole = rowsIn(straight.file)
  expect(whole['fills']).toHaveLength(fills)
  expect(whole['version']).toEqual([{ version: names.length }])
  const before = rowsIn(old)

  const survives = async (order: MigrateOrder): Promise<void> => {
    count.tried()
    const left = rowsIn(order.file)
    // No row of the trader is gone meanwhile, nor there twice.
    expect([left['fills'], editsIn(left)].map((rows) => rows?.length)).toEqual([fills, fills])
    finish(order)
    const finished = rowsIn(order.file)
    count.compare(finished, whole)
    expect(finished).toEqual(whole)
    // Whatever goes by the name of a copy is the journal as it was, or as the kill left it.
    const copies = readdirSync(order.backups).filter((name) => name.endsWith('.db'))
    expect(copies.length).toBeGreaterThan(0)
    // The kill may have come behind a migration that gave them another column.
    for (const copy of copies) expect(rowsIn(join(order.backups, copy))['fills']).toMatchObject(before['fills'] ?? [])
  }
  expect(statements).toBeGreaterThan(60)
  for (let at = 1; at <= statements; at += everyNth) {
    const order = { ...begin(), killAt: `statement:${String(at)}` }
    expect([at, await start(order)]).toEqual([at, 'SIGKILL'])
    await survives(order)
  }
  for (let struck = 0; struck < killsAtRandom; ) {
    const order = begin()
    if ((await start(order, Math.random() * tookMs)) !== 'SIGKILL') continue
    struck += 1
    await survives(order)
  }
})
