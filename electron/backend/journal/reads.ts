import { count, eq } from 'drizzle-orm'
import { logins } from '../accounts/logins.ts'
import { accountsOfLogin, brokerageAccounts, brokerFacts, connectedAccounts, namesElsewhere } from '../accounts/queries.ts'
import { consistently, query, type Reader } from '../db/database.ts'
import type { OfUser, SupportFacts } from '../db/rows.ts'
import { syncRuns } from '../db/schema/brokerage.ts'
import { profiles } from '../db/schema/people.ts'
import { knownContracts, projectxContracts } from '../fills/contracts.ts'
import { bookedPayouts } from '../finances/booked-payouts.ts'
import { finances } from '../finances/queries.ts'
import { isKnownKey, lastOauthState, oauthState, profile, profileByEmail, profileCount, realProfiles, session } from '../identity/profiles.ts'
import { firebaseProfiles, hasWaitingJournal, sessionCount } from '../identity/queries.ts'
import { importFormats } from '../imports/format-queries.ts'
import { accountNamed } from '../imports/import-accounts.ts'
import { openFiles, previewImport } from '../imports/preview-import.ts'
import { imports } from '../imports/queries.ts'
import { mirror, pictures } from '../mirror/mirror-place.ts'
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
import { history } from '../sync/history-queries.ts'
import { lastGoodSyncAt, lastRuns, receipts } from '../sync/run-queries.ts'
import { syncGaps } from '../sync/session-reads.ts'
import { comparison } from '../trades/comparison.ts'
import { dayNotes } from '../trades/day-notes.ts'
import { excursionPoints } from '../trades/excursion-points.ts'
import { filterChoices } from '../trades/filter-choices.ts'
import { pairIdsOf } from '../trades/filtered-rows.ts'
import { findNotes } from '../trades/find-notes.ts'
import { leftOverNotes } from '../trades/left-over.ts'
import { netOfDay } from '../trades/net-of-day.ts'
import { totals, trade, tradePage, tradesJson, tripPairs } from '../trades/queries.ts'
import { statisticsJson } from '../trades/statistics.ts'
import { tradesCsv } from '../trades/trades-csv.ts'
import { tripById, tripPage } from '../trades/trips.ts'

/** Selects every journal's names of people, accounts and logins, without the demo's. */
const namesIn = `
  SELECT id AS name FROM profiles WHERE demo = 0
  UNION SELECT email FROM profiles UNION SELECT display_name FROM profiles WHERE demo = 0 UNION SELECT firebase_uid FROM profiles
  UNION SELECT json_extract(firebase_user, '$.displayName') FROM profiles UNION SELECT json_extract(firebase_user, '$.email') FROM profiles UNION SELECT json_extract(firebase_user, '$.phoneNumber') FROM profiles
  UNION SELECT broker_user_id FROM logins UNION SELECT name FROM logins
  UNION SELECT key FROM accounts UNION SELECT broker_account_id FROM accounts UNION SELECT name FROM accounts UNION SELECT login_name FROM accounts
  UNION SELECT account FROM trades UNION SELECT account_id FROM trades UNION SELECT account_id FROM trips UNION SELECT account FROM fills
  UNION SELECT account FROM imports UNION SELECT name FROM import_files UNION SELECT account_name FROM import_readings UNION SELECT account_id FROM import_readings
  UNION SELECT name FROM finances UNION SELECT account FROM finances UNION SELECT account FROM account_rules UNION SELECT account FROM session_extremes UNION SELECT account_name FROM rule_alerts
  UNION SELECT account ->> 'name' FROM (SELECT name.value AS account FROM reports, json_each(reports.content, '$.names') AS name)`

const names = (reader: Reader): readonly string[] => query<{ name: string | null }>(reader, namesIn).all().map(({ name }) => name?.trim() ?? '')

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

