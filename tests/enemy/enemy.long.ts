import { expect, onTestFinished, test } from 'vitest'
import { casesOf, isNightly } from '../helpers/cases.ts'
import { openGround, sayTold, seedsOf, walkSeeds } from './seeds.ts'

const count = casesOf({ nightly: 2_000, long: 60, inCi: 3 })
const zones = ['Asia/Tokyo', 'America/New_York', 'Pacific/Auckland']

test(`${String(count)} walks beside an enemy at the broker: nothing wrong is shown unmarked`, async () => {
  const tolds = await Promise.all(zones.map(async (zone, index) => {
    const ground = await openGround(zone)
    onTestFinished(ground.stop)
    return walkSeeds(ground, seedsOf(count).filter((seed) => seed % zones.length === index))
  }))
  process.stdout.write(tolds.map((told, index) => `${zones[index] ?? ''}: ${sayTold(told)}\n`).join(''))
  expect(tolds.flatMap(({ silent }) => silent)).toEqual([])
})

test.runIf(isNightly)('20 walks with an honest broker: every trade, fee, note and total is right after each sync', async () => {
  const ground = await openGround('America/New_York')
  onTestFinished(ground.stop)
  const told = await walkSeeds(ground, seedsOf(20, 9_001), true)
  expect(told.silent, sayTold(told)).toEqual([])
})
