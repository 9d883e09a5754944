import type { GroupDraft } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { refuseMissingFile } from '../../backups/lost-journal.ts'
import { atomically, openDatabase, writerOf } from '../../db/database.ts'
import { emptyFreePages, noteVacuumDue } from '../../db/free-pages.ts'
import { migrate } from '../../db/migrate.ts'
import type { StoreFault } from '../../db/fault.ts'
import { sqliteFault } from '../../db/sqlite-fault.ts'
import { causesOf, intentsOf, notSent, openOrders, ordersOf, simulated, recordNews, unmarkedOrders, usersWithOrders } from './orders.ts'
import { followers, forgetLeaderOrders, forgetUser, groups, leaderFills, leaders, removeGroup, saveFollowers, saveGroup, saveLeaderFills, saveLeaders, saveStances, setGroupState, stances } from './groups.ts'
import type { Cause, Intent, LeaderOrder, NotSent, OrderNews, SavedFill, SavedFollower, SavedGroup, SavedLeader, SavedStance } from './rows.ts'

/** The copier's file and folders. */
export type CopierPlace = { readonly file: string; readonly migrationsFolder: string; readonly backupFolder: string }

/** Creates or migrates the file and reads everything a start needs, so that faults surface before anything is armed. Returns whether there is work: groups, orders that may still work, or copied trades to mark. Throws like `openCopierStore`. */
export const readyCopierFile = (place: CopierPlace & { readonly log: Log }): boolean => {
  const store = openCopierStore(place)
  try {
    const groups = store.groups()
    for (const { id } of groups) {
      store.followers(id)
      store.stances(id)
      store.leaders(id)
      store.leaderFills(id)
    }
    return store.openOrders().length > 0 || store.unmarkedOrders().length > 0 || groups.length > 0
  } finally {
    store.close()
  }
}

// A checkpoint takes tens of milliseconds, which no order may wait for: the ledger thread does it. Only a WAL beyond 64 MB is checkpointed by a write.
const largestLog = 'wal_autocheckpoint = 16384'

// Longer than a checkpoint; shorter than the broker waits for a heartbeat, which this thread sends, too.
const lockWaitMs = 1_000

// Long enough for a burst of fills to reach the wire.
const spreadAfterMs = 50

/** The copier's own database, written by its thread alone. Every call is synchronous; each is one transaction. */
export type CopierStore = ReturnType<typeof openCopierStore>

/**
 * Opens the copier's database, creating or migrating it first. A commit survives a crash; a power cut may lose the last whole commits, except groups and
 * their states: that is enough, because the broker has our ids. Throws a StoreFault that names the file, and leaves the file unchanged: `lost-journal`
 * if it is missing or empty while its WAL or a backup holds groups, `damaged-database`, `newer-database`, `migration-changed`, or `disk-full`. So does
 * every call: an unreadable file is never treated as one without armed groups. While another program locks the file, the first write waits a second
 * and the following ones not at all; they throw `busy`.
 */
