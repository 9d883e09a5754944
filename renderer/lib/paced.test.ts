import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPaced } from './paced.ts'

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
