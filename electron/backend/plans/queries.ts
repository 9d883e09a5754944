import { eq } from 'drizzle-orm'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { Role } from '#shared/plans/checks.ts'
import { rights as table } from '../db/schema/rights.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'

/** The rights that a profile's cloud last reported. Times are UTC ms. */
export type StoredRights = {
  /** The cloud that reported it; null for what this computer stores for a profile without one. */
  readonly cloud: string | null
  readonly subscription: Subscription | null
  /** The payment provider's details; null if unknown. */
  readonly details: ProviderDetails | null
  readonly role: Role
  /** By the cloud's clock. */
  readonly verifiedAt: number
  /** By this computer's clock. */
  readonly takenAt: number
  /** Its known age in ms; it never decreases. */
  readonly age: number
}

/** Null if none were ever stored. */
export const rights = ({ orm }: Reader, { userId }: OfUser): StoredRights | null => {
  const row = orm.select().from(table).where(eq(table.userId, userId)).get()
  if (row === undefined) return null
  const { cloud, subscription, details, admin, subscriber, verifiedAt, takenAt, age } = row
  return { cloud, subscription: parsed(subscription), details: parsed(details), role: { admin, subscriber }, verifiedAt, takenAt, age }
}

export const saveRights = ({ orm }: Writer, { userId, subscription, details, role, ...rest }: OfUser & StoredRights): void => {
  const row = { ...rest, ...role, subscription: textOf(subscription), details: textOf(details) }
  orm.insert(table).values({ userId, ...row }).onConflictDoUpdate({ target: table.userId, set: row }).run()
}

// It was written here, so it parses.
const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
