import { and, count, eq, isNotNull, sql, type SQLWrapper } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { query, type Reader } from '../db/database.ts'
import type { OfUser, SupportFacts } from '../db/rows.ts'
import { accounts, logins as loginTable, syncRuns } from '../db/schema/brokerage.ts'
import { importFiles, importReadings, imports as importTable } from '../db/schema/imports.ts'
import { fillPairs, fills, finances as financeTable, trades } from '../db/schema/journal.ts'
import { profiles } from '../db/schema/people.ts'
import { reports as reportTable } from '../db/schema/reports.ts'
import { accountRules, ruleAlerts as ruleAlertTable, sessionExtremes as sessionExtremeTable } from '../db/schema/rules.ts'
import type { PrivateWord } from '../reports/rows.ts'

/** Columns that name people, accounts and logins. */
const nameColumns = [
  ...[profiles.email, profiles.firebaseUid, loginTable.brokerUserId, loginTable.name, accounts.key, accounts.brokerAccountId, accounts.name, accounts.loginName],
  ...[fillPairs.account, fillPairs.accountId, trades.accountId, fills.account, importTable.account, importFiles.name, importReadings.accountName, importReadings.accountId],
  ...[financeTable.name, financeTable.account, accountRules.account, sessionExtremeTable.account, ruleAlertTable.accountName],
]

/** A field of Firebase's record of a user. */
const ofFirebase = (field: 'displayName' | 'email' | 'phoneNumber') => sql<string | null>`json_extract(${profiles.firebaseUser}, ${`$.${field}`})`

/** Every journal's names of people, accounts and logins, without the demo's. */
const names = ({ orm }: Reader): readonly string[] => {
  const real = eq(profiles.demo, false)
  const inReports = sql`json_each(${reportTable.content}, '$.names') AS name`
  const found = [
    ...nameColumns.flatMap((name) => orm.selectDistinct({ name: sql<string | null>`${name}` }).from(sql`${name.table}`).all()),
    ...[profiles.id, profiles.displayName].flatMap((name) => orm.select({ name }).from(profiles).where(real).all()),
    ...(['displayName', 'email', 'phoneNumber'] as const).flatMap((field) => orm.select({ name: ofFirebase(field) }).from(profiles).all()),
    ...orm.selectDistinct({ name: sql<string | null>`name.value ->> 'name'` }).from(reportTable).crossJoin(inReports).all(),
  ]
  return found.map(({ name }) => name?.trim() ?? '')
}

// Raw SQL, as what follows: SQLite knows its tables, all of which are counted, and the version of the schema.
const tablesOf = (reader: Reader): readonly string[] => query<{ name: string }>(reader, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all().map(({ name }) => name)

const rowsOf = (reader: Reader, table: string): number => query<{ rows: number }>(reader, `SELECT count(*) AS rows FROM "${table}"`).get()?.rows ?? 0

/** Facts for finding a fault, over all profiles. */
export const supportFacts = (reader: Reader): SupportFacts => {
  const people = reader.orm.select({ name: profiles.displayName }).from(profiles).where(eq(profiles.demo, false)).all()
  const wordsOfPeople = people.flatMap(({ name }) => name.trim().split(/\s+/)).filter((word) => word.length > 2)
  return {
    schemaVersion: query<{ version: number }>(reader, 'SELECT user_version AS version FROM pragma_user_version').get()?.version ?? 0,
    rows: Object.fromEntries(tablesOf(reader).map((table) => [table, rowsOf(reader, table)])),
    runs: reader.orm.select({ outcome: syncRuns.outcome, runs: count() }).from(syncRuns).groupBy(syncRuns.outcome).orderBy(syncRuns.outcome).all(),
    personal: [...new Set([...names(reader), ...wordsOfPeople])].filter((name) => name !== ''),
  }
}

/**
 * Words that must not be revealed: names, ids and keys of all of a user's accounts and logins, each with the key of its
 * account if it has one, and the user's own names and email addresses.
 */
export const privateWords = ({ orm }: Reader, { userId }: OfUser): PrivateWord[] => {
  const nothing = sql`NULL`
  const words = (word: SQLWrapper, account: SQLWrapper, trader = false) => orm.selectDistinct({ word: sql<string | null>`${word}`, account: sql<string | null>`${account}`, trader: sql<number>`${Number(trader)}` })
  const { key, name, brokerAccountId, loginName } = accounts
  const { account, accountId } = fillPairs
  const found = union(
    words(key, key).from(accounts).where(eq(accounts.userId, userId)),
    words(loginName, nothing).from(accounts).where(eq(accounts.userId, userId)),
    ...[name, brokerAccountId].map((word) => words(word, key).from(accounts).where(eq(accounts.userId, userId))),
    words(account, sql.raw("COALESCE(NULLIF(account_id, ''), account)")).from(fillPairs).where(and(eq(fillPairs.userId, userId), isNotNull(account))),
    words(accountId, accountId).from(fillPairs).where(eq(fillPairs.userId, userId)),
    ...[loginTable.name, loginTable.brokerUserId].map((word) => words(word, nothing).from(loginTable).where(eq(loginTable.userId, userId))),
    ...[profiles.email, profiles.displayName, ofFirebase('email'), ofFirebase('displayName')].map((word) => words(word, nothing, true).from(profiles).where(eq(profiles.id, userId))),
  )
  return found.all().flatMap(({ word, account: of, trader }): PrivateWord[] => (word === null || word.trim() === '' ? [] : [{ word: word.trim(), account: of, trader: trader === 1 }]))
}
