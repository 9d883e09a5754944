import { expect, it } from 'vitest'
import { runWhatIf } from './what-if-laws.ts'

it('of 10,000 drawn trades and rules, prints give what a brute force over them gives, and bars hold it', () => {
  const exact = runWhatIf(10_000, 1)
  process.stdout.write(`One result, of a hundred trades: ${JSON.stringify(exact)}\n`)
  expect(exact['prints']).toBeGreaterThan(80)
})
