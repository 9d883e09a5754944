import type { GroupDraft } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { refuseMissingFile } from '../../db/lost-journal.ts'
import { atomically, change, openDatabase, query, type Writer, writerOf } from '../../db/database.ts'
import { emptyFreePages, markVacuumDue } from '../../db/free-pages.ts'
import { migrate } from '../../db/migrate.ts'
import { storeFault, type StoreFault } from '../../db/fault.ts'
import { sqliteFault } from '../../db/sqlite-fault.ts'
import { notSent, openOrders, ordersOf, simulated, recordNews, unmarkedOrders, usersWithOrders } from './orders.ts'
import { followers, deleteLeaderOrders, deleteUser, groups, leaderFills, leaders, removeGroup, saveFollowers, saveGroup, saveLeaderFills, saveLeaders, saveStances, setGroupState, stances } from './groups.ts'
import type { Cause, LeaderOrder, NotSent, OrderNews, SavedFill, SavedFollower, SavedGroup, SavedLeader, SavedStance, UnwrittenIntent } from './rows.ts'

/** The copier's file and folders. */
export type CopierPaths = { readonly file: string; readonly migrationsFolder: string; readonly backupFolder: string }

/** Creates or migrates the file and reads everything a start needs, so that faults surface before anything is armed. Returns whether there is work: groups, orders that may still work, or copied trades to mark. Throws like `openCopierStore`. */
export const readyCopierFile = (place: CopierPaths & { readonly log: Log }): boolean => {
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
const expandAfterMs = 50

/** The state that order news change. */
type CopyState = {
  readonly followers?: readonly SavedFollower[]
  readonly stances?: readonly SavedStance[]
  readonly leaders?: readonly SavedLeader[]
  readonly fills?: readonly SavedFill[]
  readonly over?: readonly LeaderOrder[]
}

/** The copier's own database, written by its thread alone. Every call is synchronous; each is one transaction. */
export type CopierStore = ReturnType<typeof openCopierStore>

/**
 * Opens the copier's database, creating or migrating it first. A commit survives a crash; a power cut may lose the last whole commits, except groups and
 * their states: that is enough, because the broker has our ids. Throws a StoreFault that names the file, and leaves the file unchanged: `lost-journal`
 * if it is missing or empty while its WAL or a backup holds groups, `damaged-database`, `newer-database`, `migration-changed`, or `disk-full`. So does
 * every call: an unreadable file is never treated as one without armed groups. While another program locks the file, the first write waits a second
 * and the following ones not at all; they throw `busy`.
 */
export const openCopierStore = ({ file, migrationsFolder, backupFolder, log }: CopierPaths & { readonly log: Log }) => {
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
      intents.expand()
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
  const expandSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      try {
        intents.expand()
      } catch (error) {
        // The intents stay as written, and the next call reports the fault.
        log.error({ error }, 'expanding intents failed')
      }
    }, expandAfterMs).unref()
  }
  /** Runs `work` after expanding every written intent. */
  const expanded = <Input extends unknown[], T>(work: (...input: Input) => T) =>
    guarded((...input: Input): T => {
      intents.expand()
      return work(...input)
    })

  // Armed states must survive a power cut; that may take a few milliseconds and happens only on user action.
  const durably = <Input extends unknown[], T>(work: (...input: Input) => T) =>
    guarded((...input: Input): T => {
      intents.expand()
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
    deleteUser: durably((userId: string) => {
      markVacuumDue(file)
      deleteUser(writer, userId)
      // VACUUM blocks the thread that sends orders: with another user's group armed, the next start does it.
      if (groups(writer).every(({ state }) => state === 'off')) emptyFreePages(file)
    }),
    setGroupState: durably((id: string, state: SavedGroup['state']) => setGroupState(writer, id, state)),
    followers: guarded((groupId: string) => followers(writer, groupId)),
    stances: guarded((groupId: string) => stances(writer, groupId)),
    leaders: guarded((groupId: string) => leaders(writer, groupId)),
    leaderFills: guarded((groupId: string) => leaderFills(writer, groupId)),
    /** Saves an event and returns its id; the same fill of the same group returns its existing id. */
    writeCause: expanded(causes.keep),
    /** Writes event and orders in one transaction, on disk before it returns; the orders get the event's id. The fast path of a leader's fill. */
    writeIntents: guarded((cause: Cause | number, orders: readonly UnwrittenIntent[]): number => {
      const event = intents.write(cause, orders)
      expandSoon()
      return event
    }),
    /**
     * Saves order news together with followers, stances, and what leaders hold and their orders filled in one transaction, so positions and fills never
     * disagree; `over` are leaders' orders whose fills are forgotten. Of rows for the same follower or contract the last counts. An all-zero stance without a question is deleted.
     */
    record: expanded((news: readonly OrderNews[], { followers = [], stances = [], leaders = [], fills = [], over = [] }: CopyState = {}): void => {
      const unknown = atomically(writer, () => {
        saveFollowers(writer, followers)
        saveStances(writer, stances)
        saveLeaders(writer, leaders)
        saveLeaderFills(writer, fills)
        deleteLeaderOrders(writer, over)
        return recordNews(writer, news)
      })
      for (const clOrdId of unknown) log.warn({ clOrdId }, 'news of an order that was never written')
    }),
    notSent: expanded((rows: readonly NotSent[]) => notSent(writer, rows)),
    /** Every order without an end, oldest first. */
    openOrders: expanded(() => openOrders(writer)),
    /** Users with open orders, of removed groups too. */
    usersWithOrders: expanded(() => usersWithOrders(writer)),
    /** Filled orders whose trades the journal has not marked as copied yet. */
    unmarkedOrders: expanded(() => unmarkedOrders(writer)),
    /** The copier's orders in an account since a time, with their purpose. */
    ordersOf: expanded((account: string, sinceMs: number) => ordersOf(writer, account, sinceMs)),
    /** A dry run's simulated positions since the group was last armed. */
    simulated: expanded((groupId: string) => simulated(writer, groupId)),
    close: (): void => {
      if (timer !== null) clearTimeout(timer)
      database.close()
    },
  }
}

