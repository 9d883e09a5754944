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

/** Lets a file's content reach the disk. */
export const syncFile = (file: string): void => {
  syncOne(file, 'r+')
}

/** Lets the names in the folder of a file reach the disk. */
export const syncNames = (file: string): void => {
  // Windows cannot open a folder, and its rename needs no such help.
  if (process.platform !== 'win32') syncOne(path.dirname(file), 'r')
}
