import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, with those above it. Node's own recursive `mkdir` never returns where the folder above is there and the
 * system finds no such file all the same, as below `/proc`: here that fails as whatever it is.
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
