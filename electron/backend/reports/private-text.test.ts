import { expect, test } from 'vitest'
import { withoutPrivateWords } from './private-text.ts'

const word = (text: string, account: string | null, trader = false) => ({ word: text, account, trader })
const strip = withoutPrivateWords(
  [word('Eval', 'e'), word('Eval Two', 't'), word('Main', 'e'), word('A1', 'e'), word('tradovate:demo:77', 'e'), word('77', 'e'), word('Old (gone)', 'gone'), word('broker.login', null), word('Ann', null, true), word('小明', null, true)],
  new Map([['e', 'Account A'], ['t', 'Account B']]),
)

test('replaces accounts by their pseudonyms, longest names first, in any letter case', () => {
  expect(strip('EVAL TWO beat eval.')).toBe('Account B beat Account A.')
  expect(strip('tradovate:demo:77, Old (gone) and broker.login')).toBe('Account A, another account and another account')
})

test('replaces whole words only, since a name may be part of another word', () => {
  expect(strip('A1 at 6771.50, not A100 or MA1; 77!')).toBe('Account A at 6771.50, not A100 or MA1; Account A!')
  expect(strip('Remaining evaluation: MAIN, Main’s stop, domain, Mains, Main_2, die Mainäcker')).toBe('Remaining evaluation: Account A, Account A’s stop, domain, Mains, Main_2, die Mainäcker')
})

test('replaces the user’s own name by the trader, also in scripts without spaces or with endings', () => {
  expect(strip('ann: Annual plan, 今天小明很累, Mainൽ നിന്ന്')).toBe('the trader: Annual plan, 今天the trader很累, Account Aൽ നിന്ന്')
})

test('a word that is both an account and a name becomes the account', () => {
  for (const words of [[word('Ann', null, true), word('ann', 'e')], [word('ann', 'e'), word('Ann', null, true)]]) expect(withoutPrivateWords(words, new Map([['e', 'Account A']]))('Ann')).toBe('Account A')
})

test('removes email addresses, known or not', () => {
  expect(strip('mail me@home.example or x.y+z@firm.co.uk now')).toBe('mail … or … now')
})

test('without private words only email addresses are removed', () => {
  expect(withoutPrivateWords([], new Map())('Eval, a@b.cd')).toBe('Eval, …')
})
