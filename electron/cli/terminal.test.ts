import { expect, test } from 'vitest'
import { printable, printableIn, printableLines } from './terminal.ts'

test('no text of a file moves the cursor, hides words, begins a line or turns the reading direction', () => {
  expect(printable('AC\u001B[2KC\u001B]0;pwned\u0007')).toBe('AC\uFFFD[2KC\uFFFD]0;pwned\uFFFD')
  expect(printable('a\nb\r\u009Bc\u202Ed\u2028')).toBe('a\uFFFDb\uFFFD\uFFFDc\uFFFDd\uFFFD')
  expect(printable('Fünded-202 „€“ 日本 😀')).toBe('Fünded-202 „€“ 日本 😀')
  expect(printableLines('a\u0007\nb')).toBe('a\uFFFD\nb')
  expect(printableIn({ a: ['\u001B', 1, null], b: { c: '\n' } })).toEqual({ a: ['\uFFFD', 1, null], b: { c: '\uFFFD' } })
})
