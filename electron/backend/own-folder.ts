import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StartProblem } from './start-problem.ts'

/** The owners whose files a start trusts: this user, the administrator, and if the administrator starts the program, the owner of the folder. */
const isStrangers = (path: string, folder: string): boolean => {
  const me = process.getuid?.()
  return me !== undefined && ![me, 0, ...(me === 0 ? [statSync(folder).uid] : [])].includes(statSync(path).uid)
}

const forAll = 0o002
const forOthers = 0o022

/** Whether someone else may have written this file: it belongs to another user, or is writable by all. On Windows the permissions of the user's folder apply. */
export const isOpenToOthers = (path: string): boolean => process.getuid !== undefined && (isStrangers(path, dirname(path)) || (statSync(path).mode & forAll) !== 0)

/** An error for something in the data folder that another user could have put there. */
const foreignWriterFault = (path: string): Error => Object.assign(new Error(`Another user may have written ${path}`), { code: 'strangers', path })

/** What to do about a file or folder that another user may have written. */
export const foreignWriterProblem = (path: string): StartProblem => ({ name: path, wanted: 'owned by you, and writable by you alone', remedy: 'Another user of this computer may have put or changed what is there, and Fillbook would trust it. Check it, then take ownership and close it (chown, chmod go-w), move it to another folder, or choose another folder with --data-dir or FILLBOOK_DATA_DIR.' })

const isDatabase = (name: string): boolean => /^(?:journal|copier)[\w-]*\.db/.test(name)

/**
 * Removes everyone else's write permission on an existing data folder, and every permission on its databases. Throws if
 * the folder is writable by all and that cannot be changed, or if something in it belongs to another user, because it
 * would be trusted.
 */
export const requireOwnFolder = (folder: string): void => {
  const me = process.getuid?.()
  if (me === undefined || !existsSync(folder)) return
  if (isStrangers(folder, folder)) throw foreignWriterFault(folder)
  const { uid, mode } = statSync(folder)
  // A shared folder, like /tmp, has no single owner: do not change its permissions.
  const isForAll = (mode & 0o1000) !== 0
  if (uid === me && !isForAll && (mode & forOthers) !== 0) chmodSync(folder, mode & 0o7777 & ~forOthers)
  else if ((mode & forAll) !== 0) throw foreignWriterFault(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isFile() && !entry.isDirectory()) continue
    if (isStrangers(path, folder)) throw foreignWriterFault(path)
    // A copy that its user put in place may be readable by all, and SQLite creates the files beside it likewise.
    if (entry.isFile() && isDatabase(entry.name) && statSync(path).uid === me) chmodSync(path, statSync(path).mode & 0o700)
  }
}
