import type { Log } from '#shared/base/log.ts'
import { refuseMissingFile } from '../../backups/lost-journal.ts'
import { atomically, openDatabase, writerOf } from '../../db/database.ts'
import { emptyFreePages, oweFreePages } from '../../db/free-pages.ts'
import { migrate } from '../../db/migrate.ts'
import { sqliteFault } from '../../db/sqlite-fault.ts'
import { causesOf } from './causes.ts'
import { followers, forgetUser, groups, leaders, removeGroup, saveFollower, saveGroup, saveLeaders, saveStances, setGroupState, stances } from './groups.ts'
import { intentsOf } from './intents.ts'
import { notSent, openOrders, ordersOf, pretended, tell, usersWithOrders } from './orders.ts'
import type { CopierStore } from './rows.ts'

/** Where the copier's file lies. */
export type CopierPlace = { readonly file: string; readonly migrationsFolder: string; readonly backupFolder: string }

/** Makes the file, or brings it to this program's version, and reads all that a start needs of it: so that what is wrong with it is known before anything stands armed; gives whether there is something to do: groups, or orders that may still work. Throws as `openCopierStore` does. */
export const readyCopierFile = (place: CopierPlace & { readonly log: Log }): boolean => {
  const store = openCopierStore(place)
  try {
    const groups = store.groups()
    for (const { id } of groups) {
      store.followers(id)
      store.stances(id)
      store.leaders(id)
    }
    return store.openOrders().length > 0 || groups.length > 0
  } finally {
    store.close()
  }
}

// Bringing the log into the file takes tens of milliseconds, which no order waits for: the ledger's thread does it. Only a log beyond 64 MB, which nobody looked after, is brought in by a write.
const largestLog = 'wal_autocheckpoint = 16384'

// Long enough for a burst of fills to be on the wire.
const spreadAfterMs = 50

/**
 * Opens the copier's own database, makes it where there is none, and brings it to this program's version first. A commit
 * outlives the program's death; a power cut may take the last ones, whole, but for groups and how they stand: that is enough, since the broker knows our ids.
 * Throws a StoreFault that names its file, and leaves the file as it is: `lost-journal` where it is missing or empty while its log or a backup holds groups, `damaged-database`, `newer-database`, `migration-changed` or `disk-full`.
 * So does every call: a file that can't be read any more is never taken for one in which nothing is armed.
 */
export const openCopierStore = ({ file, migrationsFolder, backupFolder, log }: CopierPlace & { readonly log: Log }): CopierStore => {
  const guarded = <Input extends unknown[], T>(work: (...input: Input) => T) => (...input: Input): T => {
    try {
      return work(...input)
    } catch (error) {
      throw Object.assign(sqliteFault(error), { file })
    }
  }
  const open = guarded(() => {
    refuseMissingFile(file, 'copier', backupFolder)
    const database = openDatabase(file)
    try {
      const migrated = migrate(database, migrationsFolder, backupFolder)
      emptyFreePages(file)
      database.pragma(largestLog)
      database.pragma('synchronous = NORMAL')
      const writer = writerOf(database)
      const causes = causesOf(writer)
      const intents = intentsOf(writer, causes)
      intents.spread()
      log.info({ ...migrated }, "the copier's file opened")
      return { database, writer, causes, intents }
    } catch (error) {
      database.close()
      throw error
    }
  })
  const { database, writer, causes, intents } = open()

  let timer: NodeJS.Timeout | null = null
  const spreadSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      try {
        intents.spread()
      } catch (error) {
        // They stay as they were written, and the next call says what is wrong.
        log.error({ error }, 'written orders could not be taken apart')
      }
    }, spreadAfterMs).unref()
  }
  const spread = <Input extends unknown[], T>(work: (...input: Input) => T) =>
    guarded((...input: Input): T => {
      intents.spread()
      return work(...input)
    })

  // What stands armed is known for sure, after a power cut too; that may take a few milliseconds, and happens at its user's word.
  const durably = <Input extends unknown[], T>(work: (...input: Input) => T) =>
    guarded((...input: Input): T => {
      intents.spread()
      database.pragma('synchronous = FULL')
      try {
        return work(...input)
      } finally {
        database.pragma('synchronous = NORMAL')
      }
    })

  return {
    groups: guarded(() => groups(writer)),
    saveGroup: durably((group) => saveGroup(writer, group)),
    removeGroup: durably((id) => removeGroup(writer, id)),
    forgetUser: durably((userId) => {
      oweFreePages(file)
      forgetUser(writer, userId)
      // Rewriting the file takes the thread that sends orders: another user's armed group must not wait for it, the next start will do.
      if (groups(writer).every(({ state }) => state === 'off')) emptyFreePages(file)
    }),
    setGroupState: durably((id, state) => setGroupState(writer, id, state)),
    followers: guarded((groupId) => followers(writer, groupId)),
    saveFollower: guarded((follower) => saveFollower(writer, follower)),
    stances: guarded((groupId) => stances(writer, groupId)),
    leaders: guarded((groupId) => leaders(writer, groupId)),
    writeCause: spread(causes.keep),
    writeIntents: guarded((cause, orders) => {
      const event = intents.write(cause, orders)
      spreadSoon()
      return event
    }),
    tell: spread((news, standing) => {
      const unknown = atomically(writer, () => {
        saveStances(writer, standing?.stances ?? [])
        saveLeaders(writer, standing?.leaders ?? [])
        return tell(writer, news)
      })
      for (const clOrdId of unknown) log.warn({ clOrdId }, 'news of an order that was never written')
    }),
    notSent: spread((rows) => notSent(writer, rows)),
    openOrders: spread(() => openOrders(writer)),
    usersWithOrders: spread(() => usersWithOrders(writer)),
    ordersOf: spread((account, sinceMs) => ordersOf(writer, account, sinceMs)),
    pretended: spread((groupId) => pretended(writer, groupId)),
    close: () => {
      if (timer !== null) clearTimeout(timer)
      database.close()
    },
  }
}
