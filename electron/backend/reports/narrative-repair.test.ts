import { expect, test } from 'vitest'
import type { ReportFact } from '#shared/api/reports.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { checkAndRepair, withoutThoughts } from './narrative-repair.ts'

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
