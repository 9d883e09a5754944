import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'

/** Bytes to keep free beside a copy, so that the journal itself can still be written. */
export const spareBytes = 32_000_000

/** The most bytes that a copy of a database takes: its file and its WAL. */
export const bytesOf = (file: string): number => [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Bytes that this user may still write to an existing or future folder's disk; null if the system does not say. */
export const freeBytes = (folder: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    const above = path.dirname(folder)
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' && above !== folder ? freeBytes(above) : null
  }
}
