import { expect, test } from 'vitest'
import { mergeEdit, mergedTags } from './merge-edit.ts'

test('a field that still says what its writer saw takes the edit; one that says something else is a conflict, and the others are written all the same', () => {
  expect(mergeEdit({ notes: 'a', stop: null }, { notes: 'b', stop: '1' }, { notes: 'a', stop: null, qty: 2 })).toEqual({ write: { notes: 'b', stop: '1' }, conflicts: [] })
  expect(mergeEdit({ notes: 'a', stop: null }, { notes: 'b', stop: '1' }, { notes: 'c', stop: null })).toEqual({ write: { stop: '1' }, conflicts: ['notes'] })
})

test('what the journal says already is no conflict: the same save again changes nothing', () => {
  expect(mergeEdit({ notes: 'a' }, { notes: 'b' }, { notes: 'b' })).toEqual({ write: { notes: 'b' }, conflicts: [] })
})

test('a headline goes with its picture: where another picture was put there, it is a conflict', () => {
  expect(mergeEdit({ screenshot: 'a', screenshotHeadline: '' }, { screenshot: 'a', screenshotHeadline: 'Entry' }, { screenshot: 'b', screenshotHeadline: '' }).conflicts).toEqual(['screenshot', 'screenshotHeadline'])
})

test('tags of two writers are united, and what one of them took away stays away', () => {
  expect(mergedTags(['a', 'b'], ['b', 'c'], ['a', 'b', 'd'])).toEqual(['b', 'd', 'c'])
  expect(mergeEdit({ tags: ['a'] }, { tags: [] }, { tags: ['a', 'b'] })).toEqual({ write: { tags: ['b'] }, conflicts: [] })
})
