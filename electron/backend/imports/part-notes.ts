import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'

/** Where a part of an import's readings lies. */
export type PartPlace = { readonly userId: string; readonly importId: string; readonly place: number; readonly part: number }

/** A part of an import's readings: their account, and the facts known without reading them. */
export type PartNote = AccountNamed & {
  readonly importId: string
  /** The account that the user chose for rows that name none. */
  readonly otherwise: string | null
  /** The sizes of ticks by contract. */
  readonly contracts: Readonly<Record<string, readonly string[]>>
}

/** Notes of a part what its changes can reach; runs in the caller's transaction. */
export const notePart = (writer: Writer, { userId, importId, place, part }: PartPlace, readings: readonly Reading[]): void => {
  const contracts = new Map<string, Set<string>>()
  for (const reading of readings) {
    if (reading.says !== 'fill' && reading.says !== 'order' && reading.says !== 'pair') continue
    const sizes = contracts.get(reading.contract) ?? new Set()
    contracts.set(reading.contract, sizes.add(reading.tickSize))
  }
  const text = JSON.stringify(Object.fromEntries([...contracts].map(([contract, sizes]) => [contract, [...sizes]])))
  change(writer, 'INSERT INTO import_notes (user_id, import_id, place, part, contracts) VALUES (?, ?, ?, ?, ?)').run(userId, importId, place, part, text)
}

type Row = AccountNamed & { importId: string; otherwise: string | null; contracts: string | null }

const sql = `SELECT readings.import_id AS importId, account_name AS name, account_id AS id, COALESCE(files.account, imports.account) AS otherwise, contracts FROM import_readings AS readings
  JOIN imports ON imports.user_id = readings.user_id AND imports.id = readings.import_id
  LEFT JOIN import_files AS files ON files.user_id = readings.user_id AND files.import_id = readings.import_id AND files.place = readings.place
  LEFT JOIN import_notes AS notes ON notes.user_id = readings.user_id AND notes.import_id = readings.import_id AND notes.place = readings.place AND notes.part = readings.part
  WHERE readings.user_id = ?`

const noteOf = ({ contracts, ...row }: Row): PartNote | null => (contracts === null ? null : { ...row, contracts: JSON.parse(contracts) as PartNote['contracts'] })

const all = (rows: Iterable<Row>): readonly PartNote[] | null => {
  const notes: PartNote[] = []
  for (const row of rows) {
    const note = noteOf(row)
    if (note === null) return null
    notes.push(note)
  }
  return notes
}

/** The facts of the parts of all active imports; null if one of them has none. */
export const notesOfActiveImports = (reader: Reader, userId: string): readonly PartNote[] | null => all(query<Row>(reader, `${sql} AND state = 'standing'`).iterate(userId))

/** The facts of the parts of one import; null if one of them has none. */
export const notesOfImport = (reader: Reader, userId: string, importId: string): readonly PartNote[] | null => all(query<Row>(reader, `${sql} AND readings.import_id = ?`).iterate(userId, importId))