// Raw SQL from here on: the benchmark `copier` writes its orders with it.
/** The event columns after the id, with their values from a cause. */
const causeColumns: readonly (readonly [column: string, cell: (cause: Cause) => string | number | null])[] = [
  ['group_id', ({ groupId }) => groupId],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['leader_account', ({ leaderAccount }) => leaderAccount],
  ['contract', ({ contract }) => contract],
  ['fill_id', ({ fillId }) => fillId],
  ['side', ({ side }) => side],
  ['qty', ({ qty }) => qty],
  ['price', ({ price }) => price],
]

const insertEvent = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')}) VALUES (?${', ?'.repeat(causeColumns.length)})`

const start2026 = Date.UTC(2026, 0, 1)

/** The ledger events of a writing connection. */
type Causes = ReturnType<typeof causesOf>

/**
 * Saves events of a writing connection. Order ids contain event ids, so none may ever be reused, even after a power cut lost the last events: the
 * first event after opening gets at least the seconds since 2026, which is beyond all earlier ids.
 */
const causesOf = (writer: Writer) => {
  let next: number | null = null
  const nextId = ({ at }: Cause): number => {
    next ??= Math.max(query<{ next: number }>(writer, 'SELECT COALESCE(max(id), 0) + 1 AS next FROM events').get()?.next ?? 1, Math.floor((at - start2026) / 1000))
    // A rolled-back transaction only leaves a gap.
    return next++
  }
  const known = ({ groupId, fillId }: Cause): number | null =>
    fillId === null ? null : (query<{ id: number }>(writer, 'SELECT id FROM events WHERE group_id = ? AND fill_id = ?').get(groupId, fillId)?.id ?? null)
  return {
    /** The id of an already stored event (same fill, same group), or null. */
    known,
    /** A unique id for a new event. */
    nextId,
    /** Saves an event and returns its id; the existing id if the group already has the fill. */
    keep: (cause: Cause): number => {
      const kept = known(cause)
      if (kept !== null) return kept
      const id = nextId(cause)
      change(writer, insertEvent).run(id, ...causeColumns.map(([, cell]) => cell(cause)))
      return id
    },
  }
}

/** The columns of an order, in the order in which `cellsOf` writes them. */
const writtenColumns = [
  'cl_ord_id', 'account', 'contract', 'side', 'qty', 'purpose', 'type', 'limit_price', 'stop_price', 'leader_order_id', 'written_at', 'dry_run', 'stage',
  // Last: unexpanded orders of an older program have none.
  'peg_difference',
] as const

