import { expect, test } from 'vitest'
import type { ReportFact } from '#shared/api/reports.ts'
import { checkedAndMended, withoutThoughts } from './narrative-mending.ts'

test.each([
  ['<think>It lost 1.</think>\nThe net.', 'The net.'],
  [' <thinking>\na\n</thinking> The net. <think>', 'The net. <think>'],
  ['It lost 1, I think.\n</think>\n\nThe net.', 'The net.'],
  ['<think>It lost 1, and th', ''],
  ['The net <think> of it', 'The net <think> of it'],
])('of %j stays %j', (answer, text) => {
  expect(withoutThoughts(answer)).toBe(text)
})

test('what a model thinks before its second answer is no part of that', async () => {
  const facts: ReportFact[] = [{ id: 'f1', about: {}, finding: null, kind: 'total', trades: 3, measures: [{ name: 'net', unit: 'money', value: '12.00', currency: 'USD' }] }]
  const known = { facts, names: [], period: { from: '2026-11-02', to: '2026-11-06' }, zone: 'UTC' }
  const mended = await checkedAndMended({
    text: 'The net of all trades was 99.00 USD [f1].', known, messages: [],
    ask: () => Promise.resolve({ text: '<think>\n0.\nThe net was, hm.\n</think>\n0.\nThe net of all trades was 12.00 USD [f1].', tokens: null, failure: null }),
  })
  expect(mended.grounded).toMatchObject({ unproved: 0, proved: 1 })
})
