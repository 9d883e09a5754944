/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { checked, openDatabase, writerOf } from '#backend/db/database.ts'
import { makeBackup, type BackupStep } from '#backend/backups/make-backup.ts'
import type { PutBackStep } from '#backend/backups/put-back.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { turnedBackRows } from '../helpers/backups.ts'
import { programFile } from '../helpers/program.ts'
import { makeRichJournal } from '../helpers/rich-journal.ts'
import { monday, temporaryFolder } from '../helpers/store.ts'
import type { BackupsOrder } from './backups-order.ts'

const userId = 'u1'
const backup = 'journal-2026-11-21T12-00-00Z.db'
const child = programFile('tests/scenarios/backups-child.ts')
let ground: string
type Rows = ReturnType<typeof turnedBackRows>
let then: Rows
let since: Rows

beforeAll(async () => {
  ground = await mkdtemp(join(tmpdir(), 'fillbook-backups-'))
  await makeRichJournal(ground, 3_000)
  const file = join(ground, 'journal.db')
  makeBackup({ file, folder: join(ground, 'backups'), name: backup, unlessLike: null })
  then = turnedBackRows(file, userId)
  const database = openDatabase(file)
  const write = writesOf({ writer: writerOf(database), barrier: () => undefined })
  const ids = database.prepare("SELECT id FROM fill_pairs WHERE origin = 'synced' LIMIT 400").pluck().all() as string[]
  for (const [index, id] of ids.entries()) {
    if (index % 2 === 0) write.removeTrade({ userId, at: monday + 10_000_000 + index, id })
    else write.updateTrade({ userId, at: monday + 10_000_000 + index, id, updates: { notes: 'since' } })
  }
  await write.undoImport({ userId, at: monday + 20_000_000, importId: 'first' })
  database.close()
  since = turnedBackRows(file, userId)
  return () => rm(ground, { recursive: true, force: true })
}, 120_000)

/** A copy of the later journal, with its backup. */
const copy = (): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'backups'))
  copyFileSync(join(ground, 'journal.db'), join(folder, 'journal.db'))
  copyFileSync(join(ground, 'backups', backup), join(folder, 'backups', backup))
  return folder
}

