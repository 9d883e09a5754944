import { openAccounts, type Accounts } from './accounts.ts'
import { openCopierLeases, type CopierLeases } from './copier-leases.ts'
import type { Database } from './database.ts'
import { noDeletedList, type DeletedList } from './deleted-list.ts'
import { openJournals, type Journals } from './journals.ts'
import { openStorage, type Storage, type StorageRule } from './storage.ts'
import { openPictures, type Pictures } from './pictures.ts'
import { openSubscriptions, type Subscriptions } from './subscriptions.ts'

/** Everything stored for users. */
export type Stores = { readonly journals: Journals; readonly subscriptions: Subscriptions; readonly pictures: Pictures; readonly accounts: Accounts; readonly leases: CopierLeases; readonly storage: Storage }

/** The same in this database. */
export const openStores = (database: Database, rule: StorageRule, list: DeletedList = noDeletedList): Stores => ({
  journals: openJournals(database, rule),
  subscriptions: openSubscriptions(database),
  pictures: openPictures(database, rule),
  accounts: openAccounts(database, list),
  leases: openCopierLeases(database),
  storage: openStorage(database, rule),
})
