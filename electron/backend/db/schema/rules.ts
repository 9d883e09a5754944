import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Amount } from '#shared/money/money.ts'
import { flag, oneOf, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const accountRules = tableWithoutRowid(
  'account_rules',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    account: text('account').notNull(),
    rules: text('rules'),
    presetId: text('preset_id'),
    since: text('since'),
    stage: text('stage', { enum: ['evaluation', 'passed', 'funded', 'breached'] }),
    stamp: text('stamp').$type<Stamp>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account] }), oneOf(table.stage)],
)

export const ruleBreaches = tableWithoutRowid(
  'rule_breaches',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    account: text('account').notNull(),
    rule: text('rule').$type<RuleAlert['rule']>().notNull(),
    tradingDay: text('trading_day').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account] })],
)

export const alertSettings = tableWithoutRowid('alert_settings', {
  userId: text('user_id').primaryKey().notNull().references(() => profiles.id, { onDelete: 'cascade' }),
  settings: text('settings').notNull(),
})

export const ruleAlerts = sqliteTable(
  'rule_alerts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: text('user_id').notNull(),
    at: integer('at').notNull(),
    account: text('account').notNull(),
    accountName: text('account_name').notNull(),
    rule: text('rule').$type<RuleAlert['rule']>().notNull(),
    level: integer('level').notNull(),
    unit: text('unit').$type<RuleAlert['unit']>().notNull(),
    limitAt: text('limit_at'),
    valueAt: text('value_at'),
    leftOf: text('left_of'),
    currency: text('currency').notNull(),
    seen: integer('seen', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('rule_alerts_of_user').on(table.userId, table.id), flag(table.seen)],
)

export const alertMarks = tableWithoutRowid(
  'alert_marks',
  {
    userId: text('user_id').notNull(),
    account: text('account').notNull(),
    rule: text('rule').$type<RuleAlert['rule']>().notNull(),
    level: integer('level').notNull(),
    tradingDay: text('trading_day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.rule, table.level] })],
)

export const sessionExtremes = tableWithoutRowid(
  'session_extremes',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    account: text('account').notNull(),
    tradingDay: text('trading_day').notNull(),
    peak: integer('peak').$type<Amount>(),
    trough: integer('trough').$type<Amount>(),
    lowestBalance: integer('lowest_balance').$type<Amount>(),
    highestDay: integer('highest_day').$type<Amount>(),
    lowestDay: integer('lowest_day').$type<Amount>(),
    lowestRealized: integer('lowest_realised').$type<Amount>(),
    moved: integer('moved').$type<Amount>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.tradingDay] })],
)
