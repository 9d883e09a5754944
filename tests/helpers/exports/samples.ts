import type { FileHints } from '#backend/imports/read-export.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import { formatOf } from './any-format.ts'
import { localText } from './clock.ts'
import { drawOf } from './draw.ts'
import { ninjaTable } from './ninjatrader-file.ts'
import { priceText } from './products.ts'
import type { Table } from './table.ts'
import { balanceTable, cashTable, fillsTable, ordersTable, performanceTable, positionHistoryTable, type Hand } from './tradovate-files.ts'
import { truthOf } from './truth.ts'
import { drawWorld, type TrueFill } from './world.ts'

/** The zone that the samples' local times are meant in. */
export const sampleZone = 'Europe/Berlin'

const hand: Hand = { zone: sampleZone, money: 'dollars', year2026: true }

const mapped = formatOf('fills', ['account', 'time', 'symbol', 'side', 'quantity', 'price', 'orderId'])
const mappedTable = (fills: readonly TrueFill[]): Table => ({
  header: mapped.columns.map(({ header }) => header),
  rows: fills.map(({ account, time, product, side, qty, ticks, order }) => [account.name, localText(sampleZone, time), product.contract, side === 'buy' ? 'in' : 'out', String(qty), priceText(product, ticks), order.id]),
})

/** The formats by which the samples of a user's own files are read. */
export const sampleFormats: FileHints = { dates: null, latest: null, formats: [{ ...mapped, dates: 'mdy' }] }

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
    ['mapped-fills', mappedTable(world.fills)],
  ]
  return new Map(tables.map(([kind, table]) => [kind, { ...table, rows: draw.shuffle(table.rows).slice(0, rows) }]))
}
