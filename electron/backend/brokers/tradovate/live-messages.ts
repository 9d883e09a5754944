import { z } from 'zod'
import type { Fact } from '#shared/copier/facts.ts'
import type { LiveAccount } from './live.ts'
import { readLimits, type LimitRow } from './limit-rows.ts'
import { readLiveRow } from './live-rows.ts'
import type { ContractRow, MaturityRow, ProductRow } from './wire.ts'

/** Rows of one message by kind, in order. */
export type LiveRows = {
  readonly facts: readonly Fact[]
  readonly accounts: readonly LiveAccount[]
  readonly contracts: readonly ContractRow[]
  readonly maturities: readonly MaturityRow[]
  readonly products: readonly ProductRow[]
  /** Account limits. */
  readonly limits: readonly LimitRow[]
  readonly unreadable: readonly { readonly entity: string; readonly why: string }[]
  /** Orders and positions that the broker deleted. */
  readonly deleted: readonly { readonly entity: string; readonly id: number | null }[]
}

type Sorted = { readonly [K in keyof LiveRows]: LiveRows[K][number][] }

const nothing = (): Sorted => ({ facts: [], accounts: [], contracts: [], maturities: [], products: [], limits: [], unreadable: [], deleted: [] })

const sort = (rows: Sorted, entity: string, value: unknown): void => {
  const limits = readLimits(entity, value)
  if (limits !== null) rows.limits.push(limits)
  const read = readLiveRow(entity, value)
  if (read === null) return
  switch (read.kind) {
    case 'fact':
      rows.facts.push(read.fact)
      return
    case 'account':
      rows.accounts.push(read.account)
      return
    case 'contract':
      rows.contracts.push(read.contract)
      return
    case 'maturity':
      rows.maturities.push(read.maturity)
      return
    case 'product':
      rows.products.push(read.product)
      return
    case 'unreadable':
      rows.unreadable.push({ entity, why: read.why })
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const anyId = z.object({ id: z.int() })

/** The rows of a frame's `props` events. The broker sends `d` and `entity` as one value or a list. */
export const rowsOfProps = (events: readonly unknown[]): LiveRows => {
  const rows = nothing()
  for (const item of events.flatMap(listOf)) {
    const { entityType, eventType, entity } = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<'entityType' | 'eventType' | 'entity', unknown>>
    if (typeof entityType !== 'string') {
      rows.unreadable.push({ entity: 'props', why: 'event' })
      continue
    }
    for (const row of listOf(entity)) {
      if (eventType !== 'Deleted') sort(rows, entityType, row)
      else if (entityType === 'order' || entityType === 'position') rows.deleted.push({ entity: entityType, id: anyId.safeParse(row).data?.id ?? null })
    }
  }
  return rows
}

// Contracts and orders first, so that later rows can refer to them.
const lists = [
  ['products', 'product'], ['contractMaturities', 'contractMaturity'], ['contracts', 'contract'], ['accounts', 'account'], ['positions', 'position'], ['orders', 'order'],
  ['orderVersions', 'orderVersion'], ['commands', 'command'], ['commandReports', 'commandReport'], ['fills', 'fill'], ['cashBalances', 'cashBalance'],
  ['userAccountAutoLiqs', 'userAccountAutoLiq'], ['accountRiskStatuses', 'accountRiskStatus'],
] as const

const snapshot = z.record(z.string(), z.unknown())

/** The rows of a snapshot message; every list may be missing or null. Null if it is not a snapshot. */
export const rowsOfSnapshot = (data: unknown): LiveRows | null => {
  const read = snapshot.safeParse(data)
  if (!read.success) return null
  const rows = nothing()
  for (const [list, entity] of lists) {
    const values = read.data[list]
    if (Array.isArray(values)) for (const value of values) sort(rows, entity, value)
  }
  return rows
}

/** The rows of an entity list; null if it is not a list. */
export const rowsOfList = (entity: string, value: unknown): LiveRows | null => {
  if (!Array.isArray(value)) return null
  const rows = nothing()
  for (const row of value) sort(rows, entity, row)
  return rows
}