export const openCopierStore = ({ file, migrationsFolder, backupFolder, log }: CopierPlace & { readonly log: Log }) => {
  const faultOf = (error: unknown): StoreFault => Object.assign(sqliteFault(error), { file })
  const open = () => {
    let database: ReturnType<typeof openDatabase> | null = null
    try {
      refuseMissingFile(file, 'copier', backupFolder)
      database = openDatabase(file)
      const migrated = migrate(database, migrationsFolder, backupFolder)
      emptyFreePages(file)
      database.pragma(largestLog)
      database.pragma('synchronous = NORMAL')
      const writer = writerOf(database)
      const causes = causesOf(writer)
      const intents = intentsOf(writer, causes)
      intents.spread()
      log.info({ ...migrated }, 'copier file opened')
      return { database, writer, causes, intents }
    } catch (error) {
      database?.close()
      throw faultOf(error)
    }
  }
  const { database, writer, causes, intents } = open()

  let waitMs: number | null = null
  const waitForLock = (ms: number): void => {
    if (ms !== waitMs) database.pragma(`busy_timeout = ${String(ms)}`)
    waitMs = ms
  }
  waitForLock(lockWaitMs)
  const guarded = <Input extends unknown[], T>(work: (...input: Input) => T) => (...input: Input): T => {
    try {
      const done = work(...input)
      waitForLock(lockWaitMs)
      return done
    } catch (error) {
      const fault = faultOf(error)
      if (fault.code === 'busy') waitForLock(0)
      throw fault
    }
  }

  let timer: NodeJS.Timeout | null = null
  const spreadSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      try {
        intents.spread()
      } catch (error) {
        // The intents stay as written, and the next call reports the fault.
        log.error({ error }, 'expanding intents failed')
      }
    }, spreadAfterMs).unref()
  }
  const spread = <Input extends unknown[], T>(work: (...input: Input) => T) =>
    guarded((...input: Input): T => {
      intents.spread()
      return work(...input)
    })

  // Armed states must survive a power cut; that may take a few milliseconds and happens only on user action.
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
    saveGroup: durably((group: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }) => saveGroup(writer, group)),
    removeGroup: durably((id: string) => removeGroup(writer, id)),
    /** Deletes everything of a user: groups, removed ones too, and their ledger. */
    forgetUser: durably((userId: string) => {
      noteVacuumDue(file)
      forgetUser(writer, userId)
      // VACUUM blocks the thread that sends orders: with another user's group armed, the next start does it.
      if (groups(writer).every(({ state }) => state === 'off')) emptyFreePages(file)
    }),
    setGroupState: durably((id: string, state: SavedGroup['state']) => setGroupState(writer, id, state)),
    followers: guarded((groupId: string) => followers(writer, groupId)),
    stances: guarded((groupId: string) => stances(writer, groupId)),
    leaders: guarded((groupId: string) => leaders(writer, groupId)),
    leaderFills: guarded((groupId: string) => leaderFills(writer, groupId)),
    /** Stores an event and returns its id; the same fill of the same group returns its existing id. */
    writeCause: spread(causes.keep),
    /** Writes event and orders in one transaction, on disk before it returns; the orders get the event's id. The fast path of a leader's fill. */
    writeIntents: guarded((cause: Cause | number, orders: readonly Omit<Intent, 'cause'>[]): number => {
      const event = intents.write(cause, orders)
      spreadSoon()
      return event
    }),
    /**
     * Saves order news together with followers, stances, and what leaders hold and their orders filled in one transaction, so positions and fills never
     * disagree; `over` are leaders' orders whose fills are forgotten. Of rows for the same follower or contract the last counts. An all-zero stance without a question is deleted.
     */
    record: spread((news: readonly OrderNews[], standing?: { readonly followers?: readonly SavedFollower[]; readonly stances?: readonly SavedStance[]; readonly leaders?: readonly SavedLeader[]; readonly fills?: readonly SavedFill[]; readonly over?: readonly LeaderOrder[] }): void => {
      const unknown = atomically(writer, () => {
        saveFollowers(writer, standing?.followers ?? [])
        saveStances(writer, standing?.stances ?? [])
        saveLeaders(writer, standing?.leaders ?? [])
        saveLeaderFills(writer, standing?.fills ?? [])
        forgetLeaderOrders(writer, standing?.over ?? [])
        return recordNews(writer, news)
      })
      for (const clOrdId of unknown) log.warn({ clOrdId }, 'news of an order that was never written')
    }),
    notSent: spread((rows: readonly NotSent[]) => notSent(writer, rows)),
    /** Every order without an end, oldest first. */
    openOrders: spread(() => openOrders(writer)),
    /** Users with open orders, of removed groups too. */
    usersWithOrders: spread(() => usersWithOrders(writer)),
    /** Filled orders whose trades the journal has not marked as copied yet. */
    unmarkedOrders: spread(() => unmarkedOrders(writer)),
    /** The copier's orders in an account since a time, with their purpose. */
    ordersOf: spread((account: string, sinceMs: number) => ordersOf(writer, account, sinceMs)),
    /** A dry run's simulated positions since the group was last armed. */
    simulated: spread((groupId: string) => simulated(writer, groupId)),
    close: (): void => {
      if (timer !== null) clearTimeout(timer)
      database.close()
    },
  }
}
