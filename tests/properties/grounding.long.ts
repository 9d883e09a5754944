import { expect, it } from 'vitest'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'
import { mutationKinds } from './grounding-mutations.ts'
import { wordKinds } from './grounding-words.ts'

it('of 10,000 wrong references and words, in twenty ways to say them, none is proved, and all right ones are', () => {
  const run = runGrounding(10_000, 1)
  process.stdout.write(`${JSON.stringify(Object.fromEntries(run.byKind))}\nright and proved: ${String(run.proved)} of ${String(run.right)}; wrong and caught: ${String(run.caught)} of ${String(run.wrong)}; of another fact and right: ${String(run.swapped)}\n`)
  expect(run.missed).toEqual([])
  expect(run.untrue).toEqual([])
  expect(run.doubted).toEqual([])
  expect(run.wrong).toBe(10_000)
  expect(run.right).toBeGreaterThan(renderings.length)
  expect([...run.byKind.keys()].sort()).toEqual([...mutationKinds, ...wordKinds].sort())
})
