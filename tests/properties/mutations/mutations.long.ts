/** @module-tag long */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '#tests/helpers/app.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import { startForMutations, throughCalls } from './calls-front.ts'
import { seedsOf } from './cases.ts'
import { throughCommand } from './cli-front.ts'
import { platformKinds } from './platform-writers.ts'
import { runAll, type Front } from './run.ts'

let app: App | null = null
beforeAll(async () => {
  app = await startForMutations()
})
afterAll(() => app?.stop())

const calls: Front = (played) => (app === null ? Promise.reject(new Error('Not started')) : throughCalls(app)(played))

// The calls take a second for each four: `npm run test:nightly` draws all of theirs.
const part = 125
const partsOf = (seeds: readonly number[]): readonly (readonly number[])[] => Array.from({ length: Math.ceil(seeds.length / part) }, (_, index) => seeds.slice(index * part, (index + 1) * part))
const tables = [
  ['right files through the command', throughCommand, false, casesOf({ nightly: 500, long: 125, inCi: 15 })],
  ['broken files through the command', throughCommand, true, casesOf({ nightly: 20_000, long: 1_000, inCi: 30 })],
  ['broken files through the calls', calls, true, casesOf({ nightly: 20_000, long: 250, inCi: 6 })],
] as const

test.for(tables.flatMap(([name, front, broken, count]) => partsOf(seedsOf(count)).map((seeds, index) => [name, index, front, broken, seeds] as const)))('%s, part %i: no wrong result without a warning', async ([name, , front, broken, seeds]) => {
  const { line, stories } = await runAll(name, front, seeds, broken)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})

test.for(platformKinds.map((kind) => [kind] as const))('broken files of %s: no wrong result without a warning', async ([kind]) => {
  const { line, stories } = await runAll(`broken files of ${kind}`, throughCommand, seedsOf(casesOf({ nightly: 2_000, long: 100, inCi: 20 })), true, kind)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})
