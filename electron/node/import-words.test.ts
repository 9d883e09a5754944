import { expect, test } from 'vitest'
import { printable } from './import-words.ts'

test('what a file put into its names moves no cursor, hides no line and turns none around', () => {
  expect(printable('ACC\u001b[2K\r1\u202e\u0007')).toBe('ACC\ufffd[2K\ufffd1\ufffd\ufffd')
  expect(printable('Größe 1,500.00\nമലയാളം')).toBe('Größe 1,500.00\nമലയാളം')
})
