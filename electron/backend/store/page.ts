import { query, type Reader } from './database.ts'
import type { PageQuery } from './journal-reads.ts'
import { accountName } from './trade-view.ts'

/** What is paged: a table, what of it is in view (a condition that takes the user `users` times), and by which expression it is sorted. */
export type Paged = { readonly table: 'trades' | 'counted_trips'; readonly inView: string; readonly users: number; readonly sort: string }

/** The row numbers of one window of a filtered, sorted list, and how many rows the whole of it has; ties go by id. */
export const readPage = (reader: Reader, { table, inView, users, sort }: Paged, page: PageQuery): { total: number; refs: number[] } => {
  const filters = [
    { column: 'row.symbol', wanted: page.symbol },
    { column: accountName, wanted: page.account },
  ].filter(({ wanted }) => wanted !== '')
  const where = [inView, ...filters.map(({ column }) => `instr(folded(${column}), ?) > 0`)].join(' AND ')
  const values = [...Array.from({ length: users }, () => page.userId), ...filters.map(({ wanted }) => wanted.toLowerCase())]
  const from = `FROM ${table} AS row LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id WHERE ${where}`
  const total = query<{ total: number }>(reader, `SELECT count(*) AS total ${from}`).get(...values)?.total ?? 0
  const direction = page.direction === 'asc' ? 'ASC' : 'DESC'
  const rows = query<{ ref: number }>(reader, `SELECT row.ref ${from} ORDER BY ${sort} ${direction}, row.id ${direction} LIMIT ? OFFSET ?`)
  return { total, refs: rows.all(...values, page.limit, page.offset).map(({ ref }) => ref) }
}
