import { expect, test } from 'vitest'
import { dictionariesFor } from './app-session.ts'

const available = ['de', 'en-AU', 'en-GB', 'en-US', 'hi', 'pt-BR']

test('English in the system’s variant, otherwise US English', () => {
  expect(dictionariesFor('en', ['de-DE', 'en-GB'], available)).toEqual(['en-GB'])
  expect(dictionariesFor('en', ['de-DE'], available)).toEqual(['en-US'])
  expect(dictionariesFor('en', ['en-ZZ'], ['en-AU'])).toEqual(['en-AU'])
})

test('a language without a dictionary gets English; one with a dictionary gets both', () => {
  expect(dictionariesFor('ml-IN', ['ml-IN'], available)).toEqual(['en-US'])
  expect(dictionariesFor('ml-IN', ['ml-IN', 'en-GB'], [...available, 'ml'])).toEqual(['ml', 'en-GB'])
})

test('without available dictionaries the list is empty', () => {
  expect(dictionariesFor('en', ['en-GB'], [])).toEqual([])
})
