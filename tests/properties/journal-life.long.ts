import fc from 'fast-check'
import { it } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { holds, lives } from './journal-life.ts'

it('whatever happens to it in three hundred steps, a journal is the one that is built anew from what stands', async () => {
  await fc.assert(fc.asyncProperty(lives(30), holds), { numRuns: casesOf({ all: 300, inCi: 100 }) })
  await fc.assert(fc.asyncProperty(lives(300), holds), { numRuns: casesOf({ all: 10, inCi: 4 }) })
})
