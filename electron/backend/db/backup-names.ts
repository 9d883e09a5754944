import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Why a backup was made. */
export type BackupKind = 'daily' | 'by-hand' | 'before-restore' | 'before-update'

/** A backup in its folder; `at` is UTC ms, `by` the mark of the profile that requested it, null for none. */
export type BackupFile = { readonly name: string; readonly of: 'journal' | 'copier'; readonly kind: BackupKind; readonly at: number; readonly bytes: number; readonly by: string | null }

const made = /^(journal|copier)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:-(by-hand|before-restore)(?:-([0-9a-f]{12}))?)?\.db$/
const beforeUpdate = /^(journal|copier)-v\d+-before-v\d+(?:-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z)?(?:-\d+)?\.db$/

/** A time (UTC ms) as used in file names: date and time in UTC, to the second. */
export const momentInName = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

const momentOf = (day = '', hours = '', minutes = '', seconds = ''): number => Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)

/** A profile's mark in the names of backups that it requested. */
export const markOf = (userId: string): string => createHash('sha256').update(userId).digest('hex').slice(0, 12)

/** The name of a backup made at `at` (UTC ms): contains date and time in UTC, and sorts by them; `by` is the mark of the requesting profile. */
export const backupName = (of: BackupFile['of'], at: number, kind: Exclude<BackupKind, 'before-update'>, by: string | null = null): string =>
  `${of}-${momentInName(at)}${kind === 'daily' ? '' : `-${kind}${by === null ? '' : `-${by}`}`}.db`

const read = (folder: string, name: string): BackupFile | null => {
  const [, of, day, hours, minutes, seconds, kind, by = null] = made.exec(name) ?? []
  const [, updated, ...updatedAt] = beforeUpdate.exec(name) ?? []
  const database = of ?? updated
  if (database !== 'journal' && database !== 'copier') return null
  const found = statSync(path.join(folder, name), { throwIfNoEntry: false })
  if (found === undefined) return null
  const { size, mtimeMs } = found
  if (updated !== undefined) {
    // Names of earlier versions have none.
    const named = momentOf(...updatedAt)
    return { name, of: database, kind: 'before-update', at: Number.isNaN(named) ? Math.floor(mtimeMs) : named, bytes: size, by: null }
  }
  const at = momentOf(day, hours, minutes, seconds)
  return Number.isNaN(at) ? null : { name, of: database, kind: kind === 'by-hand' || kind === 'before-restore' ? kind : 'daily', at, bytes: size, by }
}

/** The backups in a folder, newest first; empty if the folder does not exist or cannot be read. Ignores other files. */
export const backupsIn = (folder: string): readonly BackupFile[] => {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.flatMap((name) => read(folder, name) ?? []).toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
}
