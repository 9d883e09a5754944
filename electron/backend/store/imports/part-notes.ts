import { fillsToldBy } from '#shared/imports/accounts.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import { change, query, type Reader, type Writer } from '../database.ts'

/** Where a part of an import's readings lies. */
export type PartPlace = { readonly userId: string; readonly importId: string; readonly place: number; readonly part: number }

/** A part of an import's readings: whose they are, and what is known of them without reading them. */
export type PartNote = AccountNamed & {
  readonly importId: string
  /** Whose its rows are that name no account and tell of no fill that is known. */
  readonly otherwise: string | null
  /** The sizes of ticks by contract. */
  readonly contracts: Readonly<Record<string, readonly string[]>>
  /** A number for each fill: another number is another fill for sure. */
  readonly fills: Float64Array
}

/** A number of 53 bits for a text (cyrb53), so that two of millions are hardly ever the same. */
export const numberOf = (text: string): number => {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & other) + (one >>> 0)
}

/** Notes of a part what its changes can reach; runs in the caller's transaction. */
export const notePart = (writer: Writer, { userId, importId, place, part }: PartPlace, readings: readonly Reading[]): void => {
  const contracts = new Map<string, Set<string>>()
  for (const reading of readings) {
    if (reading.says === 'cash' || reading.says === 'balance') continue
    const sizes = contracts.get(reading.contract) ?? new Set()
    contracts.set(reading.contract, sizes.add(reading.tickSize))
  }
  const fills = Float64Array.from(new Set(readings.flatMap(fillsToldBy)), numberOf)
  const text = JSON.stringify(Object.fromEntries([...contracts].map(([contract, sizes]) => [contract, [...sizes]])))
  change(writer, 'INSERT INTO import_notes (user_id, import_id, place, part, contracts, fills) VALUES (?, ?, ?, ?, ?, ?)').run(userId, importId, place, part, text, Buffer.from(fills.buffer))
}

type Row = AccountNamed & { importId: string; otherwise: string | null; contracts: string | null; fills: Buffer | null }

const sql = `SELECT readings.import_id AS importId, account_name AS name, account_id AS id, account AS otherwise, contracts, fills FROM import_readings AS readings
  JOIN imports ON imports.user_id = readings.user_id AND imports.id = readings.import_id
  LEFT JOIN import_notes AS notes ON notes.user_id = readings.user_id AND notes.import_id = readings.import_id AND notes.place = readings.place AND notes.part = readings.part
  WHERE readings.user_id = ?`

const noteOf = ({ contracts, fills, ...row }: Row): PartNote | null => {
  if (contracts === null || fills === null) return null
  const numbers = new Float64Array(fills.buffer.slice(fills.byteOffset, fills.byteOffset + fills.byteLength))
  return { ...row, contracts: JSON.parse(contracts) as PartNote['contracts'], fills: numbers }
}

const all = (rows: Iterable<Row>): readonly PartNote[] | null => {
  const notes: PartNote[] = []
  for (const row of rows) {
    const note = noteOf(row)
    if (note === null) return null
    notes.push(note)
  }
  return notes
}

/** What is known of the parts of all imports that stand; null where of one of them nothing is. */
export const standingNotes = (reader: Reader, userId: string): readonly PartNote[] | null => all(query<Row>(reader, `${sql} AND state = 'standing'`).iterate(userId))

/** What is known of the parts of one import; null where of one of them nothing is. */
export const notesOfImport = (reader: Reader, userId: string, importId: string): readonly PartNote[] | null => all(query<Row>(reader, `${sql} AND readings.import_id = ?`).iterate(userId, importId))
