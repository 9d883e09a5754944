import { expect, test } from 'vitest'
import { pauseBefore } from './reconnect.ts'

const pauses = (why: Parameters<typeof pauseBefore>[0], random = 0): number[] => Array.from({ length: 9 }, (_, index) => pauseBefore(why, index + 1, random) / 1000)

test('a lost line doubles its pause from a second to a minute', () => {
  expect(pauses('network')).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(pauses('silence')).toEqual(pauses('network'))
})

test('many clients do not come back in one moment', () => {
  expect(pauseBefore('network', 1, 0.999)).toBeGreaterThan(1_090)
  expect(pauseBefore('network', 1, 0.999)).toBeLessThan(1_100)
})

test('a quota rests for five minutes, and so does what only the user can mend', () => {
  expect(pauses('quota')[0]).toBe(300)
  expect(pauses('login-needed')[8]).toBe(300)
})

test('whoever pushed the line out keeps it for a minute at first', () => {
  expect(pauses('pushed-out')).toEqual([60, 120, 240, 480, 600, 600, 600, 600, 600])
})

test('who asked for it does not wait', () => {
  expect(pauseBefore('asked', 5, 0.9)).toBe(0)
})

test('a thousand attempts are no more than sixty-four', () => {
  expect(pauseBefore('network', 1_000, 0)).toBe(60_000)
})
