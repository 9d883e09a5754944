import { expect, test } from 'vitest'
import type { FillPairRecord } from '#shared/api/records.ts'
import { changedFields, emptyUserDraft, isStopBeyond, readUserDraft, userDraftOf } from './user-fields.ts'

test('a tag that is still being typed counts', () => {
  expect(readUserDraft({ ...emptyUserDraft, tags: { tags: ['news'], typed: ' breakout' } }).fields?.tags).toEqual(['news', 'breakout'])
})

test('an empty stop is none, and a stop that is no exact decimal is refused', () => {
  expect(readUserDraft(emptyUserDraft).fields?.stop).toBeNull()
  expect(readUserDraft({ ...emptyUserDraft, stop: ' 6049.75 ' }).fields?.stop).toBe('6049.75')
  expect(readUserDraft({ ...emptyUserDraft, stop: '6,049.75' }).fields?.stop).toBe('6049.75')
  expect(readUserDraft({ ...emptyUserDraft, stop: '1e3' })).toEqual({ fields: null, problems: { stop: 'not-a-number' } })
})

test('a stop is doubted at the entry and on the side of a profit', () => {
  const doubted = (side: 'long' | 'short') => ['99.75', '100', '100.25', null].map((stop) => isStopBeyond(stop, { side, entryPrice: 100 }))
  expect(doubted('long')).toEqual([false, true, true, false])
  expect(doubted('short')).toEqual([true, true, false, false])
})

test('tags beyond the contract are refused before they are sent', () => {
  expect(readUserDraft({ ...emptyUserDraft, tags: { tags: ['x'.repeat(61)], typed: '' } }).problems).toEqual({ tags: 'tag-too-long' })
  expect(readUserDraft({ ...emptyUserDraft, tags: { tags: Array.from({ length: 51 }, (_, n) => `t${String(n)}`), typed: '' } }).problems).toEqual({ tags: 'too-many-tags' })
})

test('a form that was not touched changes nothing', () => {
  const trade = { notes: 'n', tags: ['a', 'b'], stop: '1.5', screenshot: '', screenshotHeadline: '', screenshot2: 'a.png', screenshot2Headline: 'h', qty: 3 } as unknown as FillPairRecord
  const fields = readUserDraft(userDraftOf(trade)).fields
  expect(fields && changedFields(trade, fields)).toEqual({})
  expect(fields && changedFields(trade, { ...fields, tags: ['a'], stop: null, screenshot2: '' })).toEqual({ tags: ['a'], stop: null, screenshot2: '' })
})
