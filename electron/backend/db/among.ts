import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** Whether an expression has one of many values: a single parameter, however many they are. */
export const isAmong = (of: SQLWrapper, values: readonly (string | number)[]): SQL => sql`${of} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
