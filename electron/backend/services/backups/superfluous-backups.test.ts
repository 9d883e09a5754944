import { expect, test } from 'vitest'
import { backupName, markOf, type BackupFile } from '../../store/backups/backup-names.ts'
import { superfluous } from './superfluous-backups.ts'

const zone = 'America/New_York'
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 22, 17)

test('of what was made for a reason the last three of each kind and each profile stay, and the copier has its own', () => {
  const kinds = ['daily', 'by-hand', 'before-restore'] as const
  const files: BackupFile[] = (['journal', 'copier'] as const).flatMap((of) => kinds.flatMap((kind) => [null, ...(kind === 'daily' ? [] : [markOf('ann'), markOf('bob')])].flatMap((by) => Array.from({ length: 5 }, (_, index) => ({ name: backupName(of, noon - index * hour, kind, by), of, kind, at: noon - index * hour, bytes: 1, by })))))
  const gone = superfluous(files, zone, noon)
  expect(gone).toHaveLength(2 * (4 + 3 * (2 + 2)))
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).toContain(backupName('copier', noon - 3 * hour, 'by-hand'))
})

test('what a clock that was ahead has dated pushes nothing out that was made since, and is kept by the same rule', () => {
  const copy = (at: number, kind: 'daily' | 'by-hand'): BackupFile => ({ name: backupName('journal', at, kind), of: 'journal', kind, at, bytes: 1, by: null })
  const ahead = Array.from({ length: 30 }, (_, index) => [copy(noon + (60 - index) * 24 * hour, 'daily'), copy(noon + (60 - index) * 24 * hour, 'by-hand')]).flat()
  const gone = superfluous([...ahead, copy(noon, 'daily'), copy(noon, 'by-hand')], zone, noon)
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).not.toContain(backupName('journal', noon, 'by-hand'))
  expect(gone.filter((name) => name.includes('by-hand'))).toHaveLength(27)
  expect(gone).not.toContain(ahead[0]?.name)
})
