import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checked, closeReader, copyInto, openReader, deleteSessions, type Reader } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { syncFile, syncNames } from './sync-disk.ts'

/** What to copy where; `unlessLike` is a backup in the folder that need not be repeated. */
export type BackupOrder = { readonly file: string; readonly folder: string; readonly name: string; readonly unlessLike: string | null }

/** The steps of a backup, in order, at which a test may end the program or interfere. */
export type BackupStep = 'begun' | 'copied' | 'checked' | 'named'

type Emptied = ReturnType<typeof deleteSessions>

const partSuffix = '.part'
// The header counts changes of the file, so it differs between two copies of the same content.
const headerBytes = 100

/** A digest of a file's content after its header, without the emptied pages, which may still contain different remains of deleted rows. */
const digestOf = (file: string, { emptied, pageBytes }: Emptied): string => {
  const digest = createHash('sha256')
  const buffer = Buffer.alloc(pageBytes)
  const handle = openSync(file, 'r')
  try {
    for (let page = 1; readSync(handle, buffer, 0, pageBytes, (page - 1) * pageBytes) > 0; page += 1) {
      if (!emptied.has(page)) digest.update(page === 1 ? buffer.subarray(headerBytes) : buffer)
    }
  } finally {
    closeSync(handle)
  }
  return digest.digest('hex')
}

/** Deletes unfinished backups; does nothing if the folder cannot be read. */
export const deleteUnfinished = (folder: string): void => {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return
  for (const name of readdirSync(folder)) if (name.endsWith(partSuffix) || name.endsWith(`${partSuffix}-journal`)) rmSync(path.join(folder, name), { force: true })
}

/**
 * Copies a snapshot of a database into the folder, without its sessions, verifies the copy, and only then gives it its
 * name: a file with that name is complete. Writers continue meanwhile. Reads by file name, or through the connection
 * `open` if given. Throws on failure and leaves no partial file.
 */
export const makeBackup = ({ file, folder, name, unlessLike, open }: BackupOrder & { readonly open?: Reader }, passed: (step: BackupStep) => void = () => undefined): 'made' | 'unchanged' => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  deleteUnfinished(folder)
  const draft = path.join(folder, `${name}${partSuffix}`)
  const target = path.join(folder, name)
  try {
    // No one else may read it at any moment.
    writeFileSync(draft, '', { mode: 0o600 })
    passed('begun')
    const reader = open ?? openReader(file)
    try {
      copyInto(reader, draft)
    } finally {
      if (open === undefined) closeReader(reader)
    }
    const emptied = deleteSessions(draft)
    passed('copied')
    if (!checked(draft)) throw storeFault('internal', 'The copy is not whole')
    syncFile(draft)
    passed('checked')
    const known = unlessLike === null ? null : path.join(folder, unlessLike)
    if (known !== null && existsSync(known) && digestOf(known, emptied) === digestOf(draft, emptied)) return 'unchanged'
    renameSync(draft, target)
    passed('named')
    syncNames(target)
    return 'made'
  } finally {
    rmSync(draft, { force: true })
    rmSync(`${draft}-journal`, { force: true })
  }
}
