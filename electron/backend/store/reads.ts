import { accountsOfLogin, brokerageAccounts, connectedAccounts } from './accounts.ts'
import { consistently, type Reader } from './database.ts'
import { finances } from './finances.ts'
import { firebaseProfiles, sessionCount } from './identity.ts'
import { importReads } from './import-reads.ts'
import type { JournalReads } from './journal-reads.ts'
import { mirror, pictures } from './mirror-place.ts'
import { outgoing } from './outgoing.ts'
import { ownDataReads } from './own-data.ts'
import type { Read } from './part.ts'
import { oauthState, profile, profileByEmail, profileCount, realProfiles, session } from './profiles.ts'
import { reconciledDay, reconciliationJson } from './reconciliation.ts'
import { rights } from './rights.ts'
import { supportFacts } from './support-facts.ts'
import { syncReads } from './sync-reads.ts'
import { tradeReads } from './trade-reads.ts'

const questions: { readonly [Name in keyof JournalReads]: Read<Name> } = {
  ...ownDataReads,
  ...importReads,
  ...syncReads,
  ...{ mirror, outgoing, pictures },
  ...{ profile, profileByEmail, profileCount, realProfiles, session, oauthState, firebaseProfiles, sessionCount },
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
