import { eq } from 'drizzle-orm'
import type { Read, Write } from '../journal/part.ts'
import { rights as table } from '../db/schema/rights.ts'

export const rights: Read<'rights'> = ({ orm }, { userId }) => {
  const row = orm.select().from(table).where(eq(table.userId, userId)).get()
  if (row === undefined) return null
  const { cloud, subscription, details, admin, subscriber, verifiedAt, takenAt, age } = row
  return { cloud, subscription: parsed(subscription), details: parsed(details), role: { admin, subscriber }, verifiedAt, takenAt, age }
}

export const keepRights: Write<'keepRights'> = ({ orm }, { userId, subscription, details, role, ...rest }) => {
  const row = { ...rest, ...role, subscription: textOf(subscription), details: textOf(details) }
  orm.insert(table).values({ userId, ...row }).onConflictDoUpdate({ target: table.userId, set: row }).run()
}

// What was written here comes back as it was.
const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
