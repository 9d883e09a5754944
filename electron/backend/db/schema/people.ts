import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { SignedInUser } from '#shared/api/session.ts'
import { flag, oneOf } from '../tables.ts'

export const profiles = sqliteTable('profiles', {
  id: text('id').primaryKey().notNull(),
  /** Lower case; null for the demo profile, for an unclaimed one, and for a Firebase user whose profile began as such. */
  email: text('email').unique(),
  displayName: text('display_name').notNull(),
  passwordHash: text('password_hash'),
  recoveryHash: text('recovery_hash'),
  demo: integer('demo', { mode: 'boolean' }).notNull(),
  /** IANA name: the time zone of the profile's local dates. */
  timeZone: text('time_zone').notNull(),
  createdAt: integer('created_at').notNull(),
  lastSignInAt: integer('last_sign_in_at'),
  /** Firebase's user id; null for a local profile. */
  firebaseUid: text('firebase_uid'),
  /** Firebase's latest user record; its `uid` is Firebase's. */
  firebaseUser: text('firebase_user', { mode: 'json' }).$type<SignedInUser>(),
}, (table) => [uniqueIndex('profiles_by_firebase_uid').on(table.firebaseUid), flag(table.demo), check('profiles_firebase_user', sql`(firebase_user IS NULL) = (firebase_uid IS NULL)`)])

export const sessions = sqliteTable('sessions', {
  idHash: text('id_hash').primaryKey().notNull(),
  userId: text('user_id').references(() => profiles.id),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  endedBecause: text('ended_because', { enum: ['user-disabled', 'user-token-expired'] }),
  /** The hash of the key in the page's storage; null until the browser has one. */
  keyHash: text('key_hash'),
}, (table) => [index('sessions_by_key').on(table.keyHash), oneOf(table.endedBecause)])

export const oauthStates = sqliteTable('oauth_states', {
  state: text('state').primaryKey().notNull(),
  userId: text('user_id').notNull().references(() => profiles.id),
  returnTo: text('return_to', { enum: ['autosync', 'tradecopier'] }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** Whether to backfill the history too. */
  history: integer('history', { mode: 'boolean' }).notNull().default(false),
}, (table) => [flag(table.history)])
