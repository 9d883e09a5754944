import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Side } from './market.ts'
import { openGround, sayWalks, seedsOf, walkSeeds } from './seeds.ts'
import type { Step, Trick } from './steps.ts'
import { makeWalk } from './walk.ts'

let ground: Awaited<ReturnType<typeof openGround>>
beforeAll(async () => { ground = await openGround('Asia/Tokyo') })
afterAll(() => ground.stop())

const order = (side: Side, qty: number, ticks: number, trick: Trick = {}): Step => ({ do: 'order', account: 0, contract: 0, side, qty, pieces: 1, ticks, wait: 60, trick })
const sync: Step = { do: 'sync', atClose: false, faults: [], hide: [], shuffled: false, lag: null }

// From 6,000.00, 5 dollars a point: 2 bought at 6000.00 the day before, one sold at 6010.00 (+50.00) and one, with 2 more, at 6005.00
// (+25.00); the 2 are bought back at 6001.00 (+40.00). Each contract costs 0.95 on either side.
test('a position carried into the first connection, late fills and fees: a scripted walk', { tags: ['long', 'nightly'] }, async () => {
  const steps: Step[] = [
    order('Buy', 2, 0), { do: 'roll' }, { do: 'connect' },
    order('Sell', 1, 40, { listedLate: 1 }), sync, order('Sell', 3, 20, { feeLate: { syncs: 1, before: 'part' } }), sync, order('Buy', 2, 4, { orderLate: 1 }), sync,
  ]
  const { silent, end } = await makeWalk(ground, { seed: 0, from: '2026-03-05', accounts: ['demo'], steps })
  expect(silent).toEqual([])
  expect(end.pairs.toSorted((one, other) => one.exitTime.localeCompare(other.exitTime)).map(({ side, qty, grossPnl, commission, netPnl, warnings }) => [side, qty, grossPnl, commission, netPnl, warnings])).toEqual([
    ['long', 1, '50.00', '1.90', '48.10', []], ['long', 1, '25.00', '1.90', '23.10', []], ['short', 2, '40.00', '3.80', '36.20', []],
  ])
  expect(end.statistics.all.money).toMatchObject([{ currency: 'USD', grossPnl: '115.00', commission: '7.60', netPnl: '107.40' }])
})

test('a price and a time that the broker corrects after the last sync of their session arrive with its history', { tags: ['long', 'nightly'] }, async () => {
  const steps: Step[] = [{ do: 'connect' }, order('Buy', 2, 0), sync, { do: 'correct', pick: 0, by: 8 }, { do: 'retime', pick: 0, by: 30 }, { do: 'roll' }, order('Sell', 2, 40), sync]
  const { silent, end } = await makeWalk(ground, { seed: 0, from: '2026-03-05', accounts: ['demo'], steps })
  expect(silent).toEqual([])
  // Bought at 6002.00 after all, and sold at 6010.00.
  expect(end.pairs.map(({ side, qty, grossPnl, warnings }) => [side, qty, grossPnl, warnings])).toEqual([['long', 2, '80.00', []]])
})

test('a walk with an honest broker: every trade, fee, note and total is right after each sync', { tags: ['long', 'nightly'] }, async () => {
  const result = await walkSeeds(ground, seedsOf(1, 9_001), true)
  expect(result.silent, sayWalks(result)).toEqual([])
})

test('a walk with a hostile broker: nothing wrong is shown unmarked', { tags: ['long', 'nightly'] }, async () => {
  const result = await walkSeeds(ground, seedsOf(1))
  process.stdout.write(`${sayWalks(result)}\n`)
  expect(result.silent).toEqual([])
})
