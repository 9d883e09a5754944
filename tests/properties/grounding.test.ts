import { expect, it } from 'vitest'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'
import { mutationKinds } from './grounding-mutations.ts'
import { wordKinds } from './grounding-words.ts'

it('of 500 wrong references and words, in twenty phrasings, none is proved, and all correct ones are', () => {
  const run = runGrounding(500, 20261122)
  expect(run.missed).toEqual([])
  expect(run.untrue).toEqual([])
  expect(run.doubted).toEqual([])
  expect(run.wrong).toBe(500)
  expect(run.right).toBeGreaterThan(renderings.length)
  expect([...run.byKind.keys()].sort()).toEqual([...mutationKinds, ...wordKinds].sort())
})
