import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCounters } from './counters.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const hits = async (counters: ReturnType<typeof createCounters>, key: string) => (await counters.increment(key)).totalHits

test('a key counts within its window, and resets after it', async () => {
  const counters = createCounters(1_000, 10)
  expect([await hits(counters, 'ann'), await hits(counters, 'ann'), await hits(counters, 'bob')]).toEqual([1, 2, 1])
  vi.setSystemTime(999)
  expect(await counters.increment('ann')).toEqual({ totalHits: 3, resetTime: new Date(1_000) })
  vi.setSystemTime(1_000)
  expect(await counters.increment('ann')).toEqual({ totalHits: 1, resetTime: new Date(2_000) })
})

test('beyond the maximum the key with the oldest window is dropped, expired ones first', async () => {
  const counters = createCounters(1_000, 2)
  for (const key of ['one', 'two', 'three']) await counters.increment(key)
  expect(await Promise.all(['one', 'two', 'three'].map((key) => counters.get?.(key) !== undefined))).toEqual([false, true, true])
  vi.setSystemTime(1_500)
  await counters.increment('four')
  expect(await Promise.all(['two', 'three', 'four'].map((key) => counters.get?.(key) !== undefined))).toEqual([false, false, true])
})

test('a call can be uncounted, and a key reset', async () => {
  const counters = createCounters(1_000, 2)
  await counters.increment('ann')
  await counters.decrement('ann')
  await counters.decrement('ann')
  expect(await hits(counters, 'ann')).toBe(1)
  await counters.resetKey('ann')
  expect(await hits(counters, 'ann')).toBe(1)
})
