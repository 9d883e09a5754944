import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Where the journals are: on a PostgreSQL server, or embedded in this process with its files in a folder. */
export type DatabasePlace =
  | { readonly kind: 'server'; readonly url: string; readonly poolSize: number }
  | { readonly kind: 'embedded'; readonly folder: string }

/** Typed queries, the same for both. */
export type Sql = PgDatabase<PgQueryResultHKT>

/** A `write` sees what others have committed meanwhile, a `read` one state throughout. */
export type TransactionKind = 'write' | 'read'

/** One connection as a migration needs it: whole scripts in one transaction. */
export type Scripts = { readonly run: (script: string) => Promise<void>; readonly rows: <Row>(query: string, values?: readonly unknown[]) => Promise<readonly Row[]> }

/** PostgreSQL, wherever it is. */
export type Database = {
  /** All of `work` or nothing of it. */
  readonly transaction: <T>(kind: TransactionKind, work: (sql: Sql) => Promise<T>) => Promise<T>
  readonly scripts: <T>(work: (scripts: Scripts) => Promise<T>) => Promise<T>
  /** Rejects where the database does not answer. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

/** How each kind begins. */
export const modes = { write: { isolationLevel: 'read committed', accessMode: 'read write' }, read: { isolationLevel: 'repeatable read', accessMode: 'read only' } } as const