/** Runs the process; true where it was killed. */
const start = async (order: Omit<BackupsOrder, 'backup' | 'userId'> & { readonly backup?: string }): Promise<boolean> => {
  const running = spawn(process.execPath, [child], { env: { ...process.env, BACKUPS_ORDER: JSON.stringify({ backup, userId, ...order }) }, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  running.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code, signal] = (await once(running, 'exit')) as [number | null, NodeJS.Signals | null]
  if (signal === 'SIGKILL') return true
  if (code !== 0) throw new Error(`The process failed:\n${output}`)
  return false
}

// Cleared notes of trades count as written again.
const withoutSilence = (rows: Rows): Rows => ({ ...rows, pair_edits: (rows['pair_edits'] ?? []).filter((row) => !row.includes('"notes":"","tags":"[]","stop":null,"screenshot":"","screenshot_headline":"","screenshot2":"","screenshot2_headline":"","removed_at":null')) })
const expectRows = (file: string, wanted: Rows): void => {
  const found = withoutSilence(turnedBackRows(file, userId))
  for (const [table, rows] of Object.entries(withoutSilence(wanted))) expect(found[table], table).toEqual(rows)
  expect(checked(file)).toBe(true)
}

test('the restore has something to revert', () => {
  const differing = Object.keys(then).filter((table) => JSON.stringify(then[table]) !== JSON.stringify(since[table]))
  expect(differing).toEqual(expect.arrayContaining(['fills', 'fill_pairs', 'trades', 'pair_edits', 'imports', 'batches']))
  for (const table of ['accounts', 'finances', 'day_notes', 'import_readings', 'pictures', 'account_rules', 'base_fills']) expect(then[table]?.length, table).toBeGreaterThan(0)
})

const steps: readonly BackupStep[] = ['begun', 'copied', 'checked', 'named']
test.each(steps)('killed at %s of a backup, no partial one is listed, and the next one succeeds', async (step) => {
  const folder = copy()
  const name = 'journal-2026-11-22T12-00-00Z.db'
  expect(await start({ folder, work: 'make', backup: name, killAt: step })).toBe(true)
  const named = existsSync(join(folder, 'backups', name))
  expect(named).toBe(step === 'named')
  if (named) expectRows(join(folder, 'backups', name), since)
  expect(await start({ folder, work: 'make', backup: name })).toBe(false)
  expectRows(join(folder, 'backups', name), since)
  expect(readdirSync(join(folder, 'backups')).toSorted()).toEqual([backup, name].toSorted())
  expectRows(join(folder, 'journal.db'), since)
})

const restoreSteps = [['journal-restored', 'since'], ['restore-committed', 'then'], ['fills-written', 'then'], ['group-committed', 'then']] as const
test.each(restoreSteps)('killed at %s of a whole restore, the next start finds the journal intact as it was %s, and a repeated restore succeeds', async (killAt, state) => {
  const folder = copy()
  const file = join(folder, 'journal.db')
  expect(await start({ folder, work: 'restore', whole: true, killAt })).toBe(true)
  expect(await start({ folder, work: 'open' })).toBe(false)
  expectRows(file, state === 'then' ? then : since)
  expect(await start({ folder, work: 'restore', whole: true })).toBe(false)
  expectRows(file, then)
})

test.each(restoreSteps.map(([killAt]) => killAt))('killed at %s of a restore, later unsent additions are kept and wait in the outbox once, also after another restore', async (killAt) => {
  const folder = copy()
  const file = join(folder, 'journal.db')
  const database = openDatabase(file)
  const write = writesOf({ writer: writerOf(database), barrier: () => undefined })
  write.addTrade({ userId, at: monday + 30_000_000, trade: { id: 'unsent', symbol: 'MESM6', account: 'Paper', accountId: '', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-03-02T15:00:00Z', exitTime: '2026-03-02T16:00:00Z', notes: 'not yet sent' } })
  write.setDayNote({ userId, at: monday + 30_000_000, tradingDay: '2026-03-20', notes: 'not yet sent' })
  database.close()
  const expectUnsent = (): void => {
    const journal = openDatabase(file)
    const waiting = new Set(journal.prepare("SELECT entity || ' ' || entity_id FROM outbox WHERE user_id = ?").pluck().all(userId))
    expect(['trade unsent', 'edit unsent', 'day 2026-03-20'].filter((name) => !waiting.has(name))).toEqual([])
    expect(journal.prepare("SELECT notes FROM pair_edits WHERE pair_id = 'unsent' UNION ALL SELECT notes FROM day_notes WHERE trading_day = '2026-03-20'").pluck().all()).toEqual(['not yet sent', 'not yet sent'])
    expect(journal.prepare("SELECT count(*) FROM fill_pairs WHERE id = 'unsent'").pluck().get()).toBe(1)
    journal.close()
  }
  expect(await start({ folder, work: 'restore', killAt })).toBe(true)
  expectUnsent()
  expect(await start({ folder, work: 'restore' })).toBe(false)
  expectUnsent()
})

const putBackSteps: readonly PutBackStep[] = ['request-read', 'backup-copied', 'journal-aside', 'backup-in-place']
test.each(putBackSteps)('killed at %s while a backup replaces a journal, the next start completes it, and the previous journal is kept', async (killAt) => {
  const folder = copy()
  expect(await start({ folder, work: 'put-back', killAt })).toBe(true)
  expect(await start({ folder, work: 'put-back' })).toBe(false)
  expectRows(join(folder, 'journal.db'), then)
  const kept = readdirSync(folder).filter((name) => name.startsWith('journal-damaged') && name.endsWith('.db'))
  expect(kept).toHaveLength(1)
  expectRows(join(folder, kept[0] ?? ''), since)
  expect(existsSync(join(folder, 'journal.db.restore.json'))).toBe(false)
})
