import { expect, it } from 'vitest'
import { runWhatIf } from './what-if-laws.ts'

it('in 500 generated trades and rules, prints give the brute-force result, and bars contain it', () => {
  // How many of a hundred have one result: touched targets, tied moments, and wide bars leave the others open.
  expect(runWhatIf(500, 1)).toEqual({
    prints: 92, 'bars of 1 s': 66, 'bars of 60 s': 37, 'bars of 300 s': 22, mixed: 78, 'with a hole': 92,
    'bars of 1 s with every price': 78, 'bars of 60 s with every price': 57, 'bars of 300 s with every price': 44,
    'stamped to the second, prints': 66, 'stamped to the second, bars of 1 s': 61, 'stamped to the second, bars of 60 s': 36,
  })
})

it.each([
  ['entries of one price within a second of which the second was not made', 1103],
  ['a first target before an entry of the same bar', 4016],
  ['a first target that an added contract brings about behind the price', 4228],
])('holds %s', (_, seed) => {
  expect(Object.keys(runWhatIf(1, seed)).length).toBeGreaterThan(5)
})
