import type { Fill } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import { pairIdOf } from '#shared/pnl/pair.ts'
import { manyClosedByOne, mixedFills, oneClosedByMany } from './fills.ts'
import { median, rounded, type BenchRow } from './row.ts'

const ratioLimit = 3
const growthLimit = 15
const zone = 'America/New_York'

type Measured = { readonly row: BenchRow; readonly engine: number }

/**
 * The engine as the product uses it, from ordered fills to batches with their pairs, trips and ids, each batch let go
 * when its sums are taken, against a loop over the same fills that keeps the net position of each account and contract.
 */
export const benchEngine = (): readonly BenchRow[] =>
  [false, true].flatMap((carry) => {
    const style = carry ? 'carried overnight' : 'days apart'
    const measure = (name: string, fills: readonly Fill[], runs: number) => measureCase(`${name}, ${style}`, fills, carry, runs)
    const small = measure('10,000 fills', mixedFills(10_000), 7)
    const middle = measure('100,000 fills', mixedFills(100_000), 7)
    const large = measure('1,000,000 fills', mixedFills(1_000_000), 7)
    const closedByOne = measure('1,000,000 fills closed by one', manyClosedByOne(1_000_000), 7)
    const tenthClosedByOne = measure('100,000 fills closed by one', manyClosedByOne(100_000), 7)
    const closedByMany = measure('one fill closed by 1,000,000', oneClosedByMany(1_000_000), 7)
    const tenthClosedByMany = measure('one fill closed by 100,000', oneClosedByMany(100_000), 7)
    return [
      ...[small, middle, large, closedByOne, closedByMany].map(({ row }) => row),
      growth(`10,000 to 100,000 fills, ${style}`, small, middle),
      growth(`100,000 to 1,000,000 fills, ${style}`, middle, large),
      growth(`100,000 to 1,000,000 fills closed by one, ${style}`, tenthClosedByOne, closedByOne),
      growth(`one fill closed by 100,000 to 1,000,000, ${style}`, tenthClosedByMany, closedByMany),
    ]
  })

const measureCase = (name: string, fills: readonly Fill[], carry: boolean, runs: number): Measured => {
  compareNets(fills, carry)
  const engineTimes: number[] = []
  const loopTimes: number[] = []
  for (let run = 0; run < runs; run += 1) {
    loopTimes.push(timed(fills, netPositions))
    engineTimes.push(timed(fills, (all) => derive(all, carry)))
  }
  const engine = median(engineTimes)
  const loop = median(loopTimes)
  const details = { fills: fills.length, runs, engineMs: rounded(engine), loopMs: rounded(loop) }
  return { engine, row: { name: `engine: ${name}`, ratio: engine / loop, limit: ratioLimit, details } }
}

const growth = (name: string, smaller: Measured, larger: Measured): BenchRow => ({
  name: `engine growth: ${name}`,
  ratio: larger.engine / smaller.engine,
  limit: growthLimit,
  details: { smallerMs: rounded(smaller.engine), largerMs: rounded(larger.engine) },
})

const derive = (fills: readonly Fill[], carry: boolean): ReadonlyMap<string, number> => {
  const nets = new Map<string, number>()
  let idLength = 0
  for (const { account, contract, pairs, end } of deriveBatches(fills, { zone, carry, specOf: contractSpecOf })) {
    nets.set(account + contract, end.net)
    for (const pair of pairs) idLength += pairIdOf(pair).length + pair.tripId.length
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
const compareNets = (fills: readonly Fill[], carry: boolean): void => {
  const ends = derive(fills, carry)
  for (const [key, net] of netPositions(fills)) {
    if (ends.get(key) !== net) throw new Error(`The engine ends ${key} at ${String(ends.get(key))}, the loop at ${String(net)}`)
  }
}

// Small inputs are worked through over and over until a million fills are done, so that every timing pays its share of
// collecting garbage; a single small run would end before the first collection.
const timed = (fills: readonly Fill[], work: (fills: readonly Fill[]) => ReadonlyMap<string, number>): number => {
  if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc, so that no run pays for the garbage of another')
  const times = Math.max(1, Math.round(1_000_000 / fills.length))
  let nets = 0
  globalThis.gc()
  const start = performance.now()
  for (let time = 0; time < times; time += 1) nets += work(fills).size
  const spent = performance.now() - start
  if (nets === 0) throw new Error('Nothing was computed')
  return spent / times
}
