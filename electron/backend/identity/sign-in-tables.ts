import type { Database } from 'better-sqlite3'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

const tables = ['profiles', 'sessions'] as const

/** Throws `damaged-database` if a table that signing in needs is damaged, because then nobody can reach the backups in the app either. Reads only these tables. */
export const checkSignInTables = (database: Database): void => {
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
