/** @module-tag long */

import { expect, it } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { renderings } from './grounding-cases.ts'
import { runGrounding } from './grounding-laws.ts'
import { mutationKinds } from './grounding-mutations.ts'
import { wordKinds } from './grounding-words.ts'

const count = casesOf({ nightly: 10_000, long: 10_000, inCi: 4_000 })

it(`of ${String(count)} wrong references and words, in twenty phrasings, none is proved, and all correct ones are`, () => {
  const run = runGrounding(count, 1)
  process.stdout.write(`${JSON.stringify(Object.fromEntries(run.byKind))}\nright and proved: ${String(run.proved)} of ${String(run.right)}; wrong and caught: ${String(run.caught)} of ${String(run.wrong)}; of another fact and right: ${String(run.swapped)}\n`)
  expect(run.missed).toEqual([])
  expect(run.untrue).toEqual([])
  expect(run.doubted).toEqual([])
  expect(run.wrong).toBe(count)
  expect(run.right).toBeGreaterThan(renderings.length)
  expect([...run.byKind.keys()].sort()).toEqual([...mutationKinds, ...wordKinds].sort())
})
