import { and, count, eq, isNotNull, sql, type SQLWrapper } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { logins } from '../accounts/logins.ts'
import { accountsOfLogin, brokerageAccounts, brokerFacts, connectedAccounts, namesElsewhere } from '../accounts/queries.ts'
import { consistently, query, type Reader } from '../db/database.ts'
import type { OfUser, SupportFacts } from '../db/rows.ts'
import { accounts, logins as loginTable, syncRuns } from '../db/schema/brokerage.ts'
import { importFiles, importReadings, imports as importTable } from '../db/schema/imports.ts'
import { fillPairs, fills, finances as financeTable, trades } from '../db/schema/journal.ts'
import { profiles } from '../db/schema/people.ts'
import { reports as reportTable } from '../db/schema/reports.ts'
import { accountRules, ruleAlerts as ruleAlertTable, sessionExtremes as sessionExtremeTable } from '../db/schema/rules.ts'
import { knownContracts, projectxContracts } from '../fills/contracts.ts'
import { bookedPayouts } from '../imports/booked-payouts.ts'
import { finances } from '../finances/queries.ts'
import { isKnownKey, lastOauthState, oauthState, profile, profileByEmail, profileCount, realProfiles, session } from '../identity/profiles.ts'
import { firebaseProfiles, hasWaitingJournal, sessionCount } from '../identity/queries.ts'
import { importFormats } from '../imports/format-queries.ts'
import { openFiles, previewImport } from '../imports/preview-import.ts'
import { imports } from '../imports/queries.ts'
import { mirror, pictures } from '../mirror/mirror-position.ts'
import { outgoing } from '../mirror/outgoing.ts'
import { knownFees } from '../own-data/charged-fees.ts'
import { ownCommissions } from '../own-data/commissions.ts'
import { defaultStops } from '../own-data/default-stops.ts'
import { uncertainProducts } from '../own-data/point-values.ts'
import { rematched } from '../own-data/rematched.ts'
import { rights } from '../plans/queries.ts'
import { chartLimitsOf } from '../prices/chart-limits.ts'
import { chartTrade } from '../prices/chart-trade.ts'
import { fillPrices } from '../prices/fill-prices.ts'
import { neededPrices } from '../prices/needed-prices.ts'
import { pricedTrade, statedExcursions } from '../prices/priced-trade.ts'
import { tradesToPrice, tradesToTry } from '../prices/trades-to-price.ts'
import { reconciledDay, reconciliationJson } from '../reconciliation/queries.ts'
import { report, reports, reportSettings, scheduledUsers } from '../reports/queries.ts'
import { readReportTrades, reportNotes } from '../reports/report-trades.ts'
import type { PrivateWord } from '../reports/rows.ts'
import { alertMarks, alertSettings, ruleAlerts } from '../rules/alert-queries.ts'
import { anyRules } from '../rules/queries.ts'
import { replayJson, ruleDays } from '../rules/rule-days.ts'
import { ruledAccounts } from '../rules/ruled-accounts.ts'
import { sessionExtremes } from '../rules/session-extremes.ts'
import { readFees } from '../sync/read-fees.ts'
import { apartBefore, apartSince, closedInOtherSessions, fillsOfSession, heldFacts, knownFills, knownTwins, openHoldings, pairsOfSession, unsettledSessions } from '../sync/held-facts.ts'
import { history } from '../imports/history-queries.ts'
import { lastGoodSyncAt, lastRuns, receipts } from '../sync/run-queries.ts'
import { syncGaps } from '../sync/session-reads.ts'
import { comparison } from '../trades/comparison.ts'
import { dayNotes } from '../notes/day-notes.ts'
import { excursionPoints } from '../trades/excursion-points.ts'
import { filterChoices } from '../trades/filter-choices.ts'
import { pairIdsOf } from '../trades/filtered-rows.ts'
import { findNotes } from '../trades/find-notes.ts'
import { leftOverNotes } from '../trades/left-over.ts'
import { netOfDay } from '../trades/net-of-day.ts'
import { pairById, pairPage, totals, tradePairs, tradesJson } from '../trades/queries.ts'
import { statisticsJson } from '../trades/statistics.ts'
import { tradesCsv } from '../trades/trades-csv.ts'
import { tradeById, tradePage } from '../trades/trades.ts'

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

/** Over all profiles. */
const supportFacts = (reader: Reader): SupportFacts => {
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
const privateWords = ({ orm }: Reader, { userId }: OfUser): PrivateWord[] => {
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

const queries = {
  // Users, plans, and the program
  profile, profileByEmail, profileCount, realProfiles, isKnownKey, session, oauthState, lastOauthState, firebaseProfiles, hasWaitingJournal, sessionCount, rights, supportFacts,
  // Brokerages and sync
  logins, accountsOfLogin, brokerageAccounts, connectedAccounts, namesElsewhere, knownContracts, projectxContracts, receipts, lastGoodSyncAt, lastRuns, syncGaps, history,
  knownFills, knownTwins, readFees, fillsOfSession, heldFacts, openHoldings, pairsOfSession, closedInOtherSessions, apartBefore, apartSince, unsettledSessions,
  // Trades, annotations, imports
  pairById, pairPage, tradesJson, tradePage, tradeById, tradePairs, totals, netOfDay, statisticsJson, excursionPoints, comparison, filterChoices, findNotes, pairIdsOf, tradesCsv, finances, bookedPayouts,
  dayNotes, leftOverNotes, ownCommissions, knownFees, uncertainProducts, defaultStops, rematched,
  imports, importFormats, brokerFacts, openFiles, previewImport, reconciliationJson, reconciledDay, fillPrices, pricedTrade, statedExcursions, tradesToPrice, neededPrices, chartTrade, chartLimitsOf, tradesToTry,
  // Rules, reports, the mirror
  ruledAccounts, anyRules, ruleDays, replayJson, alertSettings, ruleAlerts, alertMarks, sessionExtremes,
  reports, report, readReportTrades, reportNotes, reportSettings, scheduledUsers, privateWords,
  mirror, outgoing, pictures,
}

type Queries = typeof queries

/** The journal's reads. Removed rows and accounts never appear. Times in rows of the API are ISO 8601, elsewhere UTC ms. */
export type JournalReads = { readonly [Name in keyof Queries]: Queries[Name] extends (reader: Reader, ...input: infer Input) => infer Answer ? (...input: Input) => Answer : never }

/** The journal's reads over one connection; each sees one snapshot of the journal, even with several queries. */
export const readsOf = (reader: Reader): JournalReads => {
  const bound = Object.entries(queries).map(([name, read]) => {
    const reading = read as (reader: Reader, input: unknown) => unknown
    return [name, (input: unknown) => consistently(reader, () => reading(reader, input))]
  })
  return Object.fromEntries(bound) as JournalReads
}
