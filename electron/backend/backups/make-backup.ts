import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checked, closeReader, copyInto, openReader, withoutVisits, type Reader } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { syncFile, syncNames } from './sync-disk.ts'

/** What is copied where; `unlessLike` is a backup in the folder that need not be made again. */
export type BackupOrder = { readonly file: string; readonly folder: string; readonly name: string; readonly unlessLike: string | null }

/** Moments of a backup, in their order, at which a test may end the program or meddle. */
export type BackupStep = 'begun' | 'copied' | 'checked' | 'named'

type Visits = ReturnType<typeof withoutVisits>

const half = '.part'
// Two copies of the same content differ here, by how often the file was changed.
const headerBytes = 100

/** What a file holds behind its header, but for the pages that were emptied, in which shreds of what stood there may differ. */
const digestOf = (file: string, { emptied, pageBytes }: Visits): string => {
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

/** Removes what backups that were cut short left behind; nothing where nobody can look. */
export const removeHalves = (folder: string): void => {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return
  for (const name of readdirSync(folder)) if (name.endsWith(half) || name.endsWith(`${half}-journal`)) rmSync(path.join(folder, name), { force: true })
}

/**
 * Copies one state of a database into the folder, without a word of who is signed in, reads the copy through, and only
 * then gives it its name: a file of that name is whole. Writers go on meanwhile. It is read by its name, or where `open` is
 * given through that connection. Throws what kept it from that, and leaves no half file.
 */
export const makeBackup = ({ file, folder, name, unlessLike, open }: BackupOrder & { readonly open?: Reader }, passed: (step: BackupStep) => void = () => undefined): 'made' | 'unchanged' => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeHalves(folder)
  const draft = path.join(folder, `${name}${half}`)
  const target = path.join(folder, name)
  try {
    // Nobody else may read it at any moment.
    writeFileSync(draft, '', { mode: 0o600 })
    passed('begun')
    const reader = open ?? openReader(file)
    try {
      copyInto(reader, draft)
    } finally {
      if (open === undefined) closeReader(reader)
    }
    const visits = withoutVisits(draft)
    passed('copied')
    if (!checked(draft)) throw storeFault('internal', 'The copy is not whole')
    syncFile(draft)
    passed('checked')
    const known = unlessLike === null ? null : path.join(folder, unlessLike)
    if (known !== null && existsSync(known) && digestOf(known, visits) === digestOf(draft, visits)) return 'unchanged'
    renameSync(draft, target)
    passed('named')
    syncNames(target)
    return 'made'
  } finally {
    rmSync(draft, { force: true })
    rmSync(`${draft}-journal`, { force: true })
  }
}
