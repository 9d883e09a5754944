import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { askBack, putBack, wantedBack, type PutBackStep } from './put-back.ts'

const at = Date.UTC(2026, 10, 22, 15, 4, 5)
const backup = 'journal-2026-11-21T12-00-00Z.db'
const steps: readonly PutBackStep[] = ['wish-read', 'backup-copied', 'journal-aside', 'backup-in-place']

const begin = () => {
  const folder = temporaryFolder()
  const [file, backups] = [path.join(folder, 'journal.db'), path.join(folder, 'backups')]
  mkdirSync(backups)
  writeFileSync(file, 'damaged')
  writeFileSync(`${file}-wal`, 'its log')
  writeFileSync(path.join(backups, backup), 'good')
  const stands = () => ({ journal: existsSync(file) ? readFileSync(file, 'utf8') : null, log: existsSync(`${file}-wal`), asked: wantedBack(file), kept: readdirSync(folder).filter((name) => name.startsWith('journal-damaged')).toSorted() })
  return { file, backups, stands }
}
const kept = ['journal-damaged-2026-11-22T15-04-05Z.db', 'journal-damaged-2026-11-22T15-04-05Z.db-wal']
const whole = { journal: 'good', log: false, asked: null, kept }

test('nothing happens where nothing was asked for', () => {
  const { file, backups, stands } = begin()
  expect(putBack(file, backups)).toBeNull()
  expect(stands()).toEqual({ journal: 'damaged', log: true, asked: null, kept: [] })
})

test('the backup takes the place, the old file is kept with its log, and it happens once', () => {
  const { file, backups, stands } = begin()
  askBack(file, 'journal-2026-11-01T12-00-00Z.db', at)
  askBack(file, backup, at)
  expect(wantedBack(file)).toBe(backup)
  const passed: string[] = []
  expect(putBack(file, backups, (step) => void passed.push(step))).toBe(path.join(path.dirname(file), kept[0] ?? ''))
  expect([passed, stands()]).toEqual([steps, whole])
  writeFileSync(file, 'written since')
  expect(putBack(file, backups)).toBeNull()
  expect(stands().journal).toBe('written since')
})

test.each(steps)('cut short at %s it goes on at the next start', (step) => {
  const { file, backups, stands } = begin()
  askBack(file, backup, at)
  const die = (now: PutBackStep): void => {
    if (now === step) throw new Error('killed')
  }
  expect(() => putBack(file, backups, die)).toThrow('killed')
  putBack(file, backups)
  expect(stands()).toEqual(whole)
})

test('a backup that is gone since changes nothing', () => {
  const { file, backups, stands } = begin()
  askBack(file, 'journal-2026-11-01T12-00-00Z.db', at)
  expect(putBack(file, backups)).toBeNull()
  expect(stands()).toEqual({ journal: 'damaged', log: true, asked: null, kept: [] })
})
