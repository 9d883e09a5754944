import { integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import type { AccountKey } from '#shared/fills/fill.ts'
import { oneOf, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const historyRequests = tableWithoutRowid(
  'history_wishes',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    loginId: text('login_id').notNull(),
    state: text('state', { enum: ['wanted', 'stopped', 'done', 'declined', 'refused'] }).notNull(),
    since: text('since'),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.loginId] }), oneOf(table.state)],
)

export const historyWindows = tableWithoutRowid(
  'history_windows',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    from: text('from_day').notNull(),
    to: text('to_day').notNull(),
    at: integer('at').notNull(),
    importId: text('import_id'),
    fills: integer('fills').notNull(),
    pairs: integer('pairs').notNull(),
    trades: integer('trades').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.from, table.to] })],
)
