import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** The database: a PostgreSQL server, or embedded in this process with its files in a folder. */
export type DatabasePlace =
  | { readonly kind: 'server'; readonly url: string; readonly poolSize: number }
  | { readonly kind: 'embedded'; readonly folder: string }

/** Typed queries, the same for both. */
export type Sql = PgDatabase<PgQueryResultHKT>

/** A `write` sees what others commit meanwhile, a `read` sees one snapshot. An `alone` is a write during which no one else writes for the same user. */
export type TransactionKind = 'write' | 'read' | 'alone'

/** A connection for migrations: runs whole scripts in one transaction. */
export type Scripts = { readonly run: (script: string) => Promise<void>; readonly rows: <Row>(query: string, values?: readonly unknown[]) => Promise<readonly Row[]> }

/** The user whose rows a transaction may see and write, enforced by the database; null for the tables without users. */
export type Owner = string | null

/** PostgreSQL, on a server or embedded. */
export type Database = {
  /** Runs `work` as a whole or not at all, in the name of `owner`. Throws `AccountDeleted` if that user was deleted. */
  readonly transaction: <T>(kind: TransactionKind, owner: Owner, work: (sql: Sql) => Promise<T>) => Promise<T>
  /**
   * The row of a query without parameters, read in its owner's name in one round trip; null if there is none.
   * `current_user_id()` in it is the owner. The query is text, because drizzle cannot send one together with BEGIN and
   * COMMIT: most of the benchmark `cloud` is round trips. Throws `AccountDeleted` as above.
   */
  readonly ownRow: <Row>(owner: string, query: string) => Promise<Row | null>
  readonly scripts: <T>(work: (scripts: Scripts) => Promise<T>) => Promise<T>
  /** Rejects if the database does not answer. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

const writing = { isolationLevel: 'read committed', accessMode: 'read write' } as const

/** How each kind begins. */
export const modes = { write: writing, alone: writing, read: { isolationLevel: 'repeatable read', accessMode: 'read only' } } as const satisfies Record<TransactionKind, object>
