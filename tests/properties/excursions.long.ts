/** @module-tag long */

import { expect, it } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { runExcursions } from './excursion-laws.ts'

const count = casesOf({ nightly: 10_000, long: 10_000, inCi: 3_000 })

it(`in ${String(count)} generated trades the bounds contain the brute-force result over all prints, and prints give one figure`, () => {
  const exact = runExcursions(count, 1)
  process.stdout.write(`One figure each for MFE and MAE, of a hundred trades: ${JSON.stringify(exact)}\n`)
  expect(exact['prints']).toBeGreaterThan(85)
})
