import fc from 'fast-check'
import { expect } from 'vitest'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { tradovateKinds, writeExports } from '#tests/helpers/exports/exports.ts'
import { deriveAll, importFiles, readFiles } from '#tests/helpers/exports/import-files.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import { expectTrueCommissions, expectTrueDays, expectTrueFees, expectTruePairs, expectTrueTotals, expectTrueTrades } from './exports-laws.ts'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe')
const others = tradovateKinds.filter((kind) => kind !== 'fills')

/** A law that is kept over this many worlds. */
type Case = readonly [name: string, hold: (numRuns: number) => Promise<void>]

const property = <Ts extends [unknown, ...unknown[]]>(...args: Parameters<typeof fc.asyncProperty<Ts>>): Case[1] => (numRuns) => fc.assert(fc.asyncProperty(...args), { numRuns })

/** What holds whatever files a user exports, in any order and as often as he likes. */
export const exportCases: readonly Case[] = [
  [
    "Fills among any others give the broker's pairs, days and fees",
    property(seeds, zones, fc.subarray(others), fc.boolean(), async (seed, zone, beside, cut) => {
      const pairsToo = beside.includes('position-history') || beside.includes('performance')
      const world = drawWorld(seed, pairsToo ? {} : { accounts: 1, products: dollarProducts })
      const truth = truthOf(world)
      const draw = drawOf(seed)
      const files = writeExports(draw, world, truth, ['fills', ...beside], { zone, cut })
      const imported = await importFiles(draw.shuffle([...files, ...files.slice(0, 2)]), zone)
      expectTruePairs(imported, truth)
      expectTrueTrades(imported, truth)
      expectTrueDays(imported, truth)
      expectTrueFees(imported, world)
      expectTrueCommissions(imported, truth)
    }),
  ],
  [
    "files of pairs alone give the broker's pairs",
    property(seeds, zones, fc.constantFrom('position-history' as const, 'performance' as const, 'both' as const), fc.boolean(), async (seed, zone, which, cut) => {
      const world = drawWorld(seed, which === 'performance' ? { accounts: 1 } : {})
      const truth = truthOf(world)
      const draw = drawOf(seed)
      const files = writeExports(draw, world, truth, which === 'both' ? ['position-history', 'performance'] : [which], { zone, cut })
      const imported = await importFiles(draw.shuffle(files), zone, world.accounts[0]?.name ?? null)
      expectTruePairs(imported, truth)
      expectTrueTrades(imported, truth)
      if (which !== 'performance') expectTrueDays(imported, truth)
    }),
  ],
  [
    'Position History with the Cash History gives the fees of each day too',
    property(seeds, zones, async (seed, zone) => {
      const world = drawWorld(seed, { allFlat: true })
      const truth = truthOf(world)
      const files = writeExports(drawOf(seed), world, truth, ['position-history', 'cash-history'], { zone, cut: false })
      const imported = await importFiles(files, zone)
      expectTruePairs(imported, truth)
      expectTrueDays(imported, truth)
      expectTrueFees(imported, world)
    }),
  ],
  [
    'Orders give the same money, whatever their parts were',
    property(seeds, zones, fc.boolean(), async (seed, zone, cut) => {
      const world = drawWorld(seed, { accounts: 2, products: dollarProducts })
      const truth = truthOf(world)
      const imported = await importFiles(writeExports(drawOf(seed), world, truth, ['orders'], { zone, cut }), zone)
      expectTrueTotals(imported, truth)
    }),
  ],
  [
    'Orders of calm traders with the Cash History give trades, days and fees',
    property(seeds, zones, fc.boolean(), async (seed, zone, cut) => {
      const world = drawWorld(seed, { temper: 'calm', accounts: 2, products: dollarProducts })
      const truth = truthOf(world)
      const imported = await importFiles(writeExports(drawOf(seed), world, truth, ['orders', 'cash-history'], { zone, cut }), zone)
      expectTrueTotals(imported, truth)
      expectTrueTrades(imported, truth)
      expectTrueDays(imported, truth)
      expectTrueFees(imported, world)
    }),
  ],
  [
    'a part of the time from Fills and all of it from a worse source give each contract once',
    property(seeds, zones, fc.subarray(['orders', 'position-history', 'performance'] as const, { minLength: 1 }), async (seed, zone, worse) => {
      const world = drawWorld(seed, { sessions: 5 })
      const truth = truthOf(world)
      const draw = drawOf(seed)
      const whole = writeExports(draw, world, truth, worse.includes('position-history') ? worse : [...worse, 'position-history'], { zone, cut: false })
      const halves = writeExports(draw, world, truth, ['fills', 'orders'], { zone, cut: true })
      const imported = await importFiles(draw.shuffle([...whole, ...draw.shuffle(halves).slice(0, 2)]), zone)
      expectTrueTotals(imported, truth)
    }),
  ],
  [
    'neither order nor repetition of the files changes anything',
    property(seeds, fc.subarray([...tradovateKinds], { minLength: 1 }), fc.boolean(), async (seed, kinds, cut) => {
      const world = drawWorld(seed)
      const draw = drawOf(seed)
      const files = writeExports(draw, world, truthOf(world), kinds, { zone: 'UTC', cut })
      const readings = await Promise.all(files.map((file) => readFiles([file], 'UTC')))
      const once = deriveAll(readings.flat(), 'UTC', 'one')
      const again = deriveAll(draw.shuffle([...readings, ...readings, ...draw.shuffle(readings).slice(1)]).flat(), 'UTC', 'one')
      // The line in the file is no part of the reading.
      const sorted = <T>(items: Iterable<T>): readonly string[] => [...items].map((item) => JSON.stringify(item, (key, value: unknown) => (key === 'line' ? undefined : value))).sort()
      expect(again.assembly.fills).toEqual(once.assembly.fills)
      expect(sorted(again.pairs)).toEqual(sorted(once.pairs))
      for (const part of ['pairs', 'cash', 'balances', 'specs'] as const) expect(sorted<unknown>(again.assembly[part])).toEqual(sorted<unknown>(once.assembly[part]))
    }),
  ],
]
