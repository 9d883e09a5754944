import { expect, test } from 'vitest'
import { tagsOfAll, withTag, withoutTag } from './bulk-tags.ts'

const trades = [{ id: 'a', tags: ['news', 'fomc'] }, { id: 'b', tags: [] }, { id: 'c', tags: ['fomc'] }]

test('a tag is added only where it is not, and taken only where it is', () => {
  expect(withTag(trades, 'news')).toEqual([{ id: 'b', tags: ['news'] }, { id: 'c', tags: ['fomc', 'news'] }])
  expect(withoutTag(trades, 'fomc')).toEqual([{ id: 'a', tags: ['news'] }, { id: 'c', tags: [] }])
  expect(tagsOfAll(trades)).toEqual(['fomc', 'news'])
})

test('a trade that has as many tags as it can have keeps them', () => {
  const full = { id: 'd', tags: Array.from({ length: 50 }, (_, n) => `t${String(n)}`) }
  expect(withTag([full], 'one more')).toEqual([])
})
