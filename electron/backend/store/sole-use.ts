import SqliteDatabase from 'better-sqlite3'
import { sqliteFault } from './sqlite-fault.ts'

const wait = 2_000

/**
 * Takes a journal for this program alone, until it is given back or the program ends, however it ends: the lock is
 * the operating system's, on a small database beside the journal. Throws `busy` where another program has it.
 */
export const takeSoleUse = (file: string): { readonly giveBack: () => void } => {
  const lock = new SqliteDatabase(`${file}.lock`, { timeout: wait })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw sqliteFault(error)
  }
  return { giveBack: () => lock.close() }
}
