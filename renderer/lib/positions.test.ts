import { livePosition, positionsOf } from '#tests/helpers/positions-live.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPaced, newestPositions } from './positions.ts'

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

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

test('the first goes at once, of a flood only the newest in each stretch', () => {
  const shown: number[] = []
  const paced = createPaced<number>(100, (value) => { shown.push(value) })
  for (let at = 0; at < 1_000; at += 10) {
    paced.give(at)
    vi.advanceTimersByTime(10)
  }
  expect(shown).toEqual([0, 90, 190, 290, 390, 490, 590, 690, 790, 890, 990])
})

test('the last one always comes, and nothing twice', () => {
  const shown: number[] = []
  const paced = createPaced<number>(100, (value) => { shown.push(value) })
  paced.give(1)
  paced.give(2)
  paced.give(3)
  vi.advanceTimersByTime(1_000)
  expect(shown).toEqual([1, 3])
  paced.give(4)
  expect(shown).toEqual([1, 3, 4])
})

test('what is stopped hands on nothing more', () => {
  const shown: number[] = []
  const paced = createPaced<number>(100, (value) => { shown.push(value) })
  paced.give(1)
  paced.give(2)
  paced.stop()
  vi.advanceTimersByTime(1_000)
  expect(shown).toEqual([1])
})
