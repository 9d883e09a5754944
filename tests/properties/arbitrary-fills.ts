import fc from 'fast-check'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { CentRounding } from '#shared/money/cents.ts'
import { compareFills } from '#shared/fills/order.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import type { Batch } from '#shared/pnl/match-batch.ts'

const accounts = ['tradovate:demo:1', 'tradovate:live:2'] as AccountKey[]

/** Contracts whose ticks are worth whole units, one without a row in the table left out: see `anyFills`. */
const contracts = ['MESM6', 'ZFU6', 'FDAXZ6', 'QNGH6']

const start = 1_772_400_000_000

const draft = fc.record({
  account: fc.constantFrom(...accounts),
  contract: fc.constantFrom(...contracts),
  // Often the same millisecond, sometimes days later.
  pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: 0, max: 200_000_000 })),
  side: fc.constantFrom('buy', 'sell'),
  qty: fc.integer({ min: 1, max: 12 }),
  price: fc.integer({ min: -50, max: 50_000 }),
  fee: fc.option(fc.integer({ min: -20_000, max: 200_000 }), { nil: null }),
  active: fc.integer({ min: 0, max: 9 }).map((die) => die > 0),
})

/** Fills of two accounts in four contracts, in the order of matching, each with an id of its own. */
export const fillStream: fc.Arbitrary<readonly Fill[]> = fc.array(draft, { maxLength: 60 }).map((drafts) => {
  let time = start
  return drafts
    .map(({ pause, ...rest }, index) => {
      time += pause
      return { ...rest, time, id: String(600_000_000_000 + index), source: 'api' } as Fill
    })
    .sort(compareFills)
})

/** In which zone days end. */
export const reading = fc.record({
  zone: fc.constantFrom('America/New_York', 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe'),
})

/** The batches of a stream, with contracts as the table knows them; `rounding` is the broker's, the usual one where missing. */
export const derive = (fills: readonly Fill[], { zone }: { zone: string }, rounding: CentRounding | null = null): readonly Batch[] => [
  ...deriveBatches(fills, { zone, specOf: (contract) => ({ ...contractSpecOf(contract), rounding }) }),
]
