/** @module-tag long */

import { expect, onTestFinished, test } from 'vitest'
import { casesOf, isNightly } from '../helpers/cases.ts'
import { openGround, sayWalks, seedsOf, walkSeeds } from './seeds.ts'

const count = casesOf({ nightly: 2_000, long: 60, inCi: 1 })
const zones = ['Asia/Tokyo', 'America/New_York', 'Pacific/Auckland']

test(`${String(count)} walks with a hostile broker: nothing wrong is shown unmarked`, async () => {
  const walks = zones.map((zone, index) => ({ zone, seeds: seedsOf(count).filter((seed) => seed % zones.length === index) })).filter(({ seeds }) => seeds.length > 0)
  const results = await Promise.all(walks.map(async ({ zone, seeds }) => {
    const ground = await openGround(zone)
    onTestFinished(ground.stop)
    return { zone, ...await walkSeeds(ground, seeds) }
  }))
  process.stdout.write(results.map(({ zone, ...result }) => `${zone}: ${sayWalks(result)}\n`).join(''))
  expect(results.flatMap(({ silent }) => silent)).toEqual([])
})

test.runIf(isNightly)('20 walks with an honest broker: every trade, fee, note and total is right after each sync', async () => {
  const ground = await openGround('America/New_York')
  onTestFinished(ground.stop)
  const result = await walkSeeds(ground, seedsOf(20, 9_001), true)
  expect(result.silent, sayWalks(result)).toEqual([])
})
