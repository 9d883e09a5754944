import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { SignedInUser } from '#shared/api/session.ts'
import { flag, oneOf } from '../tables.ts'

export const profiles = sqliteTable('profiles', {
  id: text('id').primaryKey().notNull(),
  email: text('email').unique(),
  displayName: text('display_name').notNull(),
  passwordHash: text('password_hash'),
  recoveryHash: text('recovery_hash'),
  demo: integer('demo', { mode: 'boolean' }).notNull(),
  timeZone: text('time_zone').notNull(),
  createdAt: integer('created_at').notNull(),
  lastSignInAt: integer('last_sign_in_at'),
  firebaseUid: text('firebase_uid'),
  firebaseUser: text('firebase_user', { mode: 'json' }).$type<SignedInUser>(),
}, (table) => [uniqueIndex('profiles_by_firebase_uid').on(table.firebaseUid), flag(table.demo), check('profiles_firebase_user', sql`(firebase_user IS NULL) = (firebase_uid IS NULL)`)])

export const sessions = sqliteTable('sessions', {
  idHash: text('id_hash').primaryKey().notNull(),
  userId: text('user_id').references(() => profiles.id),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  endedBecause: text('ended_because', { enum: ['user-disabled', 'user-token-expired'] }),
  keyHash: text('key_hash'),
}, (table) => [index('sessions_by_key').on(table.keyHash), oneOf(table.endedBecause)])

export const oauthStates = sqliteTable('oauth_states', {
  state: text('state').primaryKey().notNull(),
  userId: text('user_id').notNull().references(() => profiles.id),
  returnTo: text('return_to', { enum: ['autosync', 'tradecopier'] }).notNull(),
  createdAt: integer('created_at').notNull(),
  history: integer('history', { mode: 'boolean' }).notNull().default(false),
}, (table) => [flag(table.history)])
