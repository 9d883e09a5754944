import { expect, it } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { runWhatIf } from './what-if-laws.ts'

const count = casesOf({ nightly: 10_000, long: 10_000, inCi: 3_000 })

it(`of ${String(count)} drawn trades and rules, prints give what a brute force over them gives, and bars hold it`, () => {
  const exact = runWhatIf(count, 1)
  process.stdout.write(`One result, of a hundred trades: ${JSON.stringify(exact)}\n`)
  expect(exact['prints']).toBeGreaterThan(80)
})
