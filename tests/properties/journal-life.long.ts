/** @module-tag long */

import fc from 'fast-check'
import { it } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { holds, lives } from './journal-life.ts'

it('after any three hundred steps a journal equals one built from its sources', async () => {
  await fc.assert(fc.asyncProperty(lives(30), holds), { numRuns: casesOf({ nightly: 300, long: 40, inCi: 8 }) })
  await fc.assert(fc.asyncProperty(lives(300), holds), { numRuns: casesOf({ nightly: 10, long: 2, inCi: 1 }) })
})
