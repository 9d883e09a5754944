/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, openSync, closeSync, readFileSync, readSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { requireWholeLog } from '#backend/journal/whole-log.ts'

const store = new URL('../../electron/backend/db/database.ts', import.meta.url).href

/** A database as a program leaves it that is killed after `work`, which has it as `database` and may commit rows with `add(from, to)`. */
const killed = (work: string): string => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'journal.db')
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `
    import { openDatabase } from ${JSON.stringify(store)}
    const database = openDatabase(${JSON.stringify(file)})
    database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)')
    const insert = database.prepare('INSERT INTO rows VALUES (?, ?)')
    const add = (from, to) => { for (let id = from; id <= to; id += 1) insert.run(id, 'x'.repeat(2000)) }
    ${work}
    process.kill(process.pid, 'SIGKILL')`], { encoding: 'utf8' })
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
  return file
}

const rowsIn = (file: string): number => {
  const database = new Sqlite(file)
  try {
    return database.prepare('SELECT count(*) FROM rows').pluck().get() as number
  } finally {
    database.close()
  }
}

const codeOf = (file: string): string | null => {
  const left = ['', '-wal', '-shm'].map((part) => (existsSync(file + part) ? readFileSync(file + part) : null))
  try {
    requireWholeLog(file)
    return null
  } catch (error) {
    return (error as Error & { code: string }).code
  } finally {
    expect(['', '-wal', '-shm'].map((part) => (existsSync(file + part) ? readFileSync(file + part) : null))).toEqual(left)
  }
}

const frameBytes = 24 + 4_096
const flip = (file: string, at: number): void => {
  const opened = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(opened, byte, 0, 1, at)
  writeSync(opened, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at)
  closeSync(opened)
}

const copyOf = (file: string): string => {
  const copy = path.join(temporaryFolder(), 'journal.db')
  for (const part of ['', '-wal', '-shm']) if (existsSync(file + part)) copyFileSync(file + part, copy + part)
  return copy
}
const ofTwelve = (): string => killed('add(1, 12)')
const framesIn = (file: string): number => (readFileSync(`${file}-wal`).length - 32) / frameBytes

describe('the log of a killed program', () => {
  test('is intact, and has every row', () => {
    const file = ofTwelve()
    expect(codeOf(file)).toBeNull()
    expect(rowsIn(file)).toBe(12)
  })

  test('is refused with one flipped bit in any frame or in its header, and left untouched', { tags: 'long' }, () => {
    const whole = ofTwelve()
    const inFrame = [0, 4, 9, 17, 24, 2_000]
    const places = [4, 17, 25, ...Array.from({ length: framesIn(whole) }, (_, frame) => 32 + frame * frameBytes + (inFrame[frame % inFrame.length] ?? 0))]
    for (const at of places) {
      flip(`${whole}-wal`, at)
      expect(codeOf(whole), String(at)).toBe('damaged-database')
      flip(`${whole}-wal`, at)
    }
    expect(codeOf(whole)).toBeNull()
  })

  test('is refused if a part is cut off', () => {
    const whole = ofTwelve()
    for (const left of [framesIn(whole) - 1, 1]) {
      const file = copyOf(whole)
      truncateSync(`${file}-wal`, 32 + left * frameBytes + 100)
      expect(codeOf(file)).toBe('damaged-database')
    }
  })

  test('counts as lost if it is deleted or emptied, unless all of it was checkpointed into the journal', () => {
    const gone = ofTwelve()
    const emptied = copyOf(gone)
    rmSync(`${gone}-wal`)
    writeFileSync(`${emptied}-wal`, '')
    expect([codeOf(gone), codeOf(emptied)]).toEqual(['lost-journal', 'lost-journal'])

    const brought = killed("add(1, 12); database.pragma('wal_checkpoint(PASSIVE)')")
    rmSync(`${brought}-wal`)
    expect(codeOf(brought)).toBeNull()
    expect(rowsIn(brought)).toBe(12)
  })

  test('is refused if an older one is in its place', { tags: 'long' }, () => {
    const later = killed(`add(1, 12); database.pragma('wal_checkpoint(PASSIVE)'); add(13, 14)`)
    expect(codeOf(later)).toBeNull()
    expect(rowsIn(later)).toBe(14)
    const mixed = killed(`
      const { copyFileSync } = await import('node:fs')
      add(1, 12)
      database.pragma('wal_checkpoint(PASSIVE)')
      copyFileSync(database.name + '-wal', database.name + '-older')
      add(13, 14)`)
    cpSync(`${mixed}-older`, `${mixed}-wal`)
    expect(codeOf(mixed)).toBe('lost-journal')
  })

  test('may hold frames of an earlier generation after the valid ones', () => {
    const turned = killed(`add(1, 12); database.pragma('wal_checkpoint(PASSIVE)'); add(13, 14)`)
    expect(codeOf(turned)).toBeNull()
    expect(rowsIn(turned)).toBe(14)
  })

  test('may hold frames of a rolled-back transaction after the valid ones', () => {
    const takenBack = killed(`
      database.pragma('cache_size = 10')
      database.exec('BEGIN')
      add(1, 100)
      database.exec('ROLLBACK')
      add(1, 3)`)
    expect(readFileSync(`${takenBack}-wal`).length).toBeGreaterThan(40 * frameBytes)
    expect(codeOf(takenBack)).toBeNull()
    expect(rowsIn(takenBack)).toBe(3)
  })
})

describe('the log after a power loss', () => {
  test('may end within its last transaction, which is rolled back as a whole', () => {
    const file = killed("add(1, 10); database.exec('BEGIN'); add(11, 20); database.exec('COMMIT')")
    // The index is never fsynced: any earlier state of it may be left, or nothing.
    rmSync(`${file}-shm`)
    const bytes = readFileSync(`${file}-wal`)
    const last = framesIn(file)
    // Of the frames of one transaction any may be missing.
    for (const missing of [last - 1, last - 3]) {
      const torn = copyOf(file)
      writeFileSync(`${torn}-wal`, Buffer.from(bytes).fill(0, 32 + missing * frameBytes, 32 + (missing + 1) * frameBytes))
      expect(codeOf(torn)).toBeNull()
      expect(rowsIn(torn)).toBe(10)
    }
  })

  test('is still refused if an earlier committed transaction is incomplete', () => {
    const file = ofTwelve()
    rmSync(`${file}-shm`)
    for (const at of [30, 32 + 5 * frameBytes + 500]) {
      const damaged = copyOf(file)
      flip(`${damaged}-wal`, at)
      expect(codeOf(damaged)).toBe('damaged-database')
    }
  })

  test('counts if its index is of an earlier generation', () => {
    const file = killed(`
      const { copyFileSync } = await import('node:fs')
      add(1, 12)
      copyFileSync(database.name + '-shm', database.name + '-earlier')
      database.pragma('wal_checkpoint(PASSIVE)')
      add(13, 14)`)
    cpSync(`${file}-earlier`, `${file}-shm`)
    expect(codeOf(file)).toBeNull()
    expect(rowsIn(file)).toBe(14)
  })
})

test('no log counts as lost beside a new journal or a closed one', () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'journal.db')
  expect(codeOf(file)).toBeNull()
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.exec('CREATE TABLE rows (id INTEGER)')
  database.close()
  expect(codeOf(file)).toBeNull()
})
