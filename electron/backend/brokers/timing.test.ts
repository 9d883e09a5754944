import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { steadily, systemTiming, wallOf } from './timing.ts'

const second = 1_000
const start = Date.UTC(2026, 10, 2, 15)
let setBy = 0
const clock = { ...systemTiming, now: () => Date.now() + setBy }

beforeEach(() => {
  setBy = 0
  vi.useFakeTimers({ now: start, toFake: ['Date', 'performance'] })
})
afterEach(() => void vi.useRealTimers())

test('a steady clock follows the computer’s, also when that is set ahead', () => {
  const { now } = steadily(clock)
  vi.advanceTimersByTime(5 * second)
  expect(now()).toBe(start + 5 * second)
  setBy = 3_600 * second
  expect(now()).toBe(start + 3_605 * second)
})

test('a steady clock continues at half speed while the computer’s, set back, is behind', () => {
  const timing = steadily(clock)
  setBy = -60 * second
  expect(timing.now()).toBe(start)
  vi.advanceTimersByTime(10 * second)
  expect([timing.now(), wallOf(timing)]).toEqual([start + 5 * second, start - 50 * second])
  vi.advanceTimersByTime(111 * second)
  expect([timing.now(), wallOf(timing)]).toEqual([start + 61 * second, start + 61 * second])
})
