import { firm } from '#shared/api/records.ts'
import { expect, test } from 'vitest'
import { monogram } from './monogram.ts'

test('two words, two humps or two letters', () => {
  expect(['Apex Trader Funding', 'NinjaTrader', 'MyFundedFutures', 'Tradovate', ''].map(monogram)).toEqual(['AT', 'NT', 'MF', 'Tr', ''])
})

test('no two firms or platforms look alike', () => {
  const marks = [...firm.options, 'Tradovate', 'NinjaTrader'].map(monogram)
  expect(firm.options.length).toBeGreaterThan(10)
  expect(marks.filter((mark, at) => marks.indexOf(mark) !== at)).toEqual([])
})
