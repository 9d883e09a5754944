import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../start-problem.ts'

const others = 0o077
const isOpen = (path: string): boolean => (statSync(path).mode & others) !== 0

/**
 * Makes a folder and its content readable by its owner only, and everything that this process writes from now on.
 * Throws a `StartFault` if the system keeps it open to others. On Windows the permissions of the user's folder apply.
 */
export const makePrivate = (folder: string): void => {
  process.umask(others)
  mkdirSync(folder, { recursive: true })
  if (process.platform === 'win32') return
  for (const path of [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))]) {
    if (!isOpen(path)) continue
    const closed = ((): boolean => {
      try {
        chmodSync(path, statSync(path).mode & ~others)
        return !isOpen(path)
      } catch {
        return false
      }
    })()
    if (!closed) throw new StartFault({ name: 'FILLBOOK_CLOUD_DATA_DIR', wanted: 'a folder whose files other users of this computer cannot read', remedy: `Others may read ${path}: give it to the user who runs Fillbook Cloud, or name another folder.` })
  }
}
