import { logins } from '../accounts/logins.ts'
import { accountsOfLogin, brokerageAccounts, brokerFacts, connectedAccounts, namesElsewhere } from '../accounts/queries.ts'
import { consistently, type Reader } from '../db/database.ts'
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
import { privateWords, supportFacts } from './private-words.ts'

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
