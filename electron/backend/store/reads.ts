import { accountsOfLogin, brokerageAccounts, connectedAccounts } from './accounts.ts'
import { brokerFacts } from './broker-facts.ts'
import { knownContracts } from './contracts.ts'
import { consistently, query, type Reader } from './database.ts'
import { finances } from './finances.ts'
import { accountNamed } from './import-accounts.ts'
import { imports } from './imports.ts'
import type { JournalReads } from './journal-reads.ts'
import { logins } from './logins.ts'
import { mirror, pictures } from './mirror-place.ts'
import { outgoing } from './outgoing.ts'
import { overview, totals } from './overview.ts'
import type { Read } from './part.ts'
import { profile, profileByEmail, profileCount, realProfiles, session } from './profiles.ts'
import { syncGaps } from './session-reads.ts'
import { lastGoodSyncAt, lastRuns, receipts } from './sync-runs.ts'
import { trade, tradePage, tradesJson, tripPairs } from './trades.ts'
import { tripPage } from './trips.ts'

const fillsWithFee: Read<'fillsWithFee'> = (reader, { userId, account, ids }) => {
  const sql = 'SELECT fills.id FROM json_each(?) AS wanted CROSS JOIN fills ON user_id = ? AND account = ? AND fills.id = wanted.value WHERE fee IS NOT NULL'
  return query<{ id: string }>(reader, sql).all(JSON.stringify(ids), userId, account).map((row) => row.id)
}

const questions: { readonly [Name in keyof JournalReads]: Read<Name> } = {
  ...{ mirror, outgoing, pictures, imports, brokerFacts, accountNamed },
  ...{ profile, profileByEmail, profileCount, realProfiles, session, logins },
  ...{ trade, tradePage, tradesJson, tripPage, tripPairs, overview, totals, finances },
  ...{ accountsOfLogin, brokerageAccounts, connectedAccounts, knownContracts, fillsWithFee, receipts, lastGoodSyncAt, lastRuns, syncGaps },
}

/** The journal's questions over one connection; each sees one state of the journal, also where it asks more than once. */
export const readsOf = (reader: Reader): JournalReads => {
  const bound = Object.entries(questions).map(([name, ask]) => {
    const asking = ask as (reader: Reader, input: unknown) => unknown
    return [name, (input: unknown) => consistently(reader, () => asking(reader, input))]
  })
  return Object.fromEntries(bound) as JournalReads
}
