import { statedNarrative, statedReport, statedTextOfBefore } from '#tests/e2e/stated/stated-reports.ts'
import { expect, test } from 'vitest'
import { isFree, pseudonymIn, textShown } from './narrative-shown.ts'

const { passages, proved, unproved } = statedNarrative()
const before = { model: 'older', writtenAt: '2026-11-19T22:31:00.000Z', passages, proved, unproved }

test('a text is shown with its author and time; the previous one stays until there is a new one', () => {
  expect(textShown(statedNarrative({ before }))).toMatchObject({ model: 'gpt-5-mini', writtenAt: '2026-11-20T22:31:14.000Z', isEarlier: false })
  expect(textShown(statedNarrative({ state: 'failed', failure: 'unreachable', passages: [], before }))).toEqual({ ...before, isEarlier: true })
  expect(textShown(statedNarrative({ state: 'failed', failure: 'unreachable', passages: [] }))).toBeNull()
})

test('a made-up name is found where a text says it, whole', () => {
  const { names } = statedReport()
  const pseudonym = (text: string) => pseudonymIn([{ kind: 'paragraph', segments: [{ text, check: 'plain', fact: null }] }], names)
  expect([pseudonym('The week was slow.'), pseudonym('account b lost.'), pseudonym('Account Ax and Account Bs.'), pseudonymIn(statedTextOfBefore.passages, names), pseudonymIn(passages, names)]).toEqual([null, 'Account B', null, 'Account A', null])
})

test('a text is free where all of it is the model’s own and unproved', () => {
  const free = { kind: 'paragraph' as const, segments: [{ text: 'You made $9.', check: 'unproved' as const, fact: null }] }
  expect([isFree([free, free]), isFree([...passages, free]), isFree(statedTextOfBefore.passages), isFree([])]).toEqual([true, false, false, false])
})
