import type { Fill } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Batch } from '#shared/pnl/match-batch.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import { pairIdOf } from '#shared/pnl/fill-pair.ts'
import { manyClosedByOne, mixedFills, oneClosedByMany } from './fills.ts'
import { counted, median, rounded, scale, type BenchRow } from './row.ts'

const ratioLimit = 3
const growthLimit = 15
const runs = 5
const fillsPerTiming = 1_000_000 * scale
const zone = 'America/New_York'

type Shape = { readonly name: string; readonly make: (count: number) => readonly Fill[]; readonly sizes: readonly number[] }

const shapes: readonly Shape[] = [
  { name: 'fills', make: mixedFills, sizes: [10_000, 100_000, 1_000_000] },
  { name: 'fills closed by one', make: manyClosedByOne, sizes: [100_000, 1_000_000] },
  { name: 'fills that close one', make: oneClosedByMany, sizes: [100_000, 1_000_000] },
]

/**
 * The engine as the product uses it, from ordered fills to batches with their pairs, trades and ids. Its ratio stands
 * against a loop over the same fills that keeps the net position of each account and contract; its growth is what
 * ten times the fills cost it.
 */
export const benchEngine = (): readonly BenchRow[] =>
  shapes.flatMap(({ name, make, sizes }) => {
    const counts = sizes.map((size) => size * scale)
    const inputs = counts.map(make)
    const ratios = inputs.map((fills, index) => ratioRow(`engine: ${counted(counts[index] ?? 0)} ${name}`, fills))
    const growths = inputs.slice(1).map((larger, index) => {
      const step = `${counted(counts[index] ?? 0)} to ${counted(counts[index + 1] ?? 0)}`
      return growthRow(`engine growth: ${step} ${name}`, inputs[index] ?? [], larger)
    })
    return [...ratios, ...growths]
  })

const ratioRow = (name: string, fills: readonly Fill[]): BenchRow => {
  compareNets(fills)
  const engines: number[] = []
  const loops: number[] = []
  for (let run = 0; run < runs; run += 1) {
    loops.push(timed(fills, netPositions))
    engines.push(timed(fills, (all) => useBatches(all)))
  }
  const [engine, loop] = [median(engines), median(loops)]
  return { name, ratio: engine / loop, limit: ratioLimit, details: { runs, engineMs: rounded(engine), loopMs: rounded(loop) } }
}

// Here all that came of a timing is kept to its end: both sizes then hold a million fills' worth of pairs, and what
// remains between them is the growth of the work and not that of the heap.
const growthRow = (name: string, smallerFills: readonly Fill[], largerFills: readonly Fill[]): BenchRow => {
  const smallers: number[] = []
  const largers: number[] = []
  for (let run = 0; run < runs; run += 1) {
    smallers.push(timed(smallerFills, (fills) => keepBatches(fills)))
    largers.push(timed(largerFills, (fills) => keepBatches(fills)))
  }
  const [smaller, larger] = [median(smallers), median(largers)]
  return { name, ratio: larger / smaller, limit: growthLimit, details: { runs, largerMs: rounded(larger), smallerMs: rounded(smaller) } }
}

const batchesOf = (fills: readonly Fill[]) => deriveBatches(fills, { zone, specOf: contractSpecOf })

const keepBatches = (fills: readonly Fill[]): readonly Batch[] => [...batchesOf(fills)]

// What the store does with a batch, without the store: ask every trade for its ids, then let the batch go.
const useBatches = (fills: readonly Fill[]): ReadonlyMap<string, number> => {
  const nets = new Map<string, number>()
  let idLength = 0
  for (const { account, contract, pairs, end } of batchesOf(fills)) {
    nets.set(account + contract, end.net)
    for (const pair of pairs) idLength += pairIdOf(pair).length + pair.tradeId.length
  }
  if (idLength === 0) throw new Error('No pair has an id')
  return nets
}

const netPositions = (fills: readonly Fill[]): ReadonlyMap<string, number> => {
  const nets = new Map<string, number>()
  for (const { account, contract, side, qty } of fills) {
    const key = account + contract
    nets.set(key, (nets.get(key) ?? 0) + (side === 'buy' ? qty : -qty))
  }
  return nets
}

// A fast wrong answer is no measurement: both sides must have seen the same fills.
const compareNets = (fills: readonly Fill[]): void => {
  const ends = useBatches(fills)
  for (const [key, net] of netPositions(fills)) {
    if (ends.get(key) !== net) throw new Error(`The engine ends ${key} at ${String(ends.get(key))}, the loop at ${String(net)}`)
  }
}

// Milliseconds for one pass. Small inputs are worked through over and over until a million fills are done, to pay their
// share of collecting garbage.
const timed = (fills: readonly Fill[], work: (fills: readonly Fill[]) => unknown): number => {
  if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc, so that no run pays for the garbage of another')
  const times = Math.max(1, Math.round(fillsPerTiming / fills.length))
  const results: unknown[] = []
  globalThis.gc()
  const start = performance.now()
  for (let time = 0; time < times; time += 1) results.push(work(fills))
  const spent = performance.now() - start
  if (results.length !== times) throw new Error('Not all was computed')
  return spent / times
}
