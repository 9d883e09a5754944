import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StartProblem } from './start-problem.ts'

/** Who may have made what a start believes: this user, the administrator, and the owner of the folder if the administrator starts. */
const isStrangers = (path: string, folder: string): boolean => {
  const me = process.getuid?.()
  return me !== undefined && ![me, 0, ...(me === 0 ? [statSync(folder).uid] : [])].includes(statSync(path).uid)
}

const forAll = 0o002
const forOthers = 0o022

/** Whether somebody else may have written this file: it is another user's, or open to all. On Windows the rights of the user's folder hold. */
export const isOpenToOthers = (path: string): boolean => process.getuid !== undefined && (isStrangers(path, dirname(path)) || (statSync(path).mode & forAll) !== 0)

/** An error for something in the data folder that another user could have put there. */
const strangersFault = (path: string): Error => Object.assign(new Error(`Another user may have written ${path}`), { code: 'strangers', path })

/** What to do about a file or folder that another user may have written. */
export const strangersProblem = (path: string): StartProblem => ({ name: path, wanted: 'owned by you, and writable by you alone', remedy: 'Another user of this computer may have put or changed what is there, and Fillbook would trust it. Check it, then take ownership and close it (chown, chmod go-w), move it to another folder, or choose another folder with --data-dir or FILLBOOK_DATA_DIR.' })

const isDatabase = (name: string): boolean => /^(?:journal|copier)[\w-]*\.db/.test(name)

/**
 * Takes the right to write to an existing data folder, and every right to the databases in it, from everybody else. Throws
 * where all may write there and that cannot be changed, or where something in it is another user's: it would be believed.
 */
export const requireOwnFolder = (folder: string): void => {
  const me = process.getuid?.()
  if (me === undefined || !existsSync(folder)) return
  if (isStrangers(folder, folder)) throw strangersFault(folder)
  const { uid, mode } = statSync(folder)
  // One for all, like /tmp, belongs to nobody: its rights are not ours to change.
  const isForAll = (mode & 0o1000) !== 0
  if (uid === me && !isForAll && (mode & forOthers) !== 0) chmodSync(folder, mode & 0o7777 & ~forOthers)
  else if ((mode & forAll) !== 0) throw strangersFault(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isFile() && !entry.isDirectory()) continue
    if (isStrangers(path, folder)) throw strangersFault(path)
    // A copy that its user put in place may be readable for all, and SQLite makes the files beside it likewise.
    if (entry.isFile() && isDatabase(entry.name) && statSync(path).uid === me) chmodSync(path, statSync(path).mode & 0o700)
  }
}
