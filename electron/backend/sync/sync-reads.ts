import { knownContracts } from '../fills/contracts.ts'
import { history } from './history-queries.ts'
import { apartBefore, apartSince, closedBesides, fillsOfSession, heldFacts, knownFills, openHoldings, pairsOfSession, unsettledSessions } from './held-facts.ts'
import { logins } from '../accounts/logins.ts'
import { syncGaps } from './session-reads.ts'
import { lastGoodSyncAt, lastRuns, receipts } from './run-queries.ts'

/** What fetching from the broker asks of the journal: logins, what is known already, runs, and what is missing. */
export const syncReads = {
  ...{ logins, knownContracts, receipts, lastGoodSyncAt, lastRuns, syncGaps, history },
  ...{ knownFills, fillsOfSession, heldFacts, openHoldings, pairsOfSession, closedBesides, apartBefore, apartSince, unsettledSessions },
}
