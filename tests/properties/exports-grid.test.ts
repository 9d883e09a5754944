import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withCopies } from '#tests/helpers/exports/copies.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { drawStyle, writeExports, type ExportFile } from '#tests/helpers/exports/exports.ts'
import { importFiles } from '#tests/helpers/exports/import-files.ts'
import { gridId, ninjaTable, type GridStyle } from '#tests/helpers/exports/ninjatrader-file.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld, type TrueFill } from '#tests/helpers/exports/world.ts'
import { expectTruePairs, expectTrueTotals, expectTrueTrades } from './exports-laws.ts'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const styles = fc.record({
  zone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kolkata'),
  time: fc.constantFrom('am-pm' as const, 'iso' as const, 'minutes' as const),
  spelled: fc.boolean(),
  newestFirst: fc.boolean(),
  displayName: fc.boolean(),
  charged: fc.boolean(),
})

const gridOf = (seed: number, fills: readonly TrueFill[], style: GridStyle): ExportFile => ({ name: 'grid.csv', kind: 'ninjatrader-executions', table: ninjaTable(fills, style), style: drawStyle(drawOf(seed)) })

describe("NinjaTrader's grid, leader and copies in one file", () => {
  it('gives each account its own pairs, and grids that overlap change nothing', { tags: ['long', 'nightly'] }, () =>
    fc.assert(
      fc.asyncProperty(seeds, styles, async (seed, style) => {
        const world = withCopies(drawWorld(seed, { accounts: 1, products: dollarProducts }), ['APEX1279810000057', 'APEX1279810000058', 'APEX1279810000059'])
        const truth = truthOf(world)
        const half = Math.floor(world.fills.length / 2)
        const files = [gridOf(seed, world.fills, style), gridOf(seed + 1, world.fills.slice(0, half + 5), style), gridOf(seed + 2, world.fills.slice(half), { ...style, displayName: !style.displayName })]
        const imported = await importFiles(drawOf(seed).shuffle(files), style.zone)
        // A trader may wait a whole session for a trade: then all four files are empty.
        expect(imported.assembly.accounts.size).toBe(new Set(world.fills.map(({ account }) => account.id)).size)
        expectTruePairs(imported, truth, gridId)
        expectTrueTrades(imported, truth)
        expectTrueTotals(imported, truth)
      }),
      { numRuns: 25 },
    ))

  it("counts no fill twice if the broker's own files have it too, and those win", { tags: ['long', 'nightly'] }, () =>
    fc.assert(
      fc.asyncProperty(seeds, styles, async (seed, style) => {
        const draw = drawOf(seed)
        const world = drawWorld(seed, { accounts: 2 })
        const truth = truthOf(world)
        const own = writeExports(draw, world, truth, ['fills', 'position-history', 'orders'], { zone: style.zone, cut: false })
        const imported = await importFiles(draw.shuffle([gridOf(seed, world.fills, style), ...own]), style.zone)
        expectTruePairs(imported, truth)
        expect(imported.assembly.warnings.map(({ code }) => code)).not.toContain('order-contradicts')
        // A grid beside pairs alone: what is left out of neither counts once.
        const beside = await importFiles(draw.shuffle([gridOf(seed, world.fills, style), ...own.filter(({ kind }) => kind === 'position-history')]), style.zone)
        expectTruePairs(beside, truth, gridId)
      }),
      { numRuns: 25 },
    ))
})
