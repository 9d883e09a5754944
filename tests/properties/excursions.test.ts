import { expect, it } from 'vitest'
import { runExcursions } from './excursion-laws.ts'

it('in 500 generated trades the bounds contain the brute-force result over all prints, and prints give one figure', () => {
  // How many of a hundred are exact: tied moments and wide bars leave the others open.
  expect(runExcursions(500, 1)).toEqual({
    prints: 87, 'bars of 1 s': 45, 'bars of 60 s': 20, 'bars of 300 s': 6, mixed: 85, 'with a hole': 69,
    'stamped to the millisecond, prints': 85, 'stamped to the millisecond, bars of 1 s': 46, 'stamped to the millisecond, bars of 60 s': 19, 'stamped to the millisecond, mixed': 83,
    'stamped to the second, prints': 40, 'stamped to the second, bars of 1 s': 39, 'stamped to the second, bars of 60 s': 19, 'stamped to the second, mixed': 38,
    '80 ms late, prints': 57, '80 ms late, bars of 1 s': 39, '800 ms late, bars of 1 s': 39, '800 ms late, bars of 60 s': 19,
  })
})
