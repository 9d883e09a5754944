import { unattributedGroups, type UnattributedRow } from '#shared/imports/unattributed.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { query, type Reader } from '../db/database.ts'
import { readingsOfImport, activeReadings, type KeptReading } from './queries.ts'
import { placedReadings, type Placing } from './assemble-imports.ts'
import type { OfImport } from './rows.ts'

/** A row, whose it is, and the key of its file. */
export type RowOfFile = Placing & { readonly reading: Reading; readonly file: string }

/** A row as it was kept, with whose it is. */
export const rowOf = (placing: Placing, row: KeptReading | undefined): readonly RowOfFile[] => (row === undefined ? [] : [{ ...placing, reading: row.reading, file: row.file.key }])

/**
 * The keys of new files whose account nobody knows: neither their rows nor their user name it, and no account has their fills.
 * Rows without an account name are an account of their own, and a file with one of its fills is of that one.
 */
export const openKeys = (rows: readonly RowOfFile[], isNew: (file: string) => boolean): ReadonlySet<string> => {
  const keys = [...new Set(rows.map(({ file }) => file))]
  const places = new Map(keys.map((key, place) => [key, place]))
  const left = rows.flatMap(({ reading, by, file }): readonly UnattributedRow[] => (reading.says === 'pair' && by === 'nothing' ? [{ file: places.get(file) ?? 0, pair: reading }] : []))
  const groups = unattributedGroups(left, true).map(({ files }) => [...files].map((place) => keys[place] ?? ''))
  // Orders and fills without an account are of one where they share any.
  const loose = rows.filter(({ reading: { says }, by }) => by === 'nothing' && (says === 'order' || says === 'fill'))
  const ofLoose = [...Map.groupBy(loose, ({ account }) => account).values()].map((own) => [...new Set(own.map(({ file }) => file))])
  return new Set([...groups, ...ofLoose].filter((files) => files.every(isNew)).flat())
}

/** Of an import that was read and is not active yet: the places of files whose account is unknown while there are several it may be. */
export const openFiles = (reader: Reader, { userId, importId }: OfImport): readonly number[] => {
  if (query(reader, openRowsSql).get(userId, importId) === undefined) return []
  const own = [...readingsOfImport(reader, userId, importId)].flat()
  const kept: readonly KeptReading[] = [...[...activeReadings(reader, userId)].flat(), ...own]
  const rows = placedReadings(reader, userId, kept).flatMap((placing, index) => rowOf(placing, kept[index]))
  const ownKeys = new Set(own.map(({ file }) => file.key))
  const open = openKeys(rows, (key) => ownKeys.has(key))
  const isOpen = ({ file }: RowOfFile): boolean => open.has(file)
  // One account that nobody names is its own, whatever it is called; beside another it may be that one.
  const ofOwn = new Set(rows.filter(({ file }) => ownKeys.has(file)).map(({ account }) => account))
  const isBesideOthers = ofOwn.size > 1 || hasAccounts(reader, userId) || rows.some((row) => row.by === 'nothing' && !isOpen(row))
  return isBesideOthers ? [...new Set(own.filter(({ file }) => open.has(file.key)).map(({ file }) => file.place))].sort((one, other) => one - other) : []
}

const openRowsSql = `SELECT 1 FROM import_readings AS readings JOIN imports ON imports.user_id = readings.user_id AND imports.id = readings.import_id
  LEFT JOIN import_files AS files ON files.user_id = readings.user_id AND files.import_id = readings.import_id AND files.place = readings.place
  WHERE readings.user_id = ? AND readings.import_id = ? AND account_name IS NULL AND account_id IS NULL AND COALESCE(files.account, imports.account) IS NULL LIMIT 1`

const hasAccounts = (reader: Reader, userId: string): boolean => query(reader, 'SELECT 1 FROM accounts WHERE user_id = ? AND removed_at IS NULL LIMIT 1').get(userId) !== undefined
