import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, exists, inArray, isNull, or, sql } from 'drizzle-orm'
import { atomically, eachRow, type Reader, type Writer } from '../db/database.ts'
import { batches as batchTable, fills as fillTable, pairEdits } from '../db/schema/journal.ts'
import { staleBatches } from '../db/schema/own-data.ts'
import { openDeriving, type Deriving } from './derive-contract.ts'
import { openOutbox } from '../db/outbox.ts'
import { noOwnFees, ownFeesOf } from './own-fees.ts'
import { addChanges, noChanges } from './changes.ts'
import { specOf } from './specs.ts'
import type { WriteContext } from '../db/barrier.ts'

/** What was derived again: batches, and their rows that changed. */
export type Derived = ReturnType<Deriving['counts']>

type StaleRow = Pick<typeof staleBatches.$inferSelect, 'account' | 'contract' | 'localDate'> & { readonly fills: number }

/** Fills whose batches are derived in one transaction: few enough that no one waits long for the writer. */
const fillsInGroup = 5_000

type AccountContract = Pick<typeof batchTable.$inferSelect, 'account' | 'contract'>

/** Marks the batches of these contracts whose commission changes: one of their fills came without a fee, or they may close such a fill of the batch before. */
const markWithoutFees = ({ orm }: Writer, userId: string, at: number, places: readonly AccountContract[]): void => {
  const { account, contract, localDate, endPosition } = batchTable
  const isOfPlace = and(eq(batchTable.userId, userId), sql`${account} = place.value ->> 'account'`, sql`${contract} = place.value ->> 'contract'`)
  const before = sql`lag(${endPosition}) OVER (PARTITION BY ${account}, ${contract} ORDER BY ${localDate})`.as('before')
  const batch = orm.select({ userId: batchTable.userId, account, contract, localDate, before }).from(sql`json_each(${JSON.stringify(places)}) AS place`).crossJoin(batchTable).where(isOfPlace).as('batch')
  const isOfBatch = and(eq(fillTable.userId, batch.userId), eq(fillTable.account, batch.account), eq(fillTable.contract, batch.contract), eq(fillTable.localDate, batch.localDate))
  const withoutFee = orm.select({ id: fillTable.id }).from(fillTable).where(and(isOfBatch, isNull(fillTable.fee), eq(fillTable.active, true)))
  const stale = orm
    .select({ userId: batch.userId, account: batch.account, contract: batch.contract, localDate: batch.localDate, at: sql<number>`${at}`.as('at') })
    .from(batch)
    .where(or(sql`instr(${batch.before}, '"fee":null') > 0`, exists(withoutFee)))
  orm.insert(staleBatches).select(stale).onConflictDoNothing().run()
}

/**
 * Makes a change of the user's own rates or of the accounts they apply to, and marks the affected batches at `at` (UTC
 * ms): those with fills without a fee. Runs in the caller's transaction; `deriveStale` must follow.
 */
export const repricing = <T>(writer: Writer, userId: string, at: number, make: () => T): T => {
  const before = ownFeesOf(writer, userId)
  const made = make()
  const after = ownFeesOf(writer, userId)
  if (before === noOwnFees && after === noOwnFees) return made
  const places = writer.orm.selectDistinct({ account: batchTable.account, contract: batchTable.contract }).from(batchTable).where(eq(batchTable.userId, userId)).all()
  const differing = places.filter(({ account, contract }) => {
    const [was, is] = [before(account, contract), after(account, contract)]
    return was?.perSide !== is?.perSide || was?.currency !== is?.currency
  })
  if (differing.length > 0) markWithoutFees(writer, userId, at, differing)
  return made
}

/** Derives the marked batches again, in groups, each as a whole or not at all. */
export const deriveStale = async ({ writer, barrier }: WriteContext, userId: string, at: number): Promise<Derived> => {
  let all: Derived = { batches: 0, pairs: noChanges, trades: noChanges }
  for (;;) {
    const group = nextGroup(writer, userId)
    if (group.length === 0) return all
    barrier('group-begun', writer.database)
    const derived = atomically(writer, () => {
      const outbox = openOutbox(writer, userId, at)
      const changes = deriveGroup(writer, userId, group, openDeriving(writer, userId, outbox))
      barrier('trades-written', writer.database)
      outbox.flush()
      barrier('outbox-written', writer.database)
      return changes
    })
    all = { batches: all.batches + derived.batches, pairs: addChanges(all.pairs, derived.pairs), trades: addChanges(all.trades, derived.trades) }
    barrier('group-committed', writer.database)
    await nextTurn()
  }
}

/** Derives what earlier runs marked but did not derive before they died, and places annotations from before notes had places. */
export const deriveLeftovers = async (context: WriteContext): Promise<void> => {
  const { writer } = context
  const { orm } = writer
  const unplaced = orm.selectDistinct({ userId: pairEdits.userId, at: sql<number>`unixepoch() * 1000` }).from(pairEdits).where(isNull(pairEdits.place)).all()
  for (const { userId, at } of unplaced) {
    atomically(writer, () => {
      const outbox = openOutbox(writer, userId, at)
      openDeriving(writer, userId, outbox).flush()
      outbox.flush()
    })
  }
  const marked = orm.select({ userId: staleBatches.userId, at: sql<number>`max(${staleBatches.at})` }).from(staleBatches).groupBy(staleBatches.userId).all()
  for (const { userId, at } of marked) await deriveStale(context, userId, at)
}

/** Whole batches, by account, contract and date, so that open positions carry forward. */
const nextGroup = (reader: Reader, userId: string): readonly StaleRow[] => {
  const { account, contract, localDate } = staleBatches
  const isOfBatch = and(eq(fillTable.userId, userId), eq(fillTable.account, account), eq(fillTable.contract, contract), eq(fillTable.localDate, localDate))
  const stale = reader.orm
    .select({ account, contract, localDate, fills: sql<number>`(SELECT count(*) FROM ${fillTable} WHERE ${isOfBatch})` })
    .from(staleBatches)
    .where(eq(staleBatches.userId, userId))
    .orderBy(asc(account), asc(contract), asc(localDate))
  const group: StaleRow[] = []
  let fills = 0
  for (const row of eachRow(reader, stale)) {
    if (group.length > 0 && fills + row.fills > fillsInGroup) break
    group.push(row)
    fills += row.fills
  }
  return group
}

const deriveGroup = (writer: Writer, userId: string, group: readonly StaleRow[], deriving: Deriving): Derived => {
  for (const batches of Map.groupBy(group, ({ account, contract }) => `${account}\n${contract}`).values()) {
    const [first] = batches
    if (first === undefined) continue
    const { account, contract } = first
    const dates = batches.map(({ localDate }) => localDate)
    deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(dates), fresh: new Map() })
    writer.orm.delete(staleBatches).where(and(eq(staleBatches.userId, userId), eq(staleBatches.account, account), eq(staleBatches.contract, contract), inArray(staleBatches.localDate, dates))).run()
  }
  deriving.flush()
  return deriving.counts()
}
