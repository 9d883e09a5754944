import { livePosition, positionsOf } from '#tests/helpers/positions-live.ts'
import { expect, test } from 'vitest'
import { newestPositions } from './positions.ts'

const live = (seq: number, price = '21604.25') => positionsOf(seq, { positions: [livePosition('a'), livePosition('b', { last: { price, at: 1 } })] })

test('a newer state takes the place of an older one, never the other way round', () => {
  expect(newestPositions(undefined, live(1))).toEqual(live(1))
  expect(newestPositions(live(1), live(2))).toEqual(live(2))
  expect(newestPositions(live(2), live(1))).toEqual(live(2))
})

test('after a restart of the program the numbers start over, the clock does not', () => {
  const restarted = { ...live(1), at: live(9).at + 1 }
  expect(newestPositions(live(9), restarted)).toEqual(restarted)
})

test('a row that did not change stays the very same', () => {
  const known = live(1)
  const next = newestPositions(known, live(2, '21605.00')) as typeof known
  expect(next.positions[0]).toBe(known.positions[0])
  expect(next.positions[1]).not.toBe(known.positions[1])
})
