import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { balanceReading, cashReading, fillReading, gridReadings, orderReading, pairReading } from '#tests/helpers/exports/expected-readings.ts'
import { drawStyle, listedDays } from '#tests/helpers/exports/exports.ts'
import { ninjaTable } from '#tests/helpers/exports/ninjatrader-file.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'
import { csvText, encoded, type Table } from '#tests/helpers/exports/table.ts'
import { balanceTable, cashTable, fillsTable, ordersTable, performanceTable, positionHistoryTable, type Hand } from '#tests/helpers/exports/tradovate-files.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'
import type { Reading } from '#shared/imports/reading.ts'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const zones = fc.constantFrom('America/New_York', 'America/Chicago', 'Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Tokyo', 'America/Los_Angeles')
const hands: fc.Arbitrary<Hand> = fc.record({ zone: zones, money: fc.constantFrom('plain' as const, 'dollars' as const, 'brackets' as const), year2026: fc.boolean() })

const american: FormatHints = { dates: { order: 'mdy', ofThisFile: true }, latest: null }

const expectRead = async (seed: number, zone: string, kind: ExportKind, table: Table, expected: readonly Reading[]): Promise<void> => {
  const style = drawStyle(drawOf(seed))
  const file = await readBytes(encoded(csvText(table, style), style), zone, undefined, american)
  if (!file.ok) throw new Error(`Refused whole: ${file.problem.code}`)
  expect(file.refused).toEqual([])
  expect(file.kind).toBe(kind)
  expect(file.summary.accepted).toBe(table.rows.length)
  const readings = file.readings.filter(({ says }) => says !== 'position').map((reading) => (({ ...reading, line: undefined, ...(reading.says === 'fill' && { rank: undefined, row: undefined }) })))
  expect(byText(readings)).toEqual(byText(expected))
}

// Rows that share a moment are emitted once the next one shows the order of the file.
const byText = (readings: readonly object[]): readonly string[] => readings.map((reading) => JSON.stringify(reading)).sort()

const check = (read: (seed: number, hand: Hand) => Promise<void>): Promise<void> => fc.assert(fc.asyncProperty(seeds, hands, read), { numRuns: 25 })

describe('the readers return exactly what was written into a file', () => {
  it('Performance', () =>
    check(async (seed, hand) => {
      const { pairs } = truthOf(drawWorld(seed, { accounts: 1 }))
      await expectRead(seed, hand.zone, 'performance', performanceTable(pairs, hand), pairs.map((pair) => pairReading(pair, 'performance')))
    }))

  it('Position History', () =>
    check(async (seed, hand) => {
      const world = drawWorld(seed)
      const { pairs, open } = truthOf(world)
      const byPosition = [...Map.groupBy(pairs, ({ account, product, bookedOn }) => `${account.id} ${product.contract} ${bookedOn}`).values()].flat()
      await expectRead(seed, hand.zone, 'position-history', positionHistoryTable(pairs, open, world.dates.at(-1) ?? '', hand), byPosition.map((pair) => pairReading(pair, 'position-history')))
    }))

  it('Fills', () =>
    check(async (seed, hand) => {
      const { fills } = drawWorld(seed)
      await expectRead(seed, hand.zone, 'fills', fillsTable(fills, hand), fills.map(fillReading))
    }))

  it('Orders', () =>
    check(async (seed, hand) => {
      const { orders } = drawWorld(seed)
      await expectRead(seed, hand.zone, 'orders', ordersTable(orders, hand), orders.flatMap((order) => orderReading(order, hand.year2026)))
    }))

  it('Cash History', () =>
    check(async (seed, hand) => {
      const { cash } = truthOf(drawWorld(seed))
      const names = drawOf(seed).pick(['contract', 'product'] as const)
      await expectRead(seed, hand.zone, 'cash-history', cashTable(cash, hand, names), cash.map((row) => cashReading(row, names)))
    }))

  it('Account Balance History', () =>
    check(async (seed, hand) => {
      const days = listedDays(drawOf(seed), truthOf(drawWorld(seed)).days)
      await expectRead(seed, hand.zone, 'account-balance-history', balanceTable(days, hand), days.map(balanceReading))
    }))

  it("NinjaTrader's grid of executions", () =>
    fc.assert(
      fc.asyncProperty(seeds, zones, fc.record({ time: fc.constantFrom('am-pm' as const, 'iso' as const), spelled: fc.boolean(), displayName: fc.boolean(), charged: fc.boolean() }), async (seed, zone, style) => {
        const fills = drawWorld(seed, { accounts: 2 }).fills.filter(({ product, busted }) => !busted && product.root !== 'WWJ')
        await expectRead(seed, zone, 'ninjatrader-executions', ninjaTable(fills, { ...style, zone, newestFirst: false }), gridReadings(fills, style.charged))
      }),
      { numRuns: 25 },
    ))
})
