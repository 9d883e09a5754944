import { expect, test } from 'vitest'
import { oneFigure } from './bounds-text.ts'

test.each([
  ['0.6914', '0.6915', '0.6914', '0.6914'],
  ['-0.6915', '-0.6914', '-0.6914', '-0.6914'],
  ['0.6914', '0.6916', '0.6914', '0.6916'],
  ['75.4166', '75.4167', '75.4166', '75.4166'],
  ['12.5', '12.5001', '12.5', '12.5001'],
  [null, '0.6915', null, '0.6915'],
])('bounds of %s and %s are one figure only if outward rounding alone parts them', (least, most, from, to) => {
  expect(oneFigure({ least, most })).toEqual({ least: from, most: to })
})
