import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { oneOf, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const reports = sqliteTable(
  'reports',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    id: text('id').notNull(),
    createdAt: integer('created_at').notNull(),
    madeBy: text('made_by', { enum: ['user', 'schedule'] }).notNull(),
    kind: text('kind', { enum: ['day', 'week', 'month', 'free'] }).notNull(),
    fromDay: text('from_day').notNull(),
    toDay: text('to_day').notNull(),
    accounts: text('accounts').notNull(),
    tradeCount: integer('trade_count').notNull(),
    net: text('net').notNull(),
    evident: integer('evident').notNull(),
    narrativeState: text('narrative_state', { enum: ['writing', 'checking', 'done', 'cancelled', 'failed'] }),
    narrative: text('narrative'),
    content: text('content').notNull(),
    trades: blob('trades', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('reports_by_time').on(table.userId, table.createdAt), oneOf(table.madeBy), oneOf(table.kind), oneOf(table.narrativeState)],
)

export const reportMembers = sqliteTable(
  'report_members',
  {
    userId: text('user_id').notNull(),
    reportId: text('report_id').notNull(),
    of: text('of').notNull(),
    members: blob('members', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.reportId, table.of] })],
)

export const reportSettings = tableWithoutRowid('report_settings', {
  userId: text('user_id').primaryKey().notNull().references(() => profiles.id),
  model: text('model'),
  schedule: text('schedule'),
  done: text('done'),
})
