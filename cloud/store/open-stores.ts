import { openAccounts, type Accounts } from './accounts.ts'
import { openCopierLeases, type CopierLeases } from './copier-leases.ts'
import type { Database } from './database.ts'
import type { Journals } from './journals.ts'
import { openJournals } from './open-journals.ts'
import { openPictures, type Pictures } from './pictures.ts'
import { openSubscriptions, type Subscriptions } from './subscriptions.ts'

/** All that is kept of users. */
export type Stores = { readonly journals: Journals; readonly subscriptions: Subscriptions; readonly pictures: Pictures; readonly accounts: Accounts; readonly leases: CopierLeases }

/** The same in this database. */
export const openStores = (database: Database): Stores => ({
  journals: openJournals(database),
  subscriptions: openSubscriptions(database),
  pictures: openPictures(database),
  accounts: openAccounts(database),
  leases: openCopierLeases(database),
})
