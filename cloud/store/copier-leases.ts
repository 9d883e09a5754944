import { and, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm'
import type { LeaseAnswer } from '#shared/api/copier-lease.ts'
import type { Database, Sql } from './database.ts'
import { copierLeases as table } from './schema.ts'

/** The accounts that a computer wants to copy to. */
export type LeaseRequest = {
  readonly machine: string
  readonly accounts: readonly string[]
  readonly seconds: number
  /** How many accounts all computers of the user together may copy to. */
  readonly limit: number
}

/** Which computer of each user copies to which accounts. Only the database's clock counts. */
export type CopierLeases = ReturnType<typeof openCopierLeases>

export const openCopierLeases = (database: Database) => ({
  /** Acquires or renews all of the accounts, or none. */
  take: (userId: string, request: LeaseRequest): Promise<LeaseAnswer> => database.transaction('write', userId, (tx) => take(tx, userId, request)),
  /** Releases this computer's leases on the accounts. */
  release: (userId: string, { machine, accounts }: { readonly machine: string; readonly accounts: readonly string[] }): Promise<void> =>
    database.transaction('write', userId, async (tx) => void (await tx.delete(table).where(and(eq(table.userId, userId), eq(table.machine, machine), inArray(table.account, [...accounts]))))),
})

const take = async (tx: Sql, userId: string, { machine, accounts, seconds, limit }: LeaseRequest): Promise<LeaseAnswer> => {
  // Missing rows cannot be locked: this serializes two computers that ask at once.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copier ${userId}`}, 0))`)
  // One time for all statements: a lease that ends between two of them would be neither dropped nor in the way.
  const [clock] = await tx.select({ now: sql<string>`clock_timestamp()::text` }).from(sql`(VALUES (1)) AS once`)
  const now = sql`${clock?.now}::timestamptz`
  await tx.delete(table).where(and(eq(table.userId, userId), lte(table.endsAt, now)))
  const given = [...new Set(accounts)]
  const others = await tx.select().from(table).where(and(eq(table.userId, userId), or(ne(table.machine, machine), sql`NOT ${inArray(table.account, given)}`), gt(table.endsAt, now)))
  const inTheWay = others.filter((lease) => lease.machine !== machine && given.includes(lease.account))
  if (inTheWay[0] !== undefined) return { outcome: 'elsewhere', since: inTheWay[0].since.toISOString(), accounts: inTheWay.map(({ account }) => account) }
  if (others.length + given.length > limit) return { outcome: 'plan-limit', limit }
  const until = sql`${now} + make_interval(secs => ${seconds})`
  const rows = given.map((account) => ({ userId, account, machine, since: now, endsAt: until }))
  const kept = await tx.insert(table).values(rows).onConflictDoUpdate({ target: [table.userId, table.account], set: { endsAt: sql`excluded.ends_at` } }).returning({ endsAt: table.endsAt })
  return { outcome: 'granted', until: new Date(Math.min(...kept.map(({ endsAt }) => endsAt.getTime()))).toISOString() }
}
