import { eq } from 'drizzle-orm'
import { callCheck } from '#shared/plans/call-check.ts'
import type { Role } from '#shared/plans/checks.ts'
import type { Requirement } from '#shared/plans/plan.ts'
import type { Database, Sql } from './database.ts'
import { storedBytes, subscriptions, type Subscription } from './schema.ts'

/** A write would exceed the user's storage; nothing of it was saved. */
export class StorageFull extends Error {}

/** Bytes that a user may store: without a plan, with AutoSync, with a Trade Copier plan. */
export type StorageLimits = { readonly none: number } & Readonly<Record<Requirement, number>>

/** What a user stores and may store, in bytes. */
export type Stored = { readonly bytes: number; readonly limit: number }

/** How much each user may store. */
export type StorageRule = {
  /** What everyone may store: below it no plan has to be looked up. */
  readonly smallest: number
  readonly limitOf: (userId: string, kept: Subscription | null) => number
}

/** The rule of these limits; `now` is UTC ms. */
export const storageRule = (limits: StorageLimits, roleOf: (userId: string) => Role, now: () => number): StorageRule => ({
  smallest: Math.min(limits.none, limits.autosync, limits.tradecopier),
  limitOf: (userId, kept) => {
    const asked = kept === null ? { kind: 'missing' as const } : { kind: 'found' as const, subscription: kept }
    const has = (requirement: Requirement): boolean => callCheck({ role: roleOf(userId), asked, details: null, requirement, now: now() }) === 'open'
    if (has('tradecopier')) return limits.tradecopier
    return has('autosync') ? limits.autosync : limits.none
  },
})

/** Reads what a user stores, and what the user's plan allows. */
export type Storage = { readonly of: (userId: string) => Promise<Stored> }

/** The same for this database. */
export const openStorage = (database: Database, rule: StorageRule): Storage => ({
  of: async (userId) => {
    const found = await database.ownRow<{ bytes: string | number | null; content: Subscription | null }>(
      userId,
      'SELECT (SELECT bytes FROM stored_bytes WHERE user_id = current_user_id()) AS bytes, (SELECT content FROM subscriptions WHERE user_id = current_user_id()) AS content',
    )
    return { bytes: Number(found?.bytes ?? 0), limit: rule.limitOf(userId, found?.content ?? null) }
  },
})

/** Throws `StorageFull` if a transaction that wrote ends with more than the plan allows, and more than `before`: making the journal smaller is always allowed. */
export const requireRoom = async (tx: Sql, userId: string, rule: StorageRule, before: number): Promise<void> => {
  const [kept] = await tx.select({ bytes: storedBytes.bytes }).from(storedBytes).where(eq(storedBytes.userId, userId))
  const bytes = kept?.bytes ?? 0
  if (bytes <= before || bytes <= rule.smallest) return
  const [subscription] = await tx.select({ content: subscriptions.content }).from(subscriptions).where(eq(subscriptions.userId, userId))
  if (bytes > rule.limitOf(userId, subscription?.content ?? null)) throw new StorageFull('More than the plan allows')
}
