import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const start = () => {
  const clock = { now: 1_000_000 }
  const attempts = createRateLimiter({ burst: 3, refillMs: 60_000 }, { burst: 5, refillMs: 1_000 }, () => clock.now)
  return { clock, attempts }
}
const takeTimes = (attempts: ReturnType<typeof createRateLimiter>, key: string, times: number, browser = 'one'): number[] => Array.from({ length: times }, () => attempts.take(browser, key))

test('after the burst, take returns how long to wait', () => {
  const { clock, attempts } = start()
  expect(takeTimes(attempts, 'a', 4)).toEqual([0, 0, 0, 60_000])
  clock.now += 59_999
  expect(attempts.take('one', 'a')).toBe(1)
  clock.now += 1
  expect(attempts.take('one', 'a')).toBe(0)
  expect(attempts.take('one', 'a')).toBe(60_000)
})

test('keys have separate limits, and one browser has a limit over all its keys', () => {
  const { attempts } = start()
  expect([...takeTimes(attempts, 'a', 3), ...takeTimes(attempts, 'b', 2)]).toEqual([0, 0, 0, 0, 0])
  expect(attempts.take('one', 'c')).toBe(1_000)
})

test("one browser's guesses never slow another, at the same key or at made-up ones", () => {
  const { attempts } = start()
  takeTimes(attempts, 'a', 10)
  for (let made = 0; made < 3_000; made += 1) attempts.take('one', `made-up-${String(made)}`)
  expect(takeTimes(attempts, 'a', 4, 'other')).toEqual([0, 0, 0, 60_000])
})

test("a success resets its key's limit but not the browser's", () => {
  const { attempts } = start()
  takeTimes(attempts, 'a', 3)
  attempts.reset('one', 'a')
  expect(takeTimes(attempts, 'a', 3)).toEqual([0, 0, 1_000])
})

test('a refused attempt costs nothing, and a clock set back locks nobody out', () => {
  const { clock, attempts } = start()
  takeTimes(attempts, 'a', 10)
  clock.now -= 3_600_000
  expect(attempts.take('one', 'a')).toBe(60_000)
  clock.now += 60_000
  expect(attempts.take('one', 'a')).toBe(0)
})