const words = `
  SELECT key AS word, key AS account, 0 AS trader FROM accounts WHERE user_id = @user
  UNION SELECT name, key, 0 FROM accounts WHERE user_id = @user UNION SELECT broker_account_id, key, 0 FROM accounts WHERE user_id = @user
  UNION SELECT login_name, NULL, 0 FROM accounts WHERE user_id = @user
  UNION SELECT account, COALESCE(NULLIF(account_id, ''), account), 0 FROM trades WHERE user_id = @user AND account IS NOT NULL UNION SELECT account_id, account_id, 0 FROM trades WHERE user_id = @user
  UNION SELECT name, NULL, 0 FROM logins WHERE user_id = @user UNION SELECT broker_user_id, NULL, 0 FROM logins WHERE user_id = @user
  UNION SELECT email, NULL, 1 FROM profiles WHERE id = @user UNION SELECT json_extract(firebase_user, '$.email'), NULL, 1 FROM profiles WHERE id = @user
  UNION SELECT display_name, NULL, 1 FROM profiles WHERE id = @user UNION SELECT json_extract(firebase_user, '$.displayName'), NULL, 1 FROM profiles WHERE id = @user`

/**
 * Words that must not be revealed: names, ids and keys of all of a user's accounts and logins, each with the key of its
 * account if it has one, and the user's own names and email addresses.
 */
const privateWords = (reader: Reader, { userId }: OfUser): PrivateWord[] =>
  query<{ word: string | null; account: string | null; trader: number }>(reader, words)
    .all({ user: userId })
    .flatMap(({ word, account, trader }): PrivateWord[] => (word === null || word.trim() === '' ? [] : [{ word: word.trim(), account, trader: trader === 1 }]))

const questions = {
  // Users, plans, and the program
  ...{ profile, profileByEmail, profileCount, realProfiles, isKnownKey, session, oauthState, lastOauthState, firebaseProfiles, hasWaitingJournal, sessionCount, rights, supportFacts },
  // Brokerages and sync
  ...{ logins, accountsOfLogin, brokerageAccounts, connectedAccounts, namesElsewhere, knownContracts, projectxContracts, receipts, lastGoodSyncAt, lastRuns, syncGaps, history },
  ...{ knownFills, knownTwins, readFees, fillsOfSession, heldFacts, openHoldings, pairsOfSession, closedInOtherSessions, apartBefore, apartSince, unsettledSessions },
  // Trades, annotations, imports
  ...{ trade, tradePage, tradesJson, tripPage, tripById, tripPairs, totals, netOfDay, statisticsJson, excursionPoints, comparison, filterChoices, findNotes, pairIdsOf, tradesCsv, finances, bookedPayouts },
  ...{ dayNotes, leftOverNotes, ownCommissions, knownFees, uncertainProducts, defaultStops, rematched },
  ...{ imports, importFormats, brokerFacts, accountNamed, openFiles, previewImport, reconciliationJson, reconciledDay, fillPrices, pricedTrade, statedExcursions, tradesToPrice, neededPrices, chartTrade, chartLimitsOf, tradesToTry },
  // Rules, reports, the mirror
  ...{ ruledAccounts, anyRules, ruleDays, replayJson, alertSettings, ruleAlerts, alertMarks, sessionExtremes },
  ...{ reports, report, readReportTrades, reportNotes, reportSettings, scheduledUsers, privateWords },
  ...{ mirror, outgoing, pictures },
}

type Questions = typeof questions

/** The journal's reads. Removed rows and accounts never appear. Times in rows of the API are ISO 8601, elsewhere UTC ms. */
export type JournalReads = { readonly [Name in keyof Questions]: Questions[Name] extends (reader: Reader, ...input: infer Input) => infer Answer ? (...input: Input) => Answer : never }

/** The journal's reads over one connection; each sees one snapshot of the journal, even with several queries. */
export const readsOf = (reader: Reader): JournalReads => {
  const bound = Object.entries(questions).map(([name, ask]) => {
    const asking = ask as (reader: Reader, input: unknown) => unknown
    return [name, (input: unknown) => consistently(reader, () => asking(reader, input))]
  })
  return Object.fromEntries(bound) as JournalReads
}
