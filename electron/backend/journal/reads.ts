import { accountsOfLogin, brokerageAccounts, connectedAccounts } from '../accounts/queries.ts'
import { consistently, type Reader } from '../db/database.ts'
import { finances } from '../finances/queries.ts'
import { firebaseProfiles, journalWaits, sessionCount } from '../identity/queries.ts'
import { importReads } from '../imports/import-reads.ts'
import type { JournalReads } from './journal-reads.ts'
import { mirror, pictures } from '../mirror/mirror-place.ts'
import { outgoing } from '../mirror/outgoing.ts'
import { ownDataReads } from '../own-data/queries.ts'
import type { Read } from './part.ts'
import { lastOauthState, oauthState, profile, profileByEmail, profileCount, realProfiles, knowsKey, session } from '../identity/profiles.ts'
import { reconciledDay, reconciliationJson } from '../reconciliation/queries.ts'
import { rights } from '../plans/queries.ts'
import { supportFacts } from './support-facts.ts'
import { syncReads } from '../sync/sync-reads.ts'
import { tradeReads } from '../trades/trade-reads.ts'

const questions: { readonly [Name in keyof JournalReads]: Read<Name> } = {
  ...ownDataReads,
  ...importReads,
  ...syncReads,
  ...{ mirror, outgoing, pictures },
  ...{ profile, profileByEmail, profileCount, realProfiles, knowsKey, session, oauthState, lastOauthState, firebaseProfiles, journalWaits, sessionCount },
  ...{ ...tradeReads, reconciliationJson, reconciledDay, finances },
  ...{ accountsOfLogin, brokerageAccounts, connectedAccounts, rights, supportFacts },
}

/** The journal's questions over one connection; each sees one state of the journal, also where it asks more than once. */
export const readsOf = (reader: Reader): JournalReads => {
  const bound = Object.entries(questions).map(([name, ask]) => {
    const asking = ask as (reader: Reader, input: unknown) => unknown
    return [name, (input: unknown) => consistently(reader, () => asking(reader, input))]
  })
  return Object.fromEntries(bound) as JournalReads
}
