import { expect, it } from 'vitest'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'
import { wordKinds } from './grounding-words.ts'

it('of 10,000 wrong figures, names and words, in twenty ways to say them, none is proved, and at least 99 of 100 right ones are', () => {
  const run = runGrounding(10_000, 1)
  const shares = [...run.byRendering].map(([name, { right, proved, wrong, caught }]) => `${name}: ${String(proved)} of ${String(right)} right proved, ${String(caught)} of ${String(wrong)} wrong caught`)
  process.stdout.write(`${shares.join('\n')}\nin words: ${JSON.stringify(Object.fromEntries(run.byWords))}\nright and proved: ${String(run.proved)} of ${String(run.right)}; wrong and caught: ${String(run.caught)} of ${String(run.wrong)}\n`)
  expect(run.missed).toEqual([])
  expect(run.wrong).toBe(10_000)
  expect(renderings.length).toBe(20)
  expect([...run.byWords.keys()].sort()).toEqual([...wordKinds].sort())
  expect(run.proved / run.right).toBeGreaterThanOrEqual(0.99)
})
