import { expect, test } from 'vitest'
import type { Trade } from '#shared/api/records.ts'
import { changedFields, emptyUserDraft, readUserDraft, userDraftOf } from './user-fields.ts'

test('tags are parted by commas, trimmed and named once', () => {
  expect(readUserDraft({ ...emptyUserDraft, tags: ' breakout, news ,, breakout' }).fields?.tags).toEqual(['breakout', 'news'])
})

test('an empty stop is none, and a stop that is no exact decimal is refused', () => {
  expect(readUserDraft(emptyUserDraft).fields?.stop).toBeNull()
  expect(readUserDraft({ ...emptyUserDraft, stop: ' 6049.75 ' }).fields?.stop).toBe('6049.75')
  expect(readUserDraft({ ...emptyUserDraft, stop: '1e3' })).toEqual({ fields: null, problems: { stop: 'not-a-number' } })
})

test('tags beyond the contract are refused before they are sent', () => {
  expect(readUserDraft({ ...emptyUserDraft, tags: 'x'.repeat(61) }).problems).toEqual({ tags: 'tag-too-long' })
  expect(readUserDraft({ ...emptyUserDraft, tags: Array.from({ length: 51 }, (_, n) => `t${String(n)}`).join() }).problems).toEqual({ tags: 'too-many-tags' })
})

test('a form that was not touched changes nothing', () => {
  const trade = { notes: 'n', tags: ['a', 'b'], stop: '1.5', screenshot: '', screenshotHeadline: '', screenshot2: 'a.png', screenshot2Headline: 'h', qty: 3 } as unknown as Trade
  const fields = readUserDraft(userDraftOf(trade)).fields
  expect(fields && changedFields(trade, fields)).toEqual({})
  expect(fields && changedFields(trade, { ...fields, tags: ['a'], stop: null, screenshot2: '' })).toEqual({ tags: ['a'], stop: null, screenshot2: '' })
})
