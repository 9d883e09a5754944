import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { closeReader, openDatabase, openReader, writerOf, type Reader, type Writer } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { sqliteFault } from '../../db/sqlite-fault.ts'

/** The file of a user's prices. Each user has one: a data license is personal, and deleting prices deletes a file. */
export type PricePaths = { readonly file: string; readonly migrationsFolder: string }

/** The file of a user's prices in a folder for all of them. */
export const priceFileOf = (folder: string, userId: string): string => {
  if (!/^[\w-]{1,128}$/.test(userId)) throw new Error('A user id that names no file')
  return join(folder, `${userId}.db`)
}

/** Runs `work` on the file as its writer, making it first where there is none. Throws a StoreFault that names the file. */
export const writingPrices = <T>({ file, migrationsFolder }: PricePaths, work: (writer: Writer) => T): T => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) makePriceFile(file, migrationsFolder)
    const database = openDatabase(file)
    try {
      // Prices can be imported again: no copy is made of them.
      migrate(database, migrationsFolder, null)
      const done = work(writerOf(database))
      database.pragma('incremental_vacuum')
      return done
    } finally {
      database.close()
    }
  } catch (error) {
    throw Object.assign(sqliteFault(error), { file })
  }
}

/** Makes an empty file of prices: where the disk is full, or at a kill, none is left that readers would take for a damaged one. */
const makePriceFile = (file: string, migrationsFolder: string): void => {
  const part = `${file}.part`
  removeFiles(part)
  try {
    const database = openDatabase(part)
    try {
      // Room that is freed goes back to the disk.
      database.pragma('auto_vacuum = INCREMENTAL')
      database.exec('VACUUM')
      migrate(database, migrationsFolder, null)
    } finally {
      database.close()
    }
    renameSync(part, file)
  } finally {
    removeFiles(part)
  }
}

/** Runs `work` on one state of the file; `none` where there is no file. */
export const readingPrices = <T>({ file }: Pick<PricePaths, 'file'>, none: T, work: (reader: Reader) => T): T => {
  if (!existsSync(file)) return none
  try {
    const reader = openReader(file)
    try {
      return work(reader)
    } finally {
      closeReader(reader)
    }
  } catch (error) {
    throw Object.assign(sqliteFault(error), { file })
  }
}

/** Removes the prices of a user as files. */
export const deletePriceFile = (file: string): void => {
  for (const name of [file, `${file}.part`]) removeFiles(name)
}

const removeFiles = (file: string): void => {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
}
