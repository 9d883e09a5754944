import { expect, test } from 'vitest'
import { withoutPrivateWords } from './private-text.ts'

const strip = withoutPrivateWords(
  [
    { word: 'Eval', account: 'e' },
    { word: 'Eval Two', account: 't' },
    { word: 'A1', account: 'e' },
    { word: 'tradovate:demo:77', account: 'e' },
    { word: '77', account: 'e' },
    { word: 'Old (gone)', account: 'gone' },
    { word: 'broker.login', account: null },
  ],
  new Map([['e', 'Account A'], ['t', 'Account B']]),
)

test('accounts become what they are called outside, longest names first, in any case', () => {
  expect(strip('EVAL TWO beat eval.')).toBe('Account B beat Account A.')
  expect(strip('tradovate:demo:77, Old (gone) and broker.login')).toBe('Account A, another account and another account')
})

test('short names are whole words, since they lie within others', () => {
  expect(strip('A1 at 6771.50, not A100 or MA1; 77!')).toBe('Account A at 6771.50, not A100 or MA1; Account A!')
})

test('addresses go, known or not', () => {
  expect(strip('mail me@home.example or x.y+z@firm.co.uk now')).toBe('mail … or … now')
})

test('without any words only addresses go', () => {
  expect(withoutPrivateWords([], new Map())('Eval, a@b.cd')).toBe('Eval, …')
})
