import { expect, test } from 'vitest'
import { columnWidths, drawable, linesOf, measuredOnce } from './pdf-text.ts'

const widthOf = (text: string): number => [...text].length

test('wraps at spaces, within words that are too wide, and at line breaks', () => {
  expect(linesOf('one two three', 7, widthOf)).toEqual(['one two', 'three'])
  expect(linesOf('one  two', 20, widthOf)).toEqual(['one two'])
  expect(linesOf('abcdefghij kl', 4, widthOf)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
  expect(linesOf('one\n\ntwo', 20, widthOf)).toEqual(['one', '', 'two'])
  expect(linesOf('', 20, widthOf)).toEqual([''])
  expect(linesOf('👩‍👩 ok', 1, widthOf).join('')).toBe('👩👩ok')
})

test('no line exceeds the width, and no text is lost', () => {
  const text = 'The 09:00 hour made −1,234.50 USD over 41 trades → ≤ 3 contracts. '.repeat(20)
  for (const width of [1, 3, 17, 80]) {
    const lines = linesOf(text, width, widthOf)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  }
})

test('drops characters without a glyph', () => {
  expect(drawable('a\u0000b\tc\u200bd\u202ee\nf')).toBe('ab cde\nf')
})

test('measures each word once', () => {
  const asked: string[] = []
  const measure = measuredOnce((text) => asked.push(text))
  expect([measure('a'), measure('a'), measure('b')]).toEqual([1, 1, 2])
})

test('columns get their wanted width if all fit; otherwise wide columns share the rest', () => {
  expect(columnWidths([10, 20], 50)).toEqual([20, 30])
  expect(columnWidths([10, 100, 100], 90)).toEqual([10, 40, 40])
  expect(columnWidths([100, 10, 35], 90)).toEqual([45, 10, 35])
  for (const widths of [columnWidths([300, 2, 40, 900], 200), columnWidths([1, 1], 200)]) expect(widths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(200, 9)
})
