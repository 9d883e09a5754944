import { existsSync, statSync } from 'node:fs'
import { closeReader, consistently, openDatabase, openReader, query, type Reader } from '../../db/database.ts'
import { followerFigures } from './figures.ts'
import { ledgerCsv, ledgerPage } from './ledger.ts'
import type { LedgerReads } from './rows.ts'

/** The ledger beside the copier. `tend`, to be called each second or so, keeps the log of the file short, so that no order waits for that. */
export type Ledger = LedgerReads & { readonly tend: () => void; readonly close: () => void }

const isMade = (reader: Reader): boolean => query<{ count: number }>(reader, "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'events'").get()?.count === 1

/** Opens the ledger of the copier's file, its questions on a connection that cannot write; null where there is no such file yet. Throws a StoreFault where it can't be read. */
export const openLedger = (file: string): Ledger | null => {
  if (!existsSync(file)) return null
  const reader = openReader(file)
  if (!isMade(reader)) {
    closeReader(reader)
    return null
  }
  const upkeep = openUpkeep(file)
  return {
    ledger: (input) => consistently(reader, () => ledgerPage(reader, input)),
    figures: (input) => consistently(reader, () => followerFigures(reader, input)),
    csv: (input) => consistently(reader, () => ledgerCsv(reader, input)),
    tend: upkeep.tend,
    close: () => {
      closeReader(reader)
      upkeep.close()
    },
  }
}

const worthIt = 4 * 1024 * 1024
const tooLarge = 48 * 1024 * 1024

/** Brings the log into the file when nothing was written to it since the last call, or when it has grown large. */
const openUpkeep = (file: string): Pick<Ledger, 'tend' | 'close'> => {
  const database = openDatabase(file)
  // Where the copier writes this moment, the next call will do.
  database.pragma('busy_timeout = 0')
  const sizeOfLog = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  let before = 0
  const bringIn = (): void => {
    // Most of it without any lock, so that the second, which keeps writers off, finds little to do.
    database.pragma('wal_checkpoint(PASSIVE)')
    database.pragma('wal_checkpoint(TRUNCATE)')
    // The first write to a new log waits for the disk: better this one, which changes nothing, than a leader's fill.
    if (sizeOfLog() === 0) database.pragma(`user_version = ${String(database.pragma('user_version', { simple: true }))}`)
  }
  return {
    tend: () => {
      const size = sizeOfLog()
      if (size > tooLarge || (size > worthIt && size === before)) bringIn()
      before = sizeOfLog()
    },
    close: () => database.close(),
  }
}
