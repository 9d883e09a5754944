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

test.for([
  ['right files through the command', throughCommand, 100, false],
  ['right files through the calls', calls, 20, false],
  ['broken files through the command', throughCommand, 100, true],
  ['broken files through the calls', calls, 100, true],
] as const)('%s: nothing wrong comes out without a word', async ([name, front, count, broken]) => {
  const { line, stories } = await runAll(name, front, seedsOf(count), broken)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})
