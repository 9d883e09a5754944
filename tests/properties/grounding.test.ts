import { expect, it } from 'vitest'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'
import { wordKinds } from './grounding-words.ts'

it('of 500 wrong figures, names and words, in twenty ways to say them, none is proved, and nearly all right ones are', () => {
  const run = runGrounding(500, 20261122)
  expect(run.missed).toEqual([])
  expect(run.wrong).toBe(500)
  expect(run.byRendering.size).toBe(renderings.length)
  expect([...run.byWords.keys()].sort()).toEqual([...wordKinds].sort())
  expect(run.proved / run.right).toBeGreaterThanOrEqual(0.99)
})
