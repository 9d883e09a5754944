import { expect, test } from 'vitest'
import { backupName, markOf, type BackupFile } from '../db/backup-names.ts'
import { superfluous } from './superfluous-backups.ts'

const zone = 'America/New_York'
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 22, 17)

test('the last three backups of each kind and profile stay, before restores the first too, and the copier has its own', () => {
  const kinds = ['daily', 'by-hand', 'before-restore'] as const
  const files: BackupFile[] = (['journal', 'copier'] as const).flatMap((of) => kinds.flatMap((kind) => [null, ...(kind === 'daily' ? [] : [markOf('ann'), markOf('bob')])].flatMap((by) => Array.from({ length: 5 }, (_, index) => ({ name: backupName(of, noon - index * hour, kind, by), of, kind, at: noon - index * hour, bytes: 1, by })))))
  const gone = superfluous(files, zone, noon)
  expect(gone).toHaveLength(2 * (4 + 3 * (2 + 1)))
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).toContain(backupName('copier', noon - 3 * hour, 'by-hand'))
})

test('backups dated by a clock that was ahead displace no later ones, and follow the same rule', () => {
  const copy = (at: number, kind: 'daily' | 'by-hand'): BackupFile => ({ name: backupName('journal', at, kind), of: 'journal', kind, at, bytes: 1, by: null })
  const ahead = Array.from({ length: 30 }, (_, index) => [copy(noon + (60 - index) * 24 * hour, 'daily'), copy(noon + (60 - index) * 24 * hour, 'by-hand')]).flat()
  const gone = superfluous([...ahead, copy(noon, 'daily'), copy(noon, 'by-hand')], zone, noon)
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).not.toContain(backupName('journal', noon, 'by-hand'))
  expect(gone.filter((name) => name.includes('by-hand'))).toHaveLength(27)
  expect(gone).not.toContain(ahead[0]?.name)
})

test('of several restores the backup from before the first is kept as long as any of them, and other restores do not matter', () => {
  const days = (...back: readonly number[]): BackupFile[] => back.map((day) => ({ name: backupName('journal', noon - day * 24 * hour, 'before-restore', markOf('ann')), of: 'journal', kind: 'before-restore', at: noon - day * 24 * hour, bytes: 1, by: markOf('ann') }))
  const kept = (files: readonly BackupFile[]): number[] => {
    const gone = superfluous(files, zone, noon)
    return files.filter(({ name }) => !gone.includes(name)).map(({ at }) => (noon - at) / (24 * hour))
  }
  expect(kept(days(0, 1, 2, 3))).toEqual([0, 1, 2, 3])
  expect(kept(days(0, 1, 2, 3, 20, 50, 81))).toEqual([0, 1, 2, 81])
  // Of the four of a season before one is among the last three.
  expect(kept(days(0, 1, 100, 101, 102, 103))).toEqual([0, 1, 100, 103])
  expect(kept(days(0, 1, 2, 100, 101))).toEqual([0, 1, 2])
})
