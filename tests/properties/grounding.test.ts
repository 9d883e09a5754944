import { expect, it } from 'vitest'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'

it('of 500 wrong figures, in twenty ways to say them, none is proved, and nearly all right ones are', () => {
  const run = runGrounding(500, 20261122)
  expect(run.missed).toEqual([])
  expect(run.wrong).toBe(500)
  expect(run.byRendering.size).toBe(renderings.length)
  expect(run.proved / run.right).toBeGreaterThanOrEqual(0.99)
})
