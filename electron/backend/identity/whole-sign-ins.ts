import type { Database } from 'better-sqlite3'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

const tables = ['profiles', 'sessions'] as const

/** Throws `damaged-database` where a table is damaged without which nobody signs in: then nobody could reach a backup in the app either. Reads these tables alone. */
export const requireSignIns = (database: Database): void => {
  for (const table of tables) {
    let found: unknown
    try {
      found = database.pragma(`integrity_check(${table})`, { simple: true })
    } catch (error) {
      throw sqliteFault(error)
    }
    if (found !== 'ok') throw storeFault('damaged-database', `Nobody can sign in: ${table} is damaged`)
  }
}
