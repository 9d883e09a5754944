import { expect, test } from 'vitest'
import { pauseBefore } from './reconnect.ts'

const pauses = (why: Parameters<typeof pauseBefore>[0], random = 0): number[] => Array.from({ length: 9 }, (_, index) => pauseBefore(why, index + 1, random) / 1000)

test('a lost line backs off from one second to one minute', () => {
  expect(pauses('network')).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(pauses('silence')).toEqual(pauses('network'))
})

test('many clients do not reconnect at once', () => {
  expect(pauseBefore('network', 1, 0.999)).toBeGreaterThan(1_090)
  expect(pauseBefore('network', 1, 0.999)).toBeLessThan(1_100)
})

test('a quota, and anything only the user can fix, waits five minutes', () => {
  expect(pauses('quota')[0]).toBe(300)
  expect(pauses('login-needed')[8]).toBe(300)
})

test('a pushed-out line waits a minute first', () => {
  expect(pauses('pushed-out')).toEqual([60, 120, 240, 480, 600, 600, 600, 600, 600])
})

test('a requested reopen does not wait', () => {
  expect(pauseBefore('asked', 5, 0.9)).toBe(0)
})

test('the backoff is capped after many attempts', () => {
  expect(pauseBefore('network', 1_000, 0)).toBe(60_000)
})
