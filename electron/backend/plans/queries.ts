import { eq } from 'drizzle-orm'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { Role } from '#shared/plans/checks.ts'
import { rights as table } from '../db/schema/rights.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'

/** What a profile's cloud said last of its rights. Times are UTC ms. */
export type KeptRights = {
  /** Which cloud said it; null for what this computer keeps for a profile without one. */
  readonly cloud: string | null
  readonly subscription: Subscription | null
  /** As the payment provider stated it; null if unknown. */
  readonly details: ProviderDetails | null
  readonly role: Role
  /** By the cloud's clock. */
  readonly verifiedAt: number
  /** By this computer's clock. */
  readonly takenAt: number
  /** How old it is known to be, in ms; it never shrinks. */
  readonly age: number
}

/** Null where nothing was ever said. */
export const rights = ({ orm }: Reader, { userId }: OfUser): KeptRights | null => {
  const row = orm.select().from(table).where(eq(table.userId, userId)).get()
  if (row === undefined) return null
  const { cloud, subscription, details, admin, subscriber, verifiedAt, takenAt, age } = row
  return { cloud, subscription: parsed(subscription), details: parsed(details), role: { admin, subscriber }, verifiedAt, takenAt, age }
}

export const keepRights = ({ orm }: Writer, { userId, subscription, details, role, ...rest }: OfUser & KeptRights): void => {
  const row = { ...rest, ...role, subscription: textOf(subscription), details: textOf(details) }
  orm.insert(table).values({ userId, ...row }).onConflictDoUpdate({ target: table.userId, set: row }).run()
}

// What was written here comes back as it was.
const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
