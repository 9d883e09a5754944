import { expect, test } from 'vitest'
import { tagProblem, tagsOf } from './tags.ts'

test('tags are those that are set and what is still being typed, parted by commas, trimmed and named once', () => {
  expect(tagsOf({ tags: ['news'], typed: ' breakout, news ,, retest' })).toEqual(['news', 'breakout', 'retest'])
  expect(tagsOf({ tags: ['news'], typed: ' ' })).toEqual(['news'])
})

test('tags beyond the limits are reported', () => {
  expect(tagProblem(['x'.repeat(60)])).toBeNull()
  expect(tagProblem(['x'.repeat(61)])).toBe('tag-too-long')
  expect(tagProblem(Array.from({ length: 51 }, (_, n) => `t${String(n)}`))).toBe('too-many-tags')
})
