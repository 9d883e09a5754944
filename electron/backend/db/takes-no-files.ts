import { statfsSync } from 'node:fs'

/** Whether no more files fit onto a folder's disk, however much space is left: SQLite says no more than that it cannot open one. */
export const takesNoFiles = (folder: string): boolean => {
  try {
    const { files, ffree } = statfsSync(folder)
    return files > 0 && ffree === 0
  } catch {
    return false
  }
}
