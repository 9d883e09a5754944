import { and, eq, sql } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { reprice } from '#shared/money/price.ts'
import type { Barrier } from '../db/barrier.ts'
import type { Writer } from '../db/database.ts'
import { fills as table } from '../db/schema/journal.ts'
import { deriveChanged, openChangedBatches } from './derive-contract.ts'
import { fillsById, writeFills, type StoredFill, type PricedFill } from './fill-rows.ts'
import { fillName } from './merge-rules.ts'
import { openOutbox } from '../db/outbox.ts'
import type { Settled } from '../db/rows.ts'
import { openRemovals } from './removed-fills.ts'
import { specOf } from './specs.ts'
import { deleteBaseFill, openBaseFills } from './base-fills.ts'
import { zoneOf } from '../db/zone.ts'

/** A change of one fill. */
export type FillChange = {
  readonly account: AccountKey
  readonly id: string
  readonly contract: string
  /** The journal's fill from now on; null if it is removed, undefined if it stays. */
  readonly fill: PricedFill | null | undefined
  /** The base fill; null if only imports know the fill, undefined if imports do not change it. */
  readonly base: PricedFill | null | undefined
}

/** Whose fills change, when (UTC ms), and the import that was undone, if that changes them. */
export type SettleOrder = { readonly userId: string; readonly at: number; readonly undone?: string | null; readonly changes: readonly FillChange[] }

/** Applies changes of fills in the caller's transaction: fills written and removed, trades derived, all recorded in the outbox, or nothing. */
export const settleGroup = (writer: Writer, barrier: Barrier, { userId, at, undone = null, changes }: SettleOrder): Settled => {
  barrier('group-begun', writer.database)
  const clock = zoneClock(zoneOf(writer, userId))
  const tickSizes = new Map<string, string>()
  const tickSizeOf = (contract: string): string => getOrInsert(tickSizes, contract, () => specOf(writer, userId, contract).tickSize)
  const before = new Map<AccountKey, ReadonlyMap<string, StoredFill>>()
  for (const [account, own] of Map.groupBy(changes, (one) => one.account)) before.set(account, fillsById(writer, userId, account, own.map(({ id }) => id), tickSizeOf))
  const work = openChangedBatches(writer, userId)
  const outbox = openOutbox(writer, userId, at)
  const removals = openRemovals(writer, userId, at, outbox.queue, undone)
  const writing = writeFills(writer, userId, tickSizeOf)
  const bases = openBaseFills(writer, userId)
  const remove = writer.orm.delete(table).where(and(eq(table.userId, userId), eq(table.account, sql.placeholder('account')), eq(table.id, sql.placeholder('id')))).prepare()
  const fills = { added: 0, changed: 0, removed: 0 }
  let offTick = 0

  for (const { account, id, fill: next, base } of changes) {
    if (base === undefined) deleteBaseFill(writer, userId, account, id)
    else bases.keep(account, id, base)
    if (next === undefined) continue
    const was = before.get(account)?.get(id)
    const name = fillName({ account, id })
    const price = next === null ? null : reprice(next.price, next.tickSize, tickSizeOf(next.contract))
    if (next !== null && price === null) offTick += 1
    if (was !== undefined) work.touch(account, was.contract, was.localDate)
    if (next === null || price === null) {
      if (was === undefined) continue
      remove.run({ account, id })
      fills.removed += 1
      outbox.queue('fill', name)
      removals.removed(name)
    } else {
      const fill: StoredFill = { ...next, price, localDate: isoDate(clock.dayOf(next.time)) }
      writing.put(fill)
      work.touch(account, fill.contract, fill.localDate)?.push(fill)
      fills[was === undefined ? 'added' : 'changed'] += 1
      removals.present(name)
      outbox.queue('fill', name)
    }
  }
  bases.flush()
  writing.flush()
  barrier('fills-written', writer.database)

  const { pairs, trades } = deriveChanged(writer, barrier, userId, work, outbox)
  return { fills, pairs: { ...pairs }, trades: { ...trades }, offTick }
}
