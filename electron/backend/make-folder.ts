import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, with its parents. Node's own recursive `mkdir` never returns if the parent exists but the system
 * still reports a missing file, as below `/proc`: here that fails with that error.
 */
export const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder)
  } catch (error) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    if (isThere) return
    const above = dirname(folder)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || above === folder || statSync(above, { throwIfNoEntry: false }) !== undefined) throw error
    makeFolder(above)
    mkdirSync(folder)
  }
}
