import { existsSync, statSync } from 'node:fs'
import { and, asc, desc, eq, gt, gte, lt, max, ne, notInArray, sql } from 'drizzle-orm'
import { dryRunReport, type DryOrder } from '#shared/copier/dry-run.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { closeReader, consistently, openDatabase, openReader, query, type Reader } from '../../db/database.ts'
import { followerFigures } from './figures.ts'
import { groupNames, ledgerCsv, ledgerPage } from './ledger.ts'
import type { LedgerReads } from './rows.ts'
import { armings, events, groups, orders } from './schema.ts'
import { expectedFees } from '../../own-data/charged-fees.ts'

/** The ledger next to the copier. Call `tend` about every second: it checkpoints the WAL, so that no order waits for that. */
export type Ledger = LedgerReads & { readonly tend: () => void; readonly close: () => void }

// Raw SQL: SQLite's own table tells whether the copier has made its tables yet.
const isMade = (reader: Reader): boolean => query<{ count: number }>(reader, "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'events'").get()?.count === 1

/** Opens the ledger of the copier's file on a read-only connection; null if the file does not exist yet. Throws a StoreFault if unreadable. */
export const openLedger = (file: string): Ledger | null => {
  if (!existsSync(file)) return null
  const reader = openReader(file)
  if (!isMade(reader)) {
    closeReader(reader)
    return null
  }
  const upkeep = openUpkeep(file)
  return {
    ledger: (input) => consistently(reader, () => ledgerPage(reader, input)),
    figures: (input) => consistently(reader, () => followerFigures(reader, input)),
    csv: (input) => consistently(reader, () => ledgerCsv(reader, input)),
    dryRun: (input) => consistently(reader, () => dryRun(reader, input)),
    tend: upkeep.tend,
    close: () => {
      closeReader(reader)
      upkeep.close()
    },
  }
}

const worthIt = 4 * 1024 * 1024
const tooLarge = 48 * 1024 * 1024

/** Checkpoints the WAL if idle since the last call, or if it has grown large. */
const openUpkeep = (file: string): Pick<Ledger, 'tend' | 'close'> => {
  const database = openDatabase(file)
  // If the copier is writing, the next call retries.
  database.pragma('busy_timeout = 0')
  const sizeOfLog = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  let before = 0
  const bringIn = (): void => {
    // Most of it without a lock, so that the second checkpoint, which blocks writers, has little to do.
    database.pragma('wal_checkpoint(PASSIVE)')
    database.pragma('wal_checkpoint(TRUNCATE)')
    // The first write to a fresh WAL waits for the disk: better this no-op than a leader's fill.
    if (sizeOfLog() === 0) database.pragma(`user_version = ${String(database.pragma('user_version', { simple: true }))}`)
  }
  return {
    tend: () => {
      const size = sizeOfLog()
      if (size > tooLarge || (size > worthIt && size === before)) bringIn()
      before = sizeOfLog()
    },
    close: () => database.close(),
  }
}

/** The orders of a group's dry runs since a time, UTC ms. A dry run that began before it is read from its beginning, because positions held then are closed within it. */
const dryOrders = ({ orm }: Reader, group: string, since: number) => {
  const firstEvent = orm.select({ id: sql`COALESCE(min(${events.id}), 0)` }).from(events).where(gte(events.at, since))
  const began = orm.select({ after: max(armings.after) }).from(armings).where(and(eq(armings.groupId, group), lt(armings.after, firstEvent)))
  // The order of the joins keeps SQLite at the events of one group.
  return orm
    .select({ event: events.id, groupId: events.groupId, at: events.at, account: orders.account, contract: orders.contract, side: orders.side, qty: orders.qty, leaderContract: events.contract, price: events.price })
    .from(events)
    .crossJoin(orders)
    .where(and(eq(orders.cause, events.id), eq(events.groupId, group), gt(events.id, sql`COALESCE(${began}, 0)`), eq(orders.dryRun, true), notInArray(orders.purpose, ['exit', 'entry'])))
    .orderBy(asc(events.id), asc(orders.writtenAt), asc(orders.clOrdId))
    .all()
}

// A pause ends no dry run.
const goesOn = ({ orm }: Reader, group: string): boolean =>
  orm.select({ id: groups.id }).from(groups).where(and(eq(groups.id, group), ne(groups.state, 'off'), sql`${groups.draft} ->> '$.dryRun' = 1`)).get() !== undefined

/** What a user's dry runs would have traded since a time, with the P&L. */
const dryRun = (reader: Reader, { userId, groupId, sinceMs, fees }: Parameters<LedgerReads['dryRun']>[0]): ReturnType<LedgerReads['dryRun']> => {
  const all = [...groupNames(reader, userId, groupId).keys()].flatMap((group) => {
    const begins = reader.orm.select({ after: armings.after }).from(armings).where(eq(armings.groupId, group)).orderBy(desc(armings.after)).all().map(({ after }) => after)
    const newest = goesOn(reader, group) ? (begins[0] ?? 0) : null
    return dryOrders(reader, group, sinceMs).map(({ event, groupId: of, ...order }): DryOrder => {
      const began = begins.find((after) => after < event) ?? 0
      return { ...order, run: `${of} ${String(began)}`, runEnded: began !== newest }
    })
  })
  return dryRunReport(all, { from: tradingDay(sinceMs), feeOf: expectedFees(fees) })
}
