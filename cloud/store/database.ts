import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Where the journals are: on a PostgreSQL server, or embedded in this process with its files in a folder. */
export type DatabasePlace =
  | { readonly kind: 'server'; readonly url: string; readonly poolSize: number }
  | { readonly kind: 'embedded'; readonly folder: string }

/** Typed queries, the same for both. */
export type Sql = PgDatabase<PgQueryResultHKT>

/** A `write` sees what others have committed meanwhile, a `read` one state throughout. An `alone` is a write during which nobody else writes for the same user. */
export type TransactionKind = 'write' | 'read' | 'alone'

/** One connection as a migration needs it: whole scripts in one transaction. */
export type Scripts = { readonly run: (script: string) => Promise<void>; readonly rows: <Row>(query: string, values?: readonly unknown[]) => Promise<readonly Row[]> }

/** Whose rows a transaction sees and writes, for the database itself to hold it to: those of one user, or of nobody for the tables that know no users. */
export type Owner = string | null

/** PostgreSQL, wherever it is. */
export type Database = {
  /** All of `work` or nothing of it, in the name of `owner`. Throws `AccountDeleted` where that user is no more. */
  readonly transaction: <T>(kind: TransactionKind, owner: Owner, work: (sql: Sql) => Promise<T>) => Promise<T>
  /** The row that a query without parameters finds, read in its owner's name in one round trip; null where there is none. In it `current_user_id()` is the owner. Throws `AccountDeleted` as above. */
  readonly ownRow: <Row>(owner: string, query: string) => Promise<Row | null>
  readonly scripts: <T>(work: (scripts: Scripts) => Promise<T>) => Promise<T>
  /** Rejects where the database does not answer. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

const writing = { isolationLevel: 'read committed', accessMode: 'read write' } as const

/** How each kind begins. */
export const modes = { write: writing, alone: writing, read: { isolationLevel: 'repeatable read', accessMode: 'read only' } } as const satisfies Record<TransactionKind, object>
