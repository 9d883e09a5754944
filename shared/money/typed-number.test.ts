import { expect, test } from 'vitest'
import { typedNumber } from './typed-number.ts'

test.each([
  ['1,500.00', '1500.00'],
  [' $1,500 ', '1500'],
  ['-$12,345,678.9', '-12345678.9'],
  ['\u22122.5', '-2.5'],
  ['+3', '3'],
  ['1,50,000.00', '150000.00'],
  ["1'500.25", '1500.25'],
  ['1 500', '1500'],
  ['1\u202f500\u202f000', '1500000'],
  ['6052.25', '6052.25'],
])('%s is %s', (text, plain) => expect(typedNumber(text)).toBe(plain))

test.each(['1,5', '1,50', '15,00', '1,500,00', '1,500.000,00', "1,500'000", '1.500,00', ',500', '12 34', 'abc', '', '1e5', '$'])('%s is left to be refused', (text) => expect(typedNumber(text)).toBe(text.trim().replace(/^\$/, '')))
