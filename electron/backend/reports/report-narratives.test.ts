import { expect, test } from 'vitest'
import type { ReportFact } from '#shared/api/reports.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { checkAndRepair, costOf, withoutPrivateWords, withoutThoughts } from './report-narratives.ts'

test.each([
  ['<think>It lost 1.</think>\nThe net.', 'The net.'],
  [' <thinking>\na\n</thinking> The net. <think>', 'The net. <think>'],
  ['It lost 1, I think.\n</think>\n\nThe net.', 'The net.'],
  ['<think>It lost 1, and th', ''],
  ['The net <think> of it', 'The net <think> of it'],
])('of %j stays %j', (answer, text) => {
  expect(withoutThoughts(answer)).toBe(text)
})

const facts: ReportFact[] = [{ id: 'f1', about: {}, finding: null, kind: 'total', trades: 3, measures: [{ name: 'net', unit: 'money', value: '12.00', currency: 'USD' }] }]
const repaired = async (text: string, again: string) => {
  const asked: string[] = []
  const { grounded } = await checkAndRepair({
    text, citable: { facts, findings: [] }, messages: [],
    ask: (sent) => {
      asked.push(...sent.map(({ content }) => content))
      return Promise.resolve({ text: again, tokens: null, failure: null })
    },
  })
  return { proved: grounded.proved, unproved: grounded.unproved, asked }
}
const lie = answerOf('{f1 net}', 'You never lost {f1 net}')

test('ignores the model’s thoughts before its second answer', async () => {
  expect(await repaired(lie, `<think>\n${answerOf('You never lost')}\n</think>\n${answerOf('See {f1 net}')}`)).toMatchObject({ proved: 2, unproved: 0 })
})

test('does not ask again when nothing failed; a second answer with another number of passages replaces none', async () => {
  expect(await repaired(answerOf('{f1 net}'), '')).toEqual({ proved: 1, unproved: 0, asked: [] })
  expect(await repaired(lie, answerOf('See {f1 net}', '{f1 net}'))).toMatchObject({ proved: 1, unproved: 1 })
  expect((await repaired(lie, '')).asked.join(' ')).toContain('1: never lost')
})

test('asks again for the JSON format after free text, which stays unproved if it comes again', async () => {
  expect(await repaired('You made 12.00 USD [f1].', answerOf('{f1 net}'))).toMatchObject({ proved: 1, unproved: 0, asked: ['You made 12.00 USD [f1].', expect.stringContaining('not the JSON object')] })
  expect(await repaired('You made 12.00 USD [f1].', 'You made 12.00 USD.')).toMatchObject({ proved: 0, unproved: 1 })
})

const prices = { input: '0.15', output: '0.6', currency: 'USD' }

test.each([
  [{ input: 1_000_000, output: 1_000_000 }, '0.75'],
  [{ input: 1_000, output: 200 }, '0.00027'],
  [{ input: 1, output: 0 }, '0.00000015'],
  [{ input: 0, output: 0 }, '0.00'],
  [{ input: 123_456_789, output: 987_654_321 }, '611.11111095'],
])('of %j tokens is exact', (tokens, amount) => {
  expect(costOf(tokens, prices)).toEqual({ amount, currency: 'USD' })
})

test('the cost is unknown without tokens or prices', () => {
  expect([costOf(null, prices), costOf({ input: 1, output: 1 }, null)]).toEqual([null, null])
})

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
