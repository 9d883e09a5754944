import { eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Sql } from './database.ts'
import { payers, paymentEvents, subscriptions, type Subscription } from './schema.ts'

/** What to save of a user after a request to the provider. */
export type PaymentChange = {
  /** Taken before the request to the provider. */
  readonly ticket: number
  /** The user's customer ids then, the current one first. */
  readonly customers: readonly string[]
  /** The event that led to it; null for a call. */
  readonly eventId: string | null
  /** UTC ms. */
  readonly now: number
  readonly change: (kept: Subscription | null) => Subscription
}

const daysKept = 90
const mostSweptAtOnce = 500

/** Stored payments: the customers of users, handled events, and the order in which answers were requested. */
export type Payments = ReturnType<typeof openPayments>

export const openPayments = (database: Database) => ({
  /** Higher than every earlier ticket, over all instances. */
  nextTicket: (): Promise<number> =>
    database.transaction('write', null, async (tx) => {
      const [row] = await tx.select({ ticket: sql<string>`nextval('payment_tickets')` }).from(sql`(SELECT 1) AS one`)
      return Number(row?.ticket)
    }),
  /** A user's customer ids, the current one first. */
  customersOf: (userId: string): Promise<readonly string[]> => database.transaction('read', userId, (tx) => customersIn(tx, userId)),
  /** Saves a user's customer id in place of `before`, and returns the one in effect: a concurrent call may have been faster. */
  nameCustomer: (userId: string, customerId: string, before: string | null): Promise<string> =>
    database.transaction('write', userId, async (tx) => {
      await tx.insert(payers).values({ userId, customers: [customerId] }).onConflictDoNothing()
      if (before !== null) await tx.update(payers).set({ customers: sql`array_prepend(${customerId}, array_remove(array_remove(${payers.customers}, ${customerId}), ${before}))` }).where(eq(payers.userId, userId))
      return (await customersIn(tx, userId))[0] ?? customerId
    }),
  isDone: (eventId: string): Promise<boolean> => database.transaction('read', null, async (tx) => (await tx.select({ id: paymentEvents.id }).from(paymentEvents).where(eq(paymentEvents.id, eventId))).length > 0),
  /** Writes a user's subscription, unless an answer with a higher ticket was written; marks the event as handled in either case. All or nothing. */
  keep: (userId: string, { ticket, customers, eventId, now, change }: PaymentChange): Promise<void> =>
    database.transaction('write', userId, async (tx) => {
      if (eventId !== null && !(await recordEvent(tx, eventId, now))) return
      const won = await tx
        .insert(payers)
        .values({ userId, customers: [...customers], ticket })
        .onConflictDoUpdate({ target: payers.userId, set: { customers: [...customers], ticket }, setWhere: lt(payers.ticket, ticket) })
        .returning({ ticket: payers.ticket })
      if (won.length === 0) return
      const [kept] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId)).for('update')
      const content = change(kept?.content ?? null)
      await tx.insert(subscriptions).values({ userId, content }).onConflictDoUpdate({ target: subscriptions.userId, set: { content } })
    }),
})

const customersIn = async (tx: Sql, userId: string): Promise<readonly string[]> => (await tx.select().from(payers).where(eq(payers.userId, userId)))[0]?.customers ?? []

/** Marks an event as handled, and deletes those that the provider does not send again; false if it was already handled. */
const recordEvent = async (tx: Sql, id: string, now: number): Promise<boolean> => {
  const noted = await tx.insert(paymentEvents).values({ id, receivedAt: new Date(now) }).onConflictDoNothing().returning({ id: paymentEvents.id })
  const old = tx
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(lt(paymentEvents.receivedAt, new Date(now - daysKept * 86_400_000)))
    .limit(mostSweptAtOnce)
    // Two concurrent sweeps must not wait for each other.
    .for('update', { skipLocked: true })
  await tx.delete(paymentEvents).where(inArray(paymentEvents.id, old))
  return noted.length > 0
}
