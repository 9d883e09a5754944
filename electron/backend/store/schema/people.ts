import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
})

export const sessions = sqliteTable('sessions', {
  idHash: text('id_hash').primaryKey().notNull(),
  userId: text('user_id').references(() => profiles.id),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const oauthStates = sqliteTable('oauth_states', {
  state: text('state').primaryKey().notNull(),
  userId: text('user_id').notNull().references(() => profiles.id),
  returnTo: text('return_to', { enum: ['autosync', 'tradecopier'] }).notNull(),
  createdAt: integer('created_at').notNull(),
})
