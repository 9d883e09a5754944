import { expect, test } from 'vitest'
import { dictionariesFor } from './dictionaries.ts'

const available = ['de', 'en-AU', 'en-GB', 'en-US', 'hi', 'pt-BR']

test('English as the system writes it, else as in the United States', () => {
  expect(dictionariesFor('en', ['de-DE', 'en-GB'], available)).toEqual(['en-GB'])
  expect(dictionariesFor('en', ['de-DE'], available)).toEqual(['en-US'])
  expect(dictionariesFor('en', ['en-ZZ'], ['en-AU'])).toEqual(['en-AU'])
})

test('a language without a dictionary has English; one with it has both', () => {
  expect(dictionariesFor('ml-IN', ['ml-IN'], available)).toEqual(['en-US'])
  expect(dictionariesFor('ml-IN', ['ml-IN', 'en-GB'], [...available, 'ml'])).toEqual(['ml', 'en-GB'])
})

test('where there are none, none is asked for', () => {
  expect(dictionariesFor('en', ['en-GB'], [])).toEqual([])
})
