import { expect, test } from 'vitest'
import { seedsOf } from './cases.ts'
import { throughCommand } from './cli-front.ts'
import { platformKinds } from './platform-writers.ts'
import { runAll } from './run.ts'

test.for(platformKinds.flatMap((kind) => [[kind, false, 6], [kind, true, 20]] as const))('%s, broken %s: no wrong result without a warning', async ([kind, broken, count]) => {
  const { line, stories } = await runAll(`${broken ? 'broken' : 'right'} files of ${kind}`, throughCommand, seedsOf(count), broken, kind)
  process.stdout.write(`${line}\n`)
  expect(stories.join('\n\n')).toBe('')
})
