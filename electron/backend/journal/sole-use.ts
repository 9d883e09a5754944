import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

const wait = 2_000

/**
 * Takes a journal for this program alone, until it is given back or the program ends, however it ends: the lock is
 * the operating system's, on a small database beside the journal. Throws `busy` where another program has it, and
 * `two-names` where the journal has another name (a hard link), by which a second program would find neither lock nor log.
 */
export const takeSoleUse = (file: string): { readonly giveBack: () => void } => {
  const lock = new SqliteDatabase(`${file}.lock`, { timeout: wait })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw sqliteFault(error)
  }
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
    lock.close()
    throw storeFault('two-names', 'The journal has two names')
  }
  return { giveBack: () => lock.close() }
}
