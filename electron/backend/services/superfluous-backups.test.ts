import { expect, test } from 'vitest'
import { backupName, markOf, type BackupFile } from '../store/backups/backup-names.ts'
import { superfluous } from './superfluous-backups.ts'

const zone = 'America/New_York'
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 22, 17)

test('of what was made for a reason the last three of each kind and each profile stay, and the copier has its own', () => {
  const kinds = ['daily', 'by-hand', 'before-restore'] as const
  const files: BackupFile[] = (['journal', 'copier'] as const).flatMap((of) => kinds.flatMap((kind) => [null, ...(kind === 'daily' ? [] : [markOf('ann'), markOf('bob')])].flatMap((by) => Array.from({ length: 5 }, (_, index) => ({ name: backupName(of, noon - index * hour, kind, by), of, kind, at: noon - index * hour, bytes: 1, by })))))
  const gone = superfluous(files, zone)
  expect(gone).toHaveLength(2 * (4 + 3 * (2 + 2)))
  expect(gone).not.toContain(backupName('journal', noon, 'daily'))
  expect(gone).toContain(backupName('copier', noon - 3 * hour, 'by-hand'))
})
