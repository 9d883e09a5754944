import type { Database } from 'better-sqlite3'

/** A table of a SQLite database, as far as SQLite describes it. */
export type DescribedTable = {
  readonly columns: readonly string[]
  readonly primaryKey: readonly string[]
  readonly autoincrement: boolean
  readonly strict: boolean
  readonly withoutRowid: boolean
  /** Columns of each UNIQUE constraint. */
  readonly uniques: readonly string[]
  readonly indexes: readonly string[]
  readonly references: readonly string[]
  readonly checks: readonly string[]
  /** Clauses that no other field covers; no table has one. */
  readonly clauses: readonly string[]
}

type Column = { readonly name: string; readonly type: string; readonly notnull: number; readonly dflt_value: string | null; readonly pk: number; readonly hidden: number }
type Index = { readonly name: string; readonly unique: number; readonly origin: 'c' | 'u' | 'pk'; readonly partial: number }
type IndexColumn = { readonly name: string | null; readonly desc: number; readonly coll: string; readonly key: number }
type Reference = { readonly id: number; readonly table: string; readonly from: string; readonly to: string; readonly on_update: string; readonly on_delete: string }

/** The words of a statement, without comments; names without quotes, and all but texts in lower case. */
const wordsOf = (sql: string): string[] =>
  [...sql.matchAll(/--[^\n]*|'(?:[^']|'')*'|["`][^"`]+["`]|\w+|[^\s\w]/g)]
    .map(([word]) => word)
    .filter((word) => !word.startsWith('--'))
    .map((word) => (word.startsWith("'") ? word : word.replaceAll(/["`]/g, '').toLowerCase()))

/** The conditions of all CHECKs of a CREATE TABLE. */
const checksOf = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    if (word !== 'check') return []
    let depth = 0
    const end = words.findIndex((one, index) => index > at && (depth += one === '(' ? 1 : one === ')' ? -1 : 0) === 0)
    return [words.slice(at + 2, end).join(' ')]
  })

const describeTable = (database: Database, name: string, sql: string, { strict, wr }: { readonly strict: number; readonly wr: number }): DescribedTable => {
  const words = wordsOf(sql)
  const columns = database.pragma(`table_xinfo(${name})`) as Column[]
  const indexes = (database.pragma(`index_list(${name})`) as Index[]).map((index) => {
    const text = database.prepare<[string], { sql: string | null }>('SELECT sql FROM sqlite_schema WHERE name = ?').get(index.name)?.sql ?? ''
    const where = wordsOf(text)
    return {
      ...index,
      on: (database.pragma(`index_xinfo(${index.name})`) as IndexColumn[]).filter(({ key }) => key === 1).map(({ name: column, desc, coll }) => `${column ?? 'an expression'}${desc === 1 ? ' DESC' : ''}${coll === 'BINARY' ? '' : ` ${coll}`}`).join(', '),
      where: index.partial === 1 ? ` WHERE ${where.slice(where.indexOf('where') + 1).join(' ')}` : '',
    }
  })
  // Drizzle-kit makes a unique index of a UNIQUE constraint and ends its name so.
  const isConstraint = ({ origin, unique, name: index }: Index): boolean => origin === 'u' || (unique === 1 && index.endsWith('_unique'))
  const references = Map.groupBy(database.pragma(`foreign_key_list(${name})`) as Reference[], ({ id }) => id)
  return {
    // The number of a row is never null, whatever SQLite says of the column.
    columns: columns.map(({ name: column, type, notnull, dflt_value: value, pk, hidden }) => [column, type.toUpperCase(), ...(notnull === 1 || (pk === 1 && type.toUpperCase() === 'INTEGER') ? ['NOT NULL'] : []), ...(value === null ? [] : [`DEFAULT ${value === 'false' ? '0' : value === 'true' ? '1' : value}`]), ...(hidden === 0 ? [] : ['GENERATED'])].join(' ')),
    primaryKey: columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk).map(({ name: column }) => column),
    autoincrement: words.includes('autoincrement'),
    strict: strict === 1,
    withoutRowid: wr === 1,
    uniques: indexes.filter(isConstraint).map(({ on }) => on).sort(),
    indexes: indexes.filter((index) => index.origin !== 'pk' && !isConstraint(index)).map((index) => `${index.unique === 1 ? 'UNIQUE ' : ''}${index.name} (${index.on})${index.where}`).sort(),
    references: [...references.values()].map((parts) => `(${parts.map(({ from }) => from).join(', ')}) REFERENCES ${parts[0]?.table ?? ''} (${parts.map(({ to }) => to).join(', ')}) ON UPDATE ${parts[0]?.on_update ?? ''} ON DELETE ${parts[0]?.on_delete ?? ''}`).sort(),
    checks: checksOf(words).sort(),
    clauses: words.filter((word) => ['collate', 'conflict', 'deferrable', 'generated'].includes(word)),
  }
}

/** What a SQLite database is made of, with all rows left out: tables but the record of migrations, and everything else that has a name of its own, with its text. */
export const describeSqlite = (database: Database): { readonly tables: Record<string, DescribedTable>; readonly others: Record<string, string> } => {
  const made = database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'schema_migrations'").all() as { type: string; name: string; sql: string }[]
  const lists = database.pragma('table_list') as { schema: string; name: string; strict: number; wr: number }[]
  const tables = made.filter(({ type }) => type === 'table').map(({ name, sql }) => [name, describeTable(database, name, sql, lists.find((list) => list.schema === 'main' && list.name === name) ?? { strict: 0, wr: 0 })] as const)
  const others = made.filter(({ type }) => type !== 'table' && type !== 'index').map(({ type, name, sql }) => [`${type} ${name}`, wordsOf(sql).join(' ')] as const)
  return { tables: Object.fromEntries(tables), others: Object.fromEntries(others) }
}
