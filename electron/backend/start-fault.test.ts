import { expect, test } from 'vitest'
import { startProblemOf } from './start-fault.ts'
import { storeFault, type StoreFaultCode } from './db/fault.ts'
import type { Settings } from './settings.ts'

const settings = { dataDir: '/data', port: 1 } as Settings
const problem = (code: StoreFaultCode, file?: string) => startProblemOf(Object.assign(storeFault(code, 'what it was'), file === undefined ? {} : { file }), settings)

test('a fault of the store names the journal, or the file that it tells of', () => {
  expect(problem('damaged-database')).toMatchObject({ name: '/data/journal.db', wanted: 'an undamaged journal' })
  expect(problem('damaged-database', '/data/copier.db')).toMatchObject({ name: '/data/copier.db', wanted: 'an undamaged file of the trade copier', remedy: expect.stringContaining('open positions') as string })
  expect(problem('newer-database', '/data/copier.db')).toMatchObject({ name: '/data/copier.db', wanted: 'a file of the trade copier that this version of Fillbook knows' })
  expect(problem('internal', '/data/copier.db')).toBeNull()
})

test('a journal that is lost while backups have it is named, with how to restore it and how to start fresh', () => {
  const lost = (because: string) => startProblemOf(storeFault('lost-journal', because), settings)
  expect(lost('missing')).toEqual({ name: '/data/journal.db', wanted: 'the journal that your backups hold', remedy: 'The file is missing, and your backups hold profiles. Put a backup from /data/backups in its place. To start from scratch, choose another folder with --data-dir or FILLBOOK_DATA_DIR.' })
  expect(lost('no-profiles')?.remedy).toContain('The file holds no profile')
  expect(lost('log-alone')?.remedy).toContain('The log /data/journal.db-wal is there')
})

test('a lost copier file is named, with what to check first, how to restore it, and how to start fresh', () => {
  const lost = (because: string) => startProblemOf(Object.assign(storeFault('lost-journal', because), { file: '/data/copier.db' }), settings)
  expect(lost('missing')).toEqual({
    name: '/data/copier.db',
    wanted: 'the file of the trade copier that was there',
    remedy: "Check your open positions at the broker. The file is missing, and your backups hold groups: put a backup from /data/backups in its place. To set up your groups from scratch, move the log and the trade copier's backups (copier-*.db in /data/backups) to another folder.",
  })
  expect(lost('empty')?.remedy).toContain('The file is empty')
  expect(lost('log-alone')?.remedy).toContain('Its log /data/copier.db-wal is there')
})

test('a backup is only named where there can be one', () => {
  for (const code of ['damaged-database', 'newer-database', 'migration-changed'] as const) {
    expect([code, problem(code)?.remedy.includes('/data/backups')]).toEqual([code, false])
  }
  expect(problem('damaged-database')?.remedy).toContain('start without it: there is no backup')
  for (const file of ['/data/journal.db', '/data/copier.db']) {
    const remedy = startProblemOf(Object.assign(storeFault('lost-journal', 'log-alone'), { file }), settings)?.remedy ?? ''
    expect([file, remedy.includes('/data/backups'), remedy.includes('there is no backup')]).toEqual([file, false, true])
  }
})
