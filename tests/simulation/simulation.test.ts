import { expect, test } from 'vitest'
import { printWorld, runWorlds, wordsOf } from './worlds.ts'

test('in a hostile world the copier breaks no rule at the broker', async () => {
  const report = await runWorlds(1, 1)
  process.stdout.write(`${String(report.worlds)} worlds, ${String(report.worldsPerSecond)} a second, ${String(report.virtualHours)} hours\n`)
  expect(wordsOf(report)).toBe('')
})

test('a seed gives exactly the same world', { tags: ['long', 'nightly'] }, async () => {
  const [once, again] = await Promise.all([printWorld(7), printWorld(7)])
  expect(once.length).toBeGreaterThan(1_000)
  expect(again).toBe(once)
})

test.each([5_114, 7_139, 8_301, 8_396])('world %i, which once broke a rule, breaks none', { tags: ['long', 'nightly'] }, async (seed) => {
  expect(wordsOf(await runWorlds(seed, 1))).toBe('')
})
