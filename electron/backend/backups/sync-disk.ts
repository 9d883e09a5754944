import { closeSync, fsyncSync, openSync } from 'node:fs'
import path from 'node:path'

const syncOne = (file: string, flags: string): void => {
  const handle = openSync(file, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Syncs a file to disk. */
export const syncFile = (file: string): void => {
  syncOne(file, 'r+')
}

/** Syncs the folder of a file to disk. */
export const syncNames = (file: string): void => {
  // Windows cannot open a folder, and its renames do not need this.
  if (process.platform !== 'win32') syncOne(path.dirname(file), 'r')
}
