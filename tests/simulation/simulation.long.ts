/** @module-tag long */

import { expect, test } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { plants } from './plants.ts'
import { runManyWorlds, runWorlds, wordsOf } from './worlds.ts'

// 10,000 of them take long: `npm run test:nightly`.
const count = casesOf({ nightly: 10_000, long: 1_000, inCi: 4 })

test(`in ${String(count)} hostile worlds the copier breaks no rule at the broker`, async () => {
  const report = await runManyWorlds(count)
  process.stdout.write(`${String(report.worlds)} worlds, ${report.worldsPerSecond.toFixed(1)} a second, ${report.virtualHours.toFixed(0)} hours\n`)
  expect(wordsOf(report)).toBe('')
}, 5_400_000)

// What a fault of the product looks like to the judge; in CI every tenth of them.
const planted = plants.filter((_, index) => index % casesOf({ nightly: 1, long: 1, inCi: 10 }) === 0)

/** Worlds in which a planted fault has to be found. */
const most = 100

test.each(planted)('row $row: $says', async ({ name, row, rules, from = 1 }) => {
  const { worlds, failed } = await runWorlds(from, most, name)
  process.stdout.write(`row ${String(row)}, ${name}: found in world ${String(worlds)} as ${failed[0]?.rule ?? 'nothing'}\n`)
  expect(failed.length, `nothing found in ${String(most)} worlds`).toBe(1)
  expect(rules).toContain(failed[0]?.rule)
})
