import { expect, test } from 'vitest'
import { readRate } from './rates.ts'

test.each([
  ['', null, null],
  [' 0.37 ', '0.37', null],
  ['.5', '0.5', null],
  ['0', '0', null],
  ['0.5125', '0.5125', null],
  ['0.51255', null, 'too-precise'],
  ['-0.37', null, 'not-a-number'],
  ['0,37', null, 'not-a-number'],
  ['1e2', null, 'not-a-number'],
  ['1000000', null, 'too-large'],
])('%j is read as %j, problem %j', (typed, given, problem) => {
  expect(readRate(typed)).toEqual({ given, problem })
})
