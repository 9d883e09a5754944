import type { Reader, Writer } from '../db/database.ts'
import type { JournalReads } from './journal-reads.ts'
import type { JournalWrites } from './journal-writes.ts'

/** A question of the journal as a function of the connection. */
export type Read<Name extends keyof JournalReads> = (reader: Reader, ...input: Parameters<JournalReads[Name]>) => ReturnType<JournalReads[Name]>

/** A change of the journal as a function of the writing connection; it runs inside one transaction. */
export type Write<Name extends keyof JournalWrites> = (writer: Writer, ...input: Parameters<JournalWrites[Name]>) => ReturnType<JournalWrites[Name]>
