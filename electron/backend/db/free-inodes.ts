import { statfsSync } from 'node:fs'

/** Whether a folder's disk accepts no more files, however much space is left: SQLite only says that it cannot open one. */
export const hasNoFreeInodes = (folder: string): boolean => {
  try {
    const { files, ffree } = statfsSync(folder)
    return files > 0 && ffree === 0
  } catch {
    return false
  }
}
