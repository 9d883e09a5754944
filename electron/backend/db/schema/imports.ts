import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { Amount } from '#shared/money/money.ts'
import { oneOf, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const imports = tableWithoutRowid(
  'imports',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    id: text('id').notNull(),
    at: integer('at').notNull(),
    zone: text('zone').notNull(),
    account: text('account'),
    state: text('state', { enum: ['incoming', 'standing', 'undone'] }).notNull(),
    undoneAt: integer('undone_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), oneOf(table.state)],
)

export const importFiles = tableWithoutRowid(
  'import_files',
  {
    userId: text('user_id').notNull(),
    importId: text('import_id').notNull(),
    place: integer('place').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<ExportKind>().notNull(),
    rows: integer('rows').notNull(),
    accepted: integer('accepted').notNull(),
    refused: integer('refused').notNull(),
    account: text('account'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.importId, table.place] })],
)

export const importReadings = sqliteTable(
  'import_readings',
  {
    userId: text('user_id').notNull(),
    importId: text('import_id').notNull(),
    place: integer('place').notNull(),
    part: integer('part').notNull(),
    accountName: text('account_name'),
    accountId: text('account_id'),
    content: text('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.importId, table.place, table.part] }), index('import_readings_by_account').on(table.userId, table.accountName, table.accountId)],
)

export const importNotes = sqliteTable(
  'import_notes',
  {
    userId: text('user_id').notNull(),
    importId: text('import_id').notNull(),
    place: integer('place').notNull(),
    part: integer('part').notNull(),
    contracts: text('contracts').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.importId, table.place, table.part] }),
    foreignKey({ columns: [table.userId, table.importId, table.place, table.part], foreignColumns: [importReadings.userId, importReadings.importId, importReadings.place, importReadings.part] }).onDelete('cascade'),
  ],
)

export const cashTransfers = tableWithoutRowid(
  'cash_transfers',
  {
    userId: text('user_id').notNull(),
    importId: text('import_id').notNull(),
    place: integer('place').notNull(),
    part: integer('part').notNull(),
    transactionId: text('transaction_id').notNull(),
    at: integer('at').notNull(),
    tradingDay: text('trading_day').notNull(),
    delta: integer('delta').$type<Amount>().notNull(),
    amount: integer('amount').$type<Amount>().notNull(),
    currency: text('currency'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.importId, table.place, table.part, table.transactionId, table.delta, table.amount] })],
)

export const baseFills = tableWithoutRowid(
  'base_fills',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    id: text('id').notNull(),
    base: text('base'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.id] })],
)

export const importedSpecs = tableWithoutRowid('imported_specs', { userId: text('user_id').notNull(), contract: text('contract').notNull() }, (table) => [
  primaryKey({ columns: [table.userId, table.contract] }),
])

export const brokerFigures = sqliteTable(
  'broker_figures',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    kind: text('kind').notNull(),
    part: integer('part').notNull(),
    content: text('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.kind, table.part] })],
)

export const importFormats = tableWithoutRowid(
  'import_formats',
  { userId: text('user_id').notNull().references(() => profiles.id), id: text('id').notNull(), content: text('content').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
)

export const importsUnsettled = sqliteTable('imports_unsettled', { userId: text('user_id').primaryKey().notNull(), at: integer('at').notNull() })