const cellsOf = ({ clOrdId, account, contract, side, qty, purpose, type, price, stopPrice, leaderOrderId, writtenAt, dryRun, pegDifference }: UnwrittenIntent): readonly (string | number | null)[] =>
  [clOrdId, account, contract, side, qty, purpose, type, price, stopPrice, leaderOrderId, writtenAt, dryRun ? 1 : 0, dryRun ? 'dry-run' : 'written', pegDifference]

const insert = 'INSERT INTO intents (event, cause, orders) VALUES (?, ?, ?)'
const known = 'SELECT cl_ord_id AS id FROM json_each(?) AS given CROSS JOIN orders ON orders.cl_ord_id = given.value LIMIT 1'
/** Inserts nothing if the fill's event or one of the orders' ids already exists. */
const insertNewFill = `INSERT INTO intents (event, cause, orders) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM events WHERE group_id = ? AND fill_id = ?) AND NOT EXISTS (${known})`
const expandEvents = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')})
  SELECT event, ${causeColumns.map((_, index) => `cause ->> ${String(index)}`).join(', ')} FROM intents WHERE cause IS NOT NULL`
const expandOrders = `INSERT INTO orders (event, ${writtenColumns.join(', ')})
  SELECT event, ${writtenColumns.map((_, index) => `one.value ->> ${String(index)}`).join(', ')} FROM intents, json_each(intents.orders) AS one`

const cellsOfCause = (cause: Cause): string => JSON.stringify(causeColumns.map(([, cell]) => cell(cause)))

const fillOf = ({ groupId, fillId }: Cause): string | null => (fillId === null ? null : `${fillId} ${groupId}`)

/** Orders written as one row, and expanded into rows later. Includes orders left over from a crash: call `expand` first. */
const intentsOf = (writer: Writer, causes: Causes) => {
  const waiting = new Set<string>()
  const events = new Map<string, number>()
  let hasLeftOver = true
  const refuse = (id: string | undefined): void => {
    if (id !== undefined) throw storeFault('internal', `An order's id was given twice: ${id}`)
  }
  const insertOrders = (cause: Cause | number, fill: string | null, orders: string, ids: readonly string[]): number => {
    if (typeof cause !== 'number' && fill !== null && !events.has(fill)) {
      // A leader's fill waits for this: one statement checks and writes.
      const event = causes.nextId(cause)
      const { changes } = change(writer, insertNewFill).run(event, cellsOfCause(cause), orders, cause.groupId, cause.fillId, JSON.stringify(ids))
      if (changes === 1) return event
    }
    refuse(query<{ id: string }>(writer, known).get(JSON.stringify(ids))?.id)
    const write = (event: number, cells: string | null): number => {
      change(writer, insert).run(event, cells, orders)
      return event
    }
    if (typeof cause === 'number') return write(cause, null)
    const stored = (fill === null ? undefined : events.get(fill)) ?? causes.known(cause)
    return stored === null ? write(causes.nextId(cause), cellsOfCause(cause)) : write(stored, null)
  }
  return {
    /** Saves an event, unless already saved, with its orders in one row; returns the event's id. Throws, and saves nothing, if an order's id already exists. */
    write: (cause: Cause | number, orders: readonly UnwrittenIntent[]): number => {
      if (orders.length === 0) return typeof cause === 'number' ? cause : causes.keep(cause)
      const ids = orders.map(({ clOrdId }) => clOrdId)
      refuse(ids.find((id) => waiting.has(id)) ?? (new Set(ids).size < ids.length ? ids.find((id, index) => ids.indexOf(id) !== index) : undefined))
      const fill = typeof cause === 'number' ? null : fillOf(cause)
      const event = insertOrders(cause, fill, JSON.stringify(orders.map(cellsOf)), ids)
      for (const id of ids) waiting.add(id)
      if (fill !== null) events.set(fill, event)
      return event
    },
    /** Expands everything written, events and orders, into rows. */
    expand: (): void => {
      if (!hasLeftOver && waiting.size === 0) return
      atomically(writer, () => {
        change(writer, expandEvents).run()
        change(writer, expandOrders).run()
        change(writer, 'DELETE FROM intents').run()
      })
      waiting.clear()
      events.clear()
      hasLeftOver = false
    },
  }
}
