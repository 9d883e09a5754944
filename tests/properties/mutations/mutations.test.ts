import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '#tests/helpers/app.ts'
import { startForMutations, throughCalls } from './calls-front.ts'
import { seedsOf } from './cases.ts'
import { throughCommand } from './cli-front.ts'
import { runAll, type Front } from './run.ts'

let app: App | null = null
beforeAll(async () => {
  app = await startForMutations()
})
afterAll(() => app?.stop())

const calls: Front = (played) => (app === null ? Promise.reject(new Error('Not started')) : throughCalls(app)(played))

// Each of them found a wrong figure without a word once.
const found = [1481_793_586, 1341_116_365, 793_057_960, 642_645_159, 159_895_539, 2063_417_556, 1190_920_882, 698_014_722, 815_270_609, 1640_441_079, 1522_114_493, 477_343_322, 1976_794_840, 905_670_503, 127_127_540, 452_385_813, 360_127_821, 52_933_488, 2027_397_468, 922_945_595, 1911_435_094, 1849_695_552, 1189_069_556, 2087_967_611, 471_883_309, 1716_832_502, 1480_563_172, 1880_569_750, 1701_175_645, 1760_442_821, 2050_306_479, 2054_456_387, 1457_308_244, 1203_145_555, 493_785_951, 5_480_913, 1131_306_526, 255_968_342, 1049_005_351, 791_538_488, 1610_235_734, 337_459_698, 2090_183_849]

test.for([
  ['right files through the command', throughCommand, 20, false],
  ['right files through the calls', calls, 2, false],
  ['broken files through the command', throughCommand, 20, true],
  ['broken files through the calls', calls, 4, true],
] as const)('%s: no wrong result without a warning', async ([name, front, count, broken]) => {
  const { line, stories } = await runAll(name, front, seedsOf(count), broken)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})

test('cases that fresh seeds found stay found', async () => {
  const { line, stories } = await runAll('cases that were found', throughCommand, found, true)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})
