import type { ExportKind } from '#shared/imports/export-kind.ts'
import { drawOf } from './draw.ts'
import { ninjaTable } from './ninjatrader-file.ts'
import type { Table } from './table.ts'
import { balanceTable, cashTable, fillsTable, ordersTable, performanceTable, positionHistoryTable, type Hand } from './tradovate-files.ts'
import { truthOf } from './truth.ts'
import { drawWorld } from './world.ts'

/** The zone that the samples' local times are meant in. */
export const sampleZone = 'Europe/Berlin'

const hand: Hand = { zone: sampleZone, money: 'dollars', year2026: true }

/** One table of each kind with at most this many rows, every row of which is right. */
export const sampleTables = (seed: number, rows: number): ReadonlyMap<ExportKind, Table> => {
  const world = drawWorld(seed, { sessions: 3, accounts: 3 })
  const truth = truthOf(world)
  const draw = drawOf(seed)
  const grid = { zone: sampleZone, time: 'am-pm', spelled: true, newestFirst: false, displayName: false, charged: true } as const
  const tables: readonly (readonly [ExportKind, Table])[] = [
    ['performance', performanceTable(truth.pairs, hand)],
    ['position-history', positionHistoryTable(truth.pairs, truth.open, world.dates.at(-1) ?? '', hand)],
    ['fills', fillsTable(world.fills, hand)],
    ['orders', ordersTable(world.orders, hand)],
    ['cash-history', cashTable(truth.cash, hand, 'contract')],
    ['account-balance-history', balanceTable(truth.days, hand)],
    ['ninjatrader-executions', ninjaTable(world.fills, grid)],
  ]
  return new Map(tables.map(([kind, table]) => [kind, { ...table, rows: draw.shuffle(table.rows).slice(0, rows) }]))
}
