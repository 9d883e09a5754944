import { expect, test } from 'vitest'
import { mostUsedFirst } from './most-used-first.ts'

test('the currency that most trades were made in comes first, equals keep their order', () => {
  const money = [{ currency: 'EUR', count: 1 }, { currency: 'GBP', count: 1 }, { currency: 'USD', count: 3 }]
  expect(mostUsedFirst([{ currency: 'EUR' }, { currency: 'GBP' }, { currency: 'USD' }], money).map(({ currency }) => currency)).toEqual(['USD', 'EUR', 'GBP'])
})
