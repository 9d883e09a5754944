import { expect, test } from 'vitest'
import { monogram } from './monogram.ts'

test('two words, two humps or two letters', () => {
  expect(['Apex Trader Funding', 'NinjaTrader', 'MyFundedFutures', 'Tradovate', ''].map(monogram)).toEqual(['AT', 'NT', 'MF', 'Tr', ''])
})
