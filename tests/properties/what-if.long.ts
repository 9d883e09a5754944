/** @module-tag long */

import { expect, it } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { runWhatIf } from './what-if-laws.ts'

const count = casesOf({ nightly: 10_000, long: 10_000, inCi: 3_000 })

it(`in ${String(count)} generated trades and rules, prints give the brute-force result, and bars contain it`, () => {
  const exact = runWhatIf(count, 1)
  process.stdout.write(`One result, of a hundred trades: ${JSON.stringify(exact)}\n`)
  expect(exact['prints']).toBeGreaterThan(80)
})
