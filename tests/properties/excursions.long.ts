import { expect, it } from 'vitest'
import { runExcursions } from './excursion-laws.ts'

it('of 10,000 drawn trades the bounds hold what a brute force over all prints finds, and prints give one figure', () => {
  const exact = runExcursions(10_000, 1)
  process.stdout.write(`One figure each for MFE and MAE, of a hundred trades: ${JSON.stringify(exact)}\n`)
  expect(exact['prints']).toBeGreaterThan(85)
})
