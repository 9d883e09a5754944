import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { Barrier } from '../db/barrier.ts'
import { query, type Writer } from '../db/database.ts'
import { openDeriving } from './derive-contract.ts'
import { storeFault } from '../db/fault.ts'
import { fillsById, writeFills, type KeptFill, type TickSizeOf } from './fill-rows.ts'
import { noteUnsettled } from '../imports/queries.ts'
import { fillName, type Meeting } from './meet-fills.ts'
import { openRemovals } from './removed-fills.ts'
import { openChangedBatches } from './changed-batches.ts'
import { openOutbox } from '../mirror/outbox.ts'
import type { Taken } from '../db/rows.ts'
import { specOf } from './specs.ts'
import { mergeBaseFills } from './merge-base-fills.ts'

/** Fills of one account, contract and local date, in the order of matching, prices in the ticks of the kept contract. */
export type FillBatch = { readonly account: AccountKey; readonly contract: string; readonly localDate: string; readonly fills: readonly KeptFill[] }

type AccountState = { key: AccountKey; removed_at: number | null }

const idsByAccount = (group: readonly FillBatch[]): Map<AccountKey, string[]> => {
  const ids = new Map<AccountKey, string[]>()
  for (const { account, fills } of group) {
    const ofAccount = ids.get(account) ?? []
    ids.set(account, ofAccount)
    for (const { id } of fills) ofAccount.push(id)
  }
  return ids
}

/** Whose fills are taken, when (UTC ms), and how they meet those that are known. */
export type GroupOrder = {
  readonly userId: string
  readonly at: number
  readonly meeting: Meeting
  readonly group: readonly FillBatch[]
  /** Accounts that imports change, null for all: their new fills go to the base fills until all is recomputed. */
  readonly ruled: ReadonlySet<AccountKey> | null
}

/** Takes whole batches in the caller's transaction: fills merged, trades derived, changes noted, or nothing of all that. */
export const takeGroup = (writer: Writer, barrier: Barrier, { userId, at, meeting, group, ruled }: GroupOrder): Taken => {
  barrier('group-begun', writer.database)
  const rows = query<AccountState>(writer, 'SELECT key, removed_at FROM accounts WHERE user_id = ?').all(userId)
  const accounts = new Map(rows.map((row) => [row.key, row]))
  const tickSizes = new Map<string, string>()
  const tickSizeOf: TickSizeOf = (contract) => {
    const known = tickSizes.get(contract) ?? specOf(writer, userId, contract).tickSize
    tickSizes.set(contract, known)
    return known
  }
  const kept = new Map([...idsByAccount(group)].map(([account, ids]) => [account, fillsById(writer, userId, account, ids, tickSizeOf)]))
  const outbox = openOutbox(writer, userId, at)
  const work = openChangedBatches(writer, userId)
  const removals = openRemovals(writer, userId, at, outbox.note)
  const writing = writeFills(writer, userId, tickSizeOf)
  const counts = { added: 0, changed: 0, unchanged: 0, skipped: 0 }

  for (const { account, fills } of group) {
    const state = accounts.get(account)
    if (state === undefined) throw storeFault('not-found', 'Fills of an account that is not connected')
    if (state.removed_at !== null && meeting.skipsRemoved) {
      counts.skipped += fills.length
      continue
    }
    if (ruled === null || ruled.has(account)) {
      const merged = mergeBaseFills(writer, { userId, account, fills, current: kept.get(account) ?? new Map<string, KeptFill>(), meeting, outbox, tickSizeOf })
      for (const name of ['added', 'changed', 'unchanged'] as const) counts[name] += merged[name]
      if (merged.added + merged.changed > 0) noteUnsettled(writer, userId, at)
      continue
    }
    for (const came of fills) {
      const before = kept.get(account)?.get(came.id)
      const fill = meeting.merge(before, came)
      if (before === undefined) removals.present(fillName(fill))
      meeting.noteIn(outbox, fill, fill !== before)
      if (fill === before) {
        counts.unchanged += 1
        continue
      }
      counts[before === undefined ? 'added' : 'changed'] += 1
      if (before !== undefined) work.touch(account, before.contract, before.localDate)
      writing.put(fill)
      work.touch(account, fill.contract, fill.localDate)?.push(fill)
    }
  }
  writing.flush()
  barrier('fills-written', writer.database)

  const deriving = openDeriving(writer, userId, outbox)
  for (const { fresh, ...rest } of work.list()) {
    for (const fills of fresh.values()) fills.sort(compareFills)
    deriving.derive({ ...rest, fresh })
  }
  deriving.flush()
  barrier('trades-written', writer.database)
  outbox.flush()
  barrier('outbox-written', writer.database)
  return { fills: counts, ...deriving.counts(), outbox: outbox.count() }
}
