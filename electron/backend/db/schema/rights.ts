import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const rights = tableWithoutRowid('rights', {
  userId: text('user_id').primaryKey().notNull().references(() => profiles.id, { onDelete: 'cascade' }),
  cloud: text('cloud'),
  subscription: text('subscription'),
  details: text('details'),
  admin: integer('admin', { mode: 'boolean' }).notNull(),
  subscriber: integer('subscriber', { mode: 'boolean' }).notNull(),
  verifiedAt: integer('verified_at').notNull(),
  takenAt: integer('taken_at').notNull(),
  age: integer('age').notNull(),
}, (table) => [flag(table.admin), flag(table.subscriber)])
