import { expect, test } from 'vitest'
import { backupName, type BackupFile } from '../store/backup-names.ts'
import { superfluous } from './superfluous-backups.ts'

const zone = 'America/New_York'
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 22, 17)

test('of what was made for a reason the last three of each kind stay, and the copier has its own', () => {
  const kinds = ['daily', 'by-hand', 'before-restore'] as const
  const files: BackupFile[] = (['journal', 'copier'] as const).flatMap((of) => kinds.flatMap((kind) => Array.from({ length: 5 }, (_, index) => ({ name: backupName(of, noon - index * hour, kind), of, kind, at: noon - index * hour, bytes: 1 }))))
  const gone = superfluous(files, zone)
  expect(gone).toHaveLength(2 * (4 + 2 + 2))
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).toContain(backupName('copier', noon - 3 * hour, 'by-hand'))
})
